/** System that counts the ticks of animations, ends fades and montages, and changes the states of state machines. */

import { Animation } from '../../../shared/components/animation.ts';
import type { StateMachine } from '../../../shared/media/animation.ts';
import { ANYTHING } from '../../../shared/verbs/access.ts';
import { fieldPath } from '../../../shared/verbs/field-name.ts';
import { toTicks } from '../core/clock.ts';
import type { System } from '../core/system.ts';
import { spend } from '../core/tick-budget.ts';
import { add, each, get, type World } from '../core/world.ts';
import { isSatisfied } from '../fields/compare.ts';
import { readField } from '../fields/field-path.ts';
import { beginClip, createFading, isAtEnd, LOOK_COST, maxLookCost } from './animation.ts';

export const advanceAnimations: System = {
	name: 'advance-animations',
	needs: [Animation],
	// A state machine may follow any field.
	access: { reads: [ANYTHING], writes: ['animation'] },
	maximum: (world) => ({ searched: maxLookCost(world) }),
	run,
};

function run(world: World): void {
	const slots: number[] = [];
	each(world, [Animation], (slot) => slots.push(slot));
	for (const slot of slots) advance(world, slot);
}

function advance(world: World, slot: number): void {
	const row = get(world, slot, Animation)!;
	const { playing, elapsed, fading, montage, montage_elapsed } = row;
	const nextElapsed = playing === 1 && row.clip !== null ? elapsed + 1 : elapsed;
	const changes: { -readonly [K in keyof typeof row]?: (typeof row)[K] } = {};
	if (nextElapsed !== elapsed) changes.elapsed = nextElapsed;
	if (fading !== null && nextElapsed >= fading.fade) changes.fading = null;
	if (montage !== null) {
		const isOver = montage_elapsed + 1 >= montage.duration;
		changes.montage_elapsed = isOver ? 0 : montage_elapsed + 1;
		if (isOver) changes.montage = null;
	}
	if (Object.keys(changes).length > 0) add(world, slot, Animation, changes);
	if (row.machine !== null && playing === 1) changeState(world, slot, row.machine, row.state);
}

function changeState(world: World, slot: number, machine: StateMachine, current: string | null): void {
	const { clip, speed, elapsed } = get(world, slot, Animation)!;
	const transition = machine.transitions.find(
		({ from, to, when, at_end }) =>
			to !== current &&
			(from == null || from === current) &&
			countLook(world) &&
			(!at_end || isAtEnd(world, slot, clip!, elapsed, speed)) &&
			when.every((check) => isMet(world, slot, machine, check)),
	);
	if (transition === undefined) return;
	const next = machine.states.find(({ name }) => name === transition.to)!;
	beginClip(
		world,
		slot,
		next.clip,
		next.speed,
		next.looping,
		createFading(world, slot, toTicks(transition.fade)),
	);
	add(world, slot, Animation, { state: next.name });
}

/** Counts a look at a transition or a comparison, because a world may have many. Returns true, for use in conditions. */
function countLook(world: World): true {
	spend(world, 'searched', LOOK_COST);
	return true;
}

function isMet(
	world: World,
	slot: number,
	{ parameters }: StateMachine,
	{ parameter, field, op, value }: StateMachine['transitions'][number]['when'][number],
): boolean {
	countLook(world);
	const source = field ?? parameters[parameter!]!;
	const actual = typeof source === 'number' ? source : readField(world, slot, fieldPath(source));
	return actual !== undefined && isSatisfied(actual, op, value);
}
