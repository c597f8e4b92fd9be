/**
 * What the engine itself leaves to chance, besides rules.
 * Owns: for each such source its key, its system, and within one tick what its draws depend on and what they change.
 * Names are those of footprint.ts. Nothing that a source does may change whether its own later draws are reached.
 */

import { Color } from '../../../shared/components/color.ts';
import { Combat } from '../../../shared/components/combat.ts';
import { GlobalTransform } from '../../../shared/components/global-transform.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Loot } from '../../../shared/components/loot.ts';
import { Mesh } from '../../../shared/components/mesh.ts';
import { Modifiers } from '../../../shared/components/modifiers.ts';
import { Projectile } from '../../../shared/components/projectile.ts';
import { Spread } from '../../../shared/components/spread.ts';
import { Tags } from '../../../shared/components/tags.ts';
import { VisibleTo } from '../../../shared/components/visible-to.ts';
import type { Component } from '../../../shared/contract/component.ts';
import { CRIT } from '../combat/critical-hit.ts';
import { LOOT } from '../combat/drop-loot.system.ts';
import { SPREAD } from '../combat/spread-projectiles.system.ts';
import type { Source } from '../core/chance.ts';
import { componentsOf, count, each, read, versionOf, type World } from '../core/world.ts';

/** Written instead of many names: anything but which rules there are. */
export const ANYTHING = '*';

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

const crit: EngineSource = {
	source: CRIT,
	system: 'auto-combat',
	version: (world) => versionOf(world, Combat, 'crit') + versionOf(world, Modifiers),
	reads: (world) => (mayCrit(world) ? [FIGHTS] : null),
	// The blow itself lands on the next tick; until then only its event, or what was shot, is there to see.
	writes: () => ['event:damage', 'field:projectile'],
};

function mayCrit(world: World): boolean {
	if (count(world, Combat) === 0) return false;
	if (count(world, Modifiers) > 0) return true;
	const declared = read(world, Combat, 'crit');
	let found = false;
	each(world, [Combat], (slot) => {
		found ||= declared[slot] != null;
	});
	return found;
}

const loot: EngineSource = {
	source: LOOT,
	system: 'drop-loot',
	version: (world) => versionOf(world, Loot, 'table'),
	reads: (world) => (count(world, Loot) === 0 ? null : ['event:death', 'entities', 'field:loot']),
	writes: (world) => {
		const tables = read(world, Loot, 'table');
		const writes = new Set<string>();
		each(world, [Loot], (slot) => {
			for (const { gold, item, spawn } of tables[slot]!) {
				if (gold != null) writes.add('field:gold');
				if (item != null) writes.add('field:inventory');
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
		count(world, Spread) === 0
			? null
			: ['entities', 'field:spread', 'field:projectile', 'field:local_transform'],
	// It decides who is hit, where the projectile is or that it is gone, and where those run who chase it.
	writes: (world) =>
		mereShots(world)
			? [
					'event:damage',
					'entities',
					...['projectile', 'local_transform', 'velocity'].map((name) => `field:${name}`),
				]
			: [ANYTHING],
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

/** Whether nothing that chance sends somewhere is anything else, such as somebody's target. */
function mereShots(world: World): boolean {
	let mere = true;
	each(world, [Spread], (slot) => {
		mere &&= componentsOf(world, slot).every((component) => SHOT.has(component));
	});
	return mere;
}

/** All of them: each system of the schedule with `chance: true`, besides the one of rules, has its line. */
export const ENGINE_SOURCES: readonly EngineSource[] = [loot, spread, crit];
