/**
 * Crowd control of entities.
 * Owns: the actions that each kind forbids, and its early end.
 */

import { CrowdControl, type CrowdControlEntry } from '../../../shared/components/crowd-control.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { toTicks } from '../core/clock.ts';
import { comingTick } from '../core/coming-tick.ts';
import { slotOf } from '../core/entities.ts';
import { add, has, read, remove, type World, write } from '../core/world.ts';

/**
 * Actions that crowd control can forbid. `use_items`: wear, take off, buy and sell items. `passive`: critical hits and
 * permanent effects.
 */
export type ControlledAction = 'move' | 'attack' | 'cast' | 'use_items' | 'passive';

type ControlKind = CrowdControlEntry['kind'];

/** Kinds that forbid each action. */
const FORBIDDING_KINDS: Readonly<Record<ControlledAction, ReadonlySet<ControlKind>>> = {
	move: new Set<ControlKind>(['Stun', 'Root', 'Sleep']),
	attack: new Set<ControlKind>(['Stun', 'Hex', 'Disarm', 'Sleep']),
	cast: new Set<ControlKind>(['Stun', 'Hex', 'Silence', 'Sleep', 'Taunt']),
	use_items: new Set<ControlKind>(['Stun', 'Hex', 'Mute', 'Sleep', 'Taunt']),
	passive: new Set<ControlKind>(['Break']),
};

const NONE: readonly CrowdControlEntry[] = [];

/** Returns the crowd control that is currently in force on an entity. */
export function crowdControlsOf(world: World, slot: number): readonly CrowdControlEntry[] {
	if (!has(world, slot, CrowdControl)) return NONE;
	return read(world, CrowdControl, 'entries')[slot]!.filter(({ until }) => world.tick < until);
}

/** Returns true if no crowd control forbids an action of an entity. */
export function can(world: World, slot: number, action: ControlledAction): boolean {
	if (!has(world, slot, CrowdControl)) return true;
	return !crowdControlsOf(world, slot).some(({ kind }) => FORBIDDING_KINDS[action].has(kind));
}

/** Throws `silenced` if crowd control forbids an action. `activity`: its name in the message, such as `casting`. */
export function requireFree(world: World, slot: number, action: ControlledAction, activity: string): void {
	if (!can(world, slot, action)) throw new ApiError('silenced', restraintText(world, slot, activity));
}

/** Returns a sentence with the kinds of crowd control that keep an entity from an activity. */
export function restraintText(world: World, slot: number, activity: string): string {
	const kinds = [...new Set(crowdControlsOf(world, slot).map(({ kind }) => kind))].join(', ');
	return `Crowd control (${kinds}) keeps entity ${slot} from ${activity}.`;
}

/** Returns the factor of an entity's speed: 1 if nothing slows it, 0 if it cannot move. */
export function speedFactor(world: World, slot: number): number {
	if (!has(world, slot, CrowdControl)) return 1;
	if (!can(world, slot, 'move')) return 0;
	let factor = 1;
	for (const { kind, factor: slowdown = 0 } of crowdControlsOf(world, slot))
		if (kind === 'Slow') factor *= 1 - slowdown;
	return factor;
}

/** Crowd control to apply. Times are in seconds. */
export interface CrowdControlSettings {
	readonly kind: ControlKind;
	readonly duration: number;
	readonly dispel: CrowdControlEntry['dispel'];
	/** Slow: share of the speed that is lost. */
	readonly factor?: number;
	/** Taunt: the entity to attack. */
	readonly target?: EntityHandle | undefined;
	/** Invisibility: time until the entity is invisible. */
	readonly fade_time?: number;
}

/** Applies crowd control to an entity. Returns false if the entity is gone, or for a Taunt without a target. */
export function applyCrowdControl(
	world: World,
	entity: EntityHandle,
	settings: CrowdControlSettings,
): boolean {
	const slot = slotOf(world, entity);
	if (slot < 0 || (settings.kind === 'Taunt' && settings.target === undefined)) return false;
	const startTick = comingTick(world);
	const { kind, dispel, factor, target, fade_time } = settings;
	const entry: CrowdControlEntry = {
		kind,
		dispel,
		until: startTick + Math.max(1, toTicks(settings.duration)),
		...(factor === undefined ? {} : { factor }),
		...(target === undefined ? {} : { target }),
		...(fade_time === undefined ? {} : { fade_until: startTick + toTicks(fade_time) }),
	};
	const entries = has(world, slot, CrowdControl) ? read(world, CrowdControl, 'entries')[slot]! : NONE;
	add(world, slot, CrowdControl, { entries: [...entries, entry] });
	return true;
}

/** Ends the sleep of an entity, which wakes up when it is hurt. */
export function endSleep(world: World, slot: number): void {
	if (!has(world, slot, CrowdControl)) return;
	const entries = read(world, CrowdControl, 'entries')[slot]!;
	const remaining = entries.filter(({ kind }) => kind !== 'Sleep');
	if (remaining.length === entries.length) return;
	if (remaining.length === 0) remove(world, slot, CrowdControl);
	else write(world, CrowdControl, 'entries')[slot] = remaining;
}

/** Dispel levels that each dispel removes: its own and the weaker ones. */
const DISPELLED_LEVELS: Readonly<Record<'BasicDispel' | 'StrongDispel', readonly string[]>> = {
	BasicDispel: ['BasicDispel'],
	StrongDispel: ['BasicDispel', 'StrongDispel'],
};

/** Removes the crowd control that a dispel ends. Returns the number of removed entries. */
export function dispelCrowdControl(
	world: World,
	slot: number,
	dispel: keyof typeof DISPELLED_LEVELS,
): number {
	if (!has(world, slot, CrowdControl)) return 0;
	const entries = read(world, CrowdControl, 'entries')[slot]!;
	const remaining = entries.filter((entry) => !DISPELLED_LEVELS[dispel].includes(entry.dispel));
	if (remaining.length === 0) remove(world, slot, CrowdControl);
	else if (remaining.length < entries.length) add(world, slot, CrowdControl, { entries: remaining });
	return entries.length - remaining.length;
}
