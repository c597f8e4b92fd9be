/** What crowd control forbids. Owns: which kinds forbid what. */

import { CrowdControl, type CrowdControlEntry } from '../../../shared/components/crowd-control.ts';
import { has, read, type World } from '../core/world.ts';

export type Deed = 'move' | 'attack' | 'cast' | 'use_items' | 'passive';

type Kind = CrowdControlEntry['kind'];

/** Kinds that forbid a deed. */
const FORBIDS: Readonly<Record<Deed, ReadonlySet<Kind>>> = {
	move: new Set<Kind>(['Stun', 'Root', 'Sleep']),
	attack: new Set<Kind>(['Stun', 'Hex', 'Disarm', 'Sleep']),
	cast: new Set<Kind>(['Stun', 'Hex', 'Silence', 'Sleep', 'Taunt']),
	use_items: new Set<Kind>(['Stun', 'Hex', 'Mute', 'Sleep', 'Taunt']),
	passive: new Set<Kind>(['Break']),
};

const NONE: readonly CrowdControlEntry[] = [];

/** What is in force on an entity now. */
export function controls(world: World, slot: number): readonly CrowdControlEntry[] {
	if (!has(world, slot, CrowdControl)) return NONE;
	return read(world, CrowdControl, 'entries')[slot]!.filter(({ until }) => world.tick < until);
}

/** Whether nothing keeps an entity from doing something. */
export function can(world: World, slot: number, deed: Deed): boolean {
	if (!has(world, slot, CrowdControl)) return true;
	return !controls(world, slot).some(({ kind }) => FORBIDS[deed].has(kind));
}

/** What is left of an entity's speed: 1 when nothing slows it, 0 when it cannot move. */
export function speedFactor(world: World, slot: number): number {
	if (!has(world, slot, CrowdControl)) return 1;
	if (!can(world, slot, 'move')) return 0;
	let factor = 1;
	for (const { kind, factor: lost = 0 } of controls(world, slot)) if (kind === 'Slow') factor *= 1 - lost;
	return factor;
}
