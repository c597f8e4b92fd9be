/**
 * What the engine itself leaves to chance, besides rules.
 * Owns: for each such source its key, its system, and within one tick what its draws depend on and what they change.
 * Names are those of footprint.ts. Nothing that a source does may change whether its own later draws are reached.
 */

import { Combat } from '../../../shared/components/combat.ts';
import { Loot } from '../../../shared/components/loot.ts';
import { Modifiers } from '../../../shared/components/modifiers.ts';
import { CRIT } from '../combat/critical-hit.ts';
import { LOOT } from '../combat/drop-loot.system.ts';
import type { Source } from '../core/chance.ts';
import { count, each, read, versionOf, type World } from '../core/world.ts';

/** Written instead of many names: anything but which rules there are. */
export const ANYTHING = '*';

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

const FIGHTING = [
	'combat',
	'combat_state',
	'crowd_control',
	'dead',
	'health',
	'local_transform',
	'modifiers',
	'player',
	'role',
	'team',
];

const crit: EngineSource = {
	source: CRIT,
	system: 'auto-combat',
	version: (world) => versionOf(world, Combat, 'crit') + versionOf(world, Modifiers),
	reads: (world) =>
		mayCrit(world) ? ['entities', ...FIGHTING.map((component) => `field:${component}`)] : null,
	// The blow itself lands on the next tick; until then only its event is there to see.
	writes: () => ['event:damage'],
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

/** All of them: each system of the schedule with `chance: true`, besides the one of rules, has its line. */
export const ENGINE_SOURCES: readonly EngineSource[] = [loot, crit];
