/** Behaviour of each kind of action. The types ensure that none is missing and none is left over. */

import type { EntityHandle } from '../../../../shared/contract/component.ts';
import type { SpawnDocument } from '../../../../shared/documents/spawn.ts';
import { ActionFailed } from '../../../../shared/events/action-failed.ts';
import { CastFailed } from '../../../../shared/events/cast-failed.ts';
import type { RuleDocument } from '../../../../shared/rules/rule.ts';
import { type Action, type ActionName, actionKind } from '../../../../shared/verbs/actions/index.ts';
import { countSent } from '../../core/events.ts';
import { spend } from '../../core/tick-budget.ts';
import type { World } from '../../core/world.ts';
import type { Occurrence } from '../conditions/occurrence.ts';
import { resolveTarget } from '../targets/index.ts';
import type { ActionBehaviour, ActionMaximum, Doer } from './action.ts';
import { addField } from './add-field.ts';
import { applyEffect } from './apply-effect.ts';
import { buy } from './buy.ts';
import { cameraShake } from './camera-shake.ts';
import { cast } from './cast.ts';
import { cleanse } from './cleanse.ts';
import { clearText } from './clear-text.ts';
import { color } from './color.ts';
import { damage } from './damage.ts';
import { despawn } from './despawn.ts';
import { emit } from './emit.ts';
import { emitParticles } from './emit-particles.ts';
import { endgame } from './endgame.ts';
import { equip } from './equip.ts';
import { giveItem } from './give-item.ts';
import { heal } from './heal.ts';
import { playAnimation } from './play-animation.ts';
import { playSound } from './play-sound.ts';
import { score } from './score.ts';
import { setField } from './set-field.ts';
import { setText } from './set-text.ts';
import { spawn } from './spawn.ts';
import { stopParticles } from './stop-particles.ts';
import { stopSound } from './stop-sound.ts';
import { stopWalking } from './stop-walking.ts';
import { tag } from './tag.ts';
import { takeItem } from './take-item.ts';
import { teleport } from './teleport.ts';
import { text } from './text.ts';
import { walkTo } from './walk-to.ts';

export const BEHAVIOURS: { readonly [K in ActionName]: ActionBehaviour<K> } = {
	spawn,
	damage,
	heal,
	score,
	despawn,
	teleport,
	color,
	text,
	set_text: setText,
	clear_text: clearText,
	endgame,
	set_field: setField,
	add_field: addField,
	apply_effect: applyEffect,
	cleanse,
	give_item: giveItem,
	take_item: takeItem,
	equip,
	buy,
	cast,
	tag,
	emit,
	emit_particles: emitParticles,
	stop_particles: stopParticles,
	play_sound: playSound,
	stop_sound: stopSound,
	play_animation: playAnimation,
	camera_shake: cameraShake,
	walk_to: walkTo,
	stop_walking: stopWalking,
};

/** A behaviour seen without its kind. */
interface AnyBehaviour {
	act(world: World, action: Action, target: EntityHandle | null, occurrence: Occurrence, doer: Doer): void;
	check?(action: Action): void;
	warn?(world: World, action: Action): readonly string[];
	maximum?(action: Action): ActionMaximum;
	effectsOfSpawned?(world: World, action: Action): SpawnDocument['effects'] | null;
}

const behaviourOf = (action: Action): AnyBehaviour =>
	BEHAVIOURS[actionKind(action).kind as ActionName] as AnyBehaviour;

/** Returns the maximum work that one run adds to a tick, beyond the action itself and its spawned entities. */
export const maximumOfAction = (action: Action): ActionMaximum => behaviourOf(action).maximum?.(action) ?? {};

/** Returns the effects of each entity that an action spawns. */
export const effectsOfSpawned = (world: World, action: Action): NonNullable<SpawnDocument['effects']> =>
	behaviourOf(action).effectsOfSpawned?.(world, action) ?? [];

/** Performs the actions of one firing in order. With `on_failure: "stop"`, stops after the first refused action. */
export function runActions(
	world: World,
	doer: Doer,
	occurrence: Occurrence,
	{ on_failure }: Pick<RuleDocument, 'on_failure'> = {},
): void {
	if (on_failure !== 'stop') {
		for (const action of doer.actions) runAction(world, action, occurrence, doer);
		return;
	}
	const oldCount = countRefusals(world);
	for (const action of doer.actions) {
		runAction(world, action, occurrence, doer);
		if (countRefusals(world) > oldCount) return;
	}
}

/** Returns the number of actions that were refused since the last tick. */
const countRefusals = (world: World) => countSent(world, ActionFailed) + countSent(world, CastFailed);

function runAction(world: World, action: Action, occurrence: Occurrence, doer: Doer): void {
	const behaviour = behaviourOf(action);
	if (!('target' in action)) {
		spend(world, 'actions');
		behaviour.act(world, action, null, occurrence, doer);
		return;
	}
	for (const target of resolveTarget(world, action.target, occurrence)) {
		spend(world, 'actions');
		behaviour.act(world, action, target, occurrence, doer);
	}
}

/** Checks an action beyond its schema. Throws a Refusal. */
export function checkAction(action: Action): void {
	behaviourOf(action).check?.(action);
}

/** Returns warnings about parts of an action that currently do nothing. */
export function warnOfAction(world: World, action: Action): readonly string[] {
	return behaviourOf(action).warn?.(world, action) ?? [];
}
