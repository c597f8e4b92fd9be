/**
 * Actions that crowd control forbids.
 * Owns: the actions that each kind forbids, and early ends.
 */

import { CrowdControl, type CrowdControlEntry } from '../../../shared/components/crowd-control.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { toTicks } from '../core/clock.ts';
import { comingTick } from '../core/coming-tick.ts';
import { slotOf } from '../core/entities.ts';
import { add, has, read, remove, type World, write } from '../core/world.ts';

/**
 * `use_items`: wear, take off, buy and sell. `passive`: what works without being done: critical blows, and effects
 * that are there for good.
 */
export type ControlledDeed = 'move' | 'attack' | 'cast' | 'use_items' | 'passive';

type ControlKind = CrowdControlEntry['kind'];

/** Kinds that forbid a deed. */
const FORBIDS: Readonly<Record<ControlledDeed, ReadonlySet<ControlKind>>> = {
	move: new Set<ControlKind>(['Stun', 'Root', 'Sleep']),
	attack: new Set<ControlKind>(['Stun', 'Hex', 'Disarm', 'Sleep']),
	cast: new Set<ControlKind>(['Stun', 'Hex', 'Silence', 'Sleep', 'Taunt']),
	use_items: new Set<ControlKind>(['Stun', 'Hex', 'Mute', 'Sleep', 'Taunt']),
	passive: new Set<ControlKind>(['Break']),
};

const NONE: readonly CrowdControlEntry[] = [];

/** Returns the crowd control in force on an entity now. */
export function controls(world: World, slot: number): readonly CrowdControlEntry[] {
	if (!has(world, slot, CrowdControl)) return NONE;
	return read(world, CrowdControl, 'entries')[slot]!.filter(({ until }) => world.tick < until);
}

/** Returns true if nothing keeps an entity from doing something. */
export function can(world: World, slot: number, deed: ControlledDeed): boolean {
	if (!has(world, slot, CrowdControl)) return true;
	return !controls(world, slot).some(({ kind }) => FORBIDS[deed].has(kind));
}

/** Refuses for an entity what it is kept from; `what` names it in the message. Throws `silenced`. */
export function requireFree(world: World, slot: number, deed: ControlledDeed, what: string): void {
	if (!can(world, slot, deed)) throw new ApiError('silenced', restraintText(world, slot, what));
}

/** Returns a sentence that says what keeps an entity from something. */
export function restraintText(world: World, slot: number, what: string): string {
	const kinds = [...new Set(controls(world, slot).map(({ kind }) => kind))].join(', ');
	return `Crowd control (${kinds}) keeps entity ${slot} from ${what}.`;
}

/** Returns the factor of an entity's speed: 1 when nothing slows it, 0 when it cannot move. */
export function speedFactor(world: World, slot: number): number {
	if (!has(world, slot, CrowdControl)) return 1;
	if (!can(world, slot, 'move')) return 0;
	let factor = 1;
	for (const { kind, factor: lost = 0 } of controls(world, slot)) if (kind === 'Slow') factor *= 1 - lost;
	return factor;
}

/** Crowd control to put on an entity. Times in seconds. */
export interface CrowdControlGiven {
	readonly kind: ControlKind;
	readonly duration: number;
	readonly dispel: CrowdControlEntry['dispel'];
	/** Slow: share of speed that is lost. */
	readonly factor?: number;
	/** Taunt: the entity that it must attack. */
	readonly target?: EntityHandle | undefined;
	/** Invisibility: time until it is unseen. */
	readonly fade_time?: number;
}

/** Puts crowd control on an entity; false if it is gone, or when the one it is to attack is. */
export function applyCrowdControl(world: World, entity: EntityHandle, given: CrowdControlGiven): boolean {
	const slot = slotOf(world, entity);
	if (slot < 0 || (given.kind === 'Taunt' && given.target === undefined)) return false;
	const from = comingTick(world);
	const { kind, dispel, factor, target, fade_time } = given;
	const entry: CrowdControlEntry = {
		kind,
		dispel,
		until: from + Math.max(1, toTicks(given.duration)),
		...(factor === undefined ? {} : { factor }),
		...(target === undefined ? {} : { target }),
		...(fade_time === undefined ? {} : { fade_until: from + toTicks(fade_time) }),
	};
	const before = has(world, slot, CrowdControl) ? read(world, CrowdControl, 'entries')[slot]! : NONE;
	add(world, slot, CrowdControl, { entries: [...before, entry] });
	return true;
}

/** Ends sleep: an entity that is hurt wakes up. */
export function wake(world: World, slot: number): void {
	if (!has(world, slot, CrowdControl)) return;
	const before = read(world, CrowdControl, 'entries')[slot]!;
	const remaining = before.filter(({ kind }) => kind !== 'Sleep');
	if (remaining.length === before.length) return;
	if (remaining.length === 0) remove(world, slot, CrowdControl);
	else write(world, CrowdControl, 'entries')[slot] = remaining;
}

/** Kinds that each dispel removes: its own and everything weaker. */
const DISPELLED: Readonly<Record<'BasicDispel' | 'StrongDispel', readonly string[]>> = {
	BasicDispel: ['BasicDispel'],
	StrongDispel: ['BasicDispel', 'StrongDispel'],
};

/** Removes the crowd control that a dispel ends. Returns the number removed. */
export function dispelCrowdControl(world: World, slot: number, dispel: keyof typeof DISPELLED): number {
	if (!has(world, slot, CrowdControl)) return 0;
	const before = read(world, CrowdControl, 'entries')[slot]!;
	const remaining = before.filter((entry) => !DISPELLED[dispel].includes(entry.dispel));
	if (remaining.length === 0) remove(world, slot, CrowdControl);
	else if (remaining.length < before.length) add(world, slot, CrowdControl, { entries: remaining });
	return before.length - remaining.length;
}
