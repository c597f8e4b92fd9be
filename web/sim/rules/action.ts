/**
 * What a rule does.
 * Owns: what each action means. An action about an entity that is not there, or lacks what is needed, does nothing.
 */

import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import type { Handle } from '../../../shared/contract/component.ts';
import type { Action } from '../../../shared/documents/rule.ts';
import { heal, queueDamage } from '../combat/damage.ts';
import { MAX_ENTITIES } from '../core/entities.ts';
import { emit } from '../core/events.ts';
import { despawn, has, type World } from '../core/world.ts';
import { give } from '../economy/inventory.ts';
import { applyEffect } from '../effects/effect.ts';
import { fieldPath, readField, writeField } from '../fields/field-path.ts';
import { showText } from '../hud/hud.ts';
import { addScore, endMatch } from '../match/match.ts';
import { setColor, spawnEntity } from '../spawn/spawn-entity.ts';
import { teleport } from '../transform/teleport.ts';
import type { Occurrence } from './condition.ts';
import { resolveTarget } from './target.ts';

/** Does the actions of one firing, in order. */
export function runActions(world: World, actions: readonly Action[], occurrence: Occurrence): void {
	for (const action of actions) runAction(world, action, occurrence);
}

function runAction(world: World, action: Action, occurrence: Occurrence): void {
	if (!('target' in action)) {
		runUntargeted(world, action);
		return;
	}
	for (const target of resolveTarget(world, action.target, occurrence)) runTargeted(world, action, target);
}

type Targeted = Extract<Action, { target: unknown }>;

function runTargeted(world: World, action: Targeted, target: Handle): void {
	const { id } = target;
	const lives = has(world, id, Health) && !has(world, id, Dead);
	switch (action.action) {
		case 'damage':
			if (lives) queueDamage(world, target, action.amount, null);
			return;
		case 'heal':
			if (lives) heal(world, target, action.amount);
			return;
		case 'score':
			addScore(world, target, action.points);
			return;
		case 'despawn':
			despawn(world, id);
			return;
		case 'teleport':
			teleport(world, target, action.position);
			return;
		case 'color':
		case 'set_color':
			setColor(world, id, action.color, []);
			return;
		case 'set_field':
			writeField(world, id, fieldPath(action.field), action.value);
			return;
		case 'add_field': {
			const path = fieldPath(action.field);
			const value = readField(world, id, path);
			if (value !== undefined) writeField(world, id, path, value + action.value);
			return;
		}
		case 'apply_effect': {
			const { tag, duration, modifiers, tick_effect, stack_policy } = action;
			applyEffect(world, target, {
				tag,
				duration,
				modifiers,
				tick_effect: tick_effect ?? null,
				stack_policy,
			});
			return;
		}
		case 'give_item':
			give(world, target, action.item_id, action.count);
	}
}

function runUntargeted(world: World, action: Exclude<Action, { target: unknown }>): void {
	switch (action.action) {
		case 'spawn':
			spawnSeveral(world, action);
			return;
		case 'text':
		case 'show_text': {
			const { text, x, y, size, color } = action;
			showText(world, { text, x, y, size, color });
			return;
		}
		case 'endgame':
			endMatch(world, action.winner_team);
			return;
		case 'emit':
			emit(world, 'signal', { name: action.name, data: action.data });
	}
}

/** Spawns `count` entities 1 m apart along z, centred on the place; fewer when the world is full. */
function spawnSeveral(world: World, action: Extract<Action, { action: 'spawn' }>): void {
	const { action: _, count, speed, waypoints, position, ...document } = action;
	const copies = count ?? 1;
	const [x, y, z] = position;
	for (let i = 0; i < copies; i++) {
		const place: [number, number, number] = [x, y, z + i - (copies - 1) / 2];
		if (world.entities.count >= MAX_ENTITIES) return;
		const fights = document.combat === true;
		const { handle } = spawnEntity(world, {
			...document,
			position: place,
			...(fights || waypoints != null ? { combat_speed: speed } : {}),
			...(fights || waypoints == null || waypoints.length === 0 ? {} : { ai_patrol: waypoints }),
		});
		emit(world, 'rule_spawn', { entity: handle, mesh: action.mesh, color: action.color ?? null });
	}
}
