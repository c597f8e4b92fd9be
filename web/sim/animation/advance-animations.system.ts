/** Counts the ticks of what is played, ends fades and montages, and moves state machines on. */

import { Animation } from '../../../shared/components/animation.ts';
import type { StateMachine } from '../../../shared/media/animation.ts';
import { ANYTHING } from '../../../shared/verbs/access.ts';
import { fieldPath } from '../../../shared/verbs/field-name.ts';
import type { System } from '../core/system.ts';
import { spend } from '../core/tick-budget.ts';
import { add, each, get, type World } from '../core/world.ts';
import { compare } from '../fields/compare.ts';
import { readField } from '../fields/field-path.ts';
import { atEnd, begin, fadingFrom, LOOK, mostLooks, ticksIn } from './animation.ts';

export const advanceAnimations: System = {
	name: 'advance-animations',
	needs: [Animation],
	// A state machine may follow any field.
	access: { reads: [ANYTHING], writes: ['animation'] },
	maximum: (world) => ({ searched: mostLooks(world) }),
	run,
};

function run(world: World): void {
	const slots: number[] = [];
	each(world, [Animation], (slot) => slots.push(slot));
	for (const slot of slots) advance(world, slot);
}

function advance(world: World, slot: number): void {
	const now = get(world, slot, Animation)!;
	const { playing, elapsed, fading, montage, montage_elapsed } = now;
	const counted = playing === 1 && now.clip !== null ? elapsed + 1 : elapsed;
	const changed: { -readonly [K in keyof typeof now]?: (typeof now)[K] } = {};
	if (counted !== elapsed) changed.elapsed = counted;
	if (fading !== null && counted >= fading.fade) changed.fading = null;
	if (montage !== null) {
		const over = montage_elapsed + 1 >= montage.duration;
		changed.montage_elapsed = over ? 0 : montage_elapsed + 1;
		if (over) changed.montage = null;
	}
	if (Object.keys(changed).length > 0) add(world, slot, Animation, changed);
	if (now.machine !== null && playing === 1) moveOn(world, slot, now.machine, now.state);
}

function moveOn(world: World, slot: number, machine: StateMachine, current: string | null): void {
	const { clip, speed, elapsed } = get(world, slot, Animation)!;
	const transition = machine.transitions.find(
		({ from, to, when, at_end }) =>
			to !== current &&
			(from == null || from === current) &&
			countLook(world) &&
			(!at_end || atEnd(world, slot, clip!, elapsed, speed)) &&
			when.every((check) => holds(world, slot, machine, check)),
	);
	if (transition === undefined) return;
	const next = machine.states.find(({ name }) => name === transition.to)!;
	begin(world, slot, next.clip, next.speed, next.looping, fadingFrom(world, slot, ticksIn(transition.fade)));
	add(world, slot, Animation, { state: next.name });
}

/** Counts a transition, or one of its comparisons, as looked at: a world may have many entities with many of them. */
function countLook(world: World): true {
	spend(world, 'searched', LOOK);
	return true;
}

function holds(
	world: World,
	slot: number,
	{ parameters }: StateMachine,
	{ parameter, field, op, value }: StateMachine['transitions'][number]['when'][number],
): boolean {
	countLook(world);
	const source = field ?? parameters[parameter!]!;
	const number = typeof source === 'number' ? source : readField(world, slot, fieldPath(source));
	return number !== undefined && compare(number, op, value);
}
