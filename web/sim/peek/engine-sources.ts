/**
 * What the engine itself leaves to chance, besides rules.
 * Owns: for each such source its key, its system, and within one tick what its draws depend on and what they change.
 * Names are those of `shared/verbs/touches.ts`. Nothing that a source does may change whether its own later draws are reached.
 */

import { BaseStats } from '../../../shared/components/base-stats.ts';
import { Color } from '../../../shared/components/color.ts';
import { Combat } from '../../../shared/components/combat.ts';
import { Effects } from '../../../shared/components/effects.ts';
import { GlobalTransform } from '../../../shared/components/global-transform.ts';
import { Equipment } from '../../../shared/components/inventory.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Loot } from '../../../shared/components/loot.ts';
import { Mesh } from '../../../shared/components/mesh.ts';
import { Modifiers } from '../../../shared/components/modifiers.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { Projectile } from '../../../shared/components/projectile.ts';
import { Spread } from '../../../shared/components/spread.ts';
import { Tags } from '../../../shared/components/tags.ts';
import { VisibleTo } from '../../../shared/components/visible-to.ts';
import { ZoneEffect } from '../../../shared/components/zone-effect.ts';
import type { Component } from '../../../shared/contract/component.ts';
import { ANYTHING } from '../../../shared/verbs/touches.ts';
import { CRIT } from '../combat/critical-hit.ts';
import { SPREAD } from '../combat/spread-projectiles.system.ts';
import type { Source } from '../core/chance.ts';
import { componentsOf, count, each, has, read, versionOf, type World } from '../core/world.ts';
import { LOOT } from '../loot/drop-loot.system.ts';
import { parentOf } from '../transform/hierarchy.ts';

/** Whatever decides who strikes whom on this tick: only what appears or is given another place or side changes it. */
const FIGHTS = 'fights';

export interface EngineSource {
	readonly source: Source;
	/** System of the schedule in which it draws. */
	readonly system: string;
	/** Rises when `depends` or `writes` may have become another. */
	version(world: World): number;
	/** What decides whether it is asked; null when it cannot be asked on the coming tick. */
	reads(world: World): readonly string[] | null;
	/** What its outcomes change that something later in the tick may look at. */
	writes(world: World): readonly string[];
}

/** Whoever has one of these, or walks into one, may be given a chance by it, on the coming tick at the latest. */
const CHANGING = [Modifiers, BaseStats, Equipment, ZoneEffect] as readonly Component[];

const crit: EngineSource = {
	source: CRIT,
	system: 'auto-combat',
	version: (world) =>
		CHANGING.reduce(
			(sum, component) => sum + versionOf(world, component),
			versionOf(world, Combat, 'crit') + versionOf(world, Effects, 'list') + versionOf(world, Loot, 'table'),
		),
	reads: (world) => (mayCrit(world) ? [FIGHTS] : null),
	// The blow itself lands on the next tick; until then only its event, or what was shot, is there to see.
	writes: () => ['event:damage', 'projectile'],
};

/** Whether some fighter can be left to chance: also one that only this tick brings, or gives its chance. */
function mayCrit(world: World): boolean {
	if (leavesSomebody(world)) return true;
	if (count(world, Combat) === 0) return false;
	if (CHANGING.some((component) => count(world, component) > 0)) return true;
	const declared = read(world, Combat, 'crit');
	const effects = read(world, Effects, 'list');
	let found = false;
	each(world, [Combat], (slot) => {
		found ||= declared[slot] != null;
	});
	// Effects that crowd control kept from working have left no modifiers, and work again when it ends.
	each(world, [Combat, Effects], (slot) => {
		found ||= effects[slot]!.some(({ modifiers }) => modifiers.length > 0);
	});
	return found;
}

/** Whether somebody may appear where somebody dies. */
function leavesSomebody(world: World): boolean {
	const tables = read(world, Loot, 'table');
	let found = false;
	each(world, [Loot], (slot) => {
		found ||= tables[slot]!.some(({ spawn }) => spawn != null);
	});
	return found;
}

const loot: EngineSource = {
	source: LOOT,
	system: 'drop-loot',
	version: (world) => versionOf(world, Loot, 'table'),
	reads: (world) => (count(world, Loot) === 0 ? null : ['event:death', 'entities', 'loot']),
	writes: (world) => {
		const tables = read(world, Loot, 'table');
		const writes = new Set<string>();
		each(world, [Loot], (slot) => {
			for (const { gold, item, spawn } of tables[slot]!) {
				if (gold != null) writes.add('gold');
				if (item != null) writes.add('inventory');
				// What appears is at once a target, gets into triggers and is hit by projectiles.
				if (spawn != null) writes.add(ANYTHING);
			}
		});
		return [...writes];
	},
};

const spread: EngineSource = {
	source: SPREAD,
	system: 'spread-projectiles',
	version: (world) => (count(world, Spread) === 0 ? 0 : world.version),
	reads: (world) =>
		count(world, Spread) === 0 ? null : ['entities', 'spread', 'projectile', 'local_transform'],
	// It decides who is hit, where the projectile is or that it is gone, and where those run who chase it.
	writes: (world) =>
		mereShots(world) ? ['event:damage', 'entities', 'projectile', 'local_transform', 'velocity'] : [ANYTHING],
};

const SHOT: ReadonlySet<Component> = new Set<Component>([
	LocalTransform,
	GlobalTransform,
	Projectile,
	Spread,
	Mesh,
	Color,
	Tags,
	VisibleTo,
] as readonly Component[]);

/** Whether nothing that chance sends somewhere is anything else, such as somebody's target, or carries something. */
function mereShots(world: World): boolean {
	let mere = true;
	each(world, [Spread], (slot) => {
		mere &&= componentsOf(world, slot).every((component) => SHOT.has(component));
	});
	// When it is gone, what hung on it is somewhere else at once.
	each(world, [Parent], (slot) => {
		const parent = parentOf(world, slot);
		mere &&= parent === null || !has(world, parent.id, Spread);
	});
	return mere;
}

/** All of them: each system of the schedule with `chance: true`, besides the one of rules, has its line. */
export const ENGINE_SOURCES: readonly EngineSource[] = [loot, spread, crit];
