/**
 * What an observer's rules mean: always, same-team, within:R, tag:NAME, zone:ID, not:RULE.
 * Owns: reading such a rule, and whether it lets an observer see an entity.
 */

import { Tags } from '../../../shared/components/tags.ts';
import { Team } from '../../../shared/components/team.ts';
import { TriggerZone } from '../../../shared/components/trigger-zone.ts';
import { get, has, read, type World } from '../core/world.ts';

export type ViewRule =
	| { readonly kind: 'always' }
	| { readonly kind: 'same-team' }
	| { readonly kind: 'within'; readonly radius: number }
	| { readonly kind: 'tag'; readonly tag: string }
	| { readonly kind: 'zone'; readonly zone: number }
	| { readonly kind: 'not'; readonly rule: ViewRule };

const MAX_DEPTH = 20;

/** Reads a rule; null when it is none. */
export function parseViewRule(text: string, depth = 0): ViewRule | null {
	const [word = '', ...rest] = text.trim().split(':');
	const kind = word.trim().toLowerCase();
	const given = rest.join(':').trim();
	if (rest.length === 0) return kind === 'always' || kind === 'same-team' ? { kind } : null;
	if (given === '' || depth > MAX_DEPTH) return null;
	switch (kind) {
		case 'within': {
			const radius = /^\d+(\.\d+)?(e\d{1,2})?$/i.test(given) ? Number(given) : Number.NaN;
			return radius <= 1e9 ? { kind, radius } : null;
		}
		case 'tag':
			return { kind, tag: given };
		case 'zone':
			return /^\d{1,10}$/.test(given) ? { kind, zone: Number(given) } : null;
		case 'not': {
			const rule = parseViewRule(given, depth + 1);
			return rule === null ? null : { kind, rule };
		}
	}
	return null;
}

/** Whether a rule lets an observer see another entity. `at` holds the positions by slot. */
export function allows(
	world: World,
	rule: ViewRule,
	observer: number,
	slot: number,
	at: { readonly [index: number]: number },
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
			const dx = at[observer * 3]! - at[slot * 3]!;
			const dy = at[observer * 3 + 1]! - at[slot * 3 + 1]!;
			const dz = at[observer * 3 + 2]! - at[slot * 3 + 2]!;
			return dx * dx + dy * dy + dz * dz <= rule.radius * rule.radius;
		}
		case 'tag':
			return has(world, slot, Tags) && read(world, Tags, 'tags')[slot]!.includes(rule.tag);
		case 'zone':
			return insideZone(world, rule.zone, slot, at);
		case 'not':
			return !allows(world, rule.rule, observer, slot, at);
	}
}

/** Whether an entity's origin is strictly inside the box of a trigger zone. */
function insideZone(
	world: World,
	zone: number,
	slot: number,
	at: { readonly [index: number]: number },
): boolean {
	const half = get(world, zone, TriggerZone)?.half;
	if (half === undefined) return false;
	return half.every((extent, i) => Math.abs(at[slot * 3 + i]! - at[zone * 3 + i]!) < extent);
}
