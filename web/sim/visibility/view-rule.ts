/**
 * Meaning of an observer's rules: always, same-team, within:R, tag:NAME, zone:ID, not:RULE.
 * Owns: which entities such a rule lets an observer see.
 */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Tags } from '../../../shared/components/tags.ts';
import { Team } from '../../../shared/components/team.ts';
import { TriggerZone } from '../../../shared/components/trigger-zone.ts';
import type { ViewRule } from '../../../shared/components/view-filter.ts';
import { get, has, read, type World } from '../core/world.ts';

/** Returns true if a rule lets an observer see another entity. `positions`: by slot. */
export function allows(
	world: World,
	rule: ViewRule,
	observer: number,
	slot: number,
	positions: { readonly [index: number]: number },
): boolean {
	switch (rule.kind) {
		case 'always':
			return true;
		case 'same-team': {
			if (!has(world, observer, Team) || !has(world, slot, Team)) return false;
			const team = read(world, Team, 'team');
			return team[observer] === team[slot];
		}
		case 'within': {
			// An entity without a pose has no position, whatever its column contains.
			if (!has(world, observer, LocalTransform)) return false;
			const dx = positions[observer * 3]! - positions[slot * 3]!;
			const dy = positions[observer * 3 + 1]! - positions[slot * 3 + 1]!;
			const dz = positions[observer * 3 + 2]! - positions[slot * 3 + 2]!;
			return dx * dx + dy * dy + dz * dz <= rule.radius * rule.radius;
		}
		case 'tag':
			return has(world, slot, Tags) && read(world, Tags, 'tags')[slot]!.includes(rule.tag);
		case 'zone':
			return isInsideZone(world, rule.zone, slot, positions);
		case 'not':
			return !allows(world, rule.rule, observer, slot, positions);
	}
}

/** Returns true if an entity's origin is strictly inside the box of a trigger zone. */
function isInsideZone(
	world: World,
	zone: number,
	slot: number,
	positions: { readonly [index: number]: number },
): boolean {
	const half = get(world, zone, TriggerZone)?.half;
	if (half === undefined || !has(world, zone, LocalTransform)) return false;
	return half.every((extent, i) => Math.abs(positions[slot * 3 + i]! - positions[zone * 3 + i]!) < extent);
}
