/**
 * Whether a condition holds of a world, and what was found.
 * Owns: what each condition means. Reads only.
 */

import { Dead } from '../../../shared/components/dead.ts';
import { GlobalTransform } from '../../../shared/components/global-transform.ts';
import { Health } from '../../../shared/components/health.ts';
import { Mesh } from '../../../shared/components/mesh.ts';
import { SpawnPoint } from '../../../shared/components/spawn-point.ts';
import { Team } from '../../../shared/components/team.ts';
import { each, has, read, type World } from '../core/world.ts';
import { eachMatch, type Filter, filterText } from '../filters/filter.ts';
import { phaseOf } from '../summary/summarize.ts';
import type { Condition } from './condition.ts';
import { measure, placeOf } from './measure.ts';

export interface Finding {
	readonly passed: boolean;
	/** What was found, for people; entities are written E<id>. */
	readonly message: string;
}

type CheckOf<T extends Condition['type']> = Extract<Condition, { type: T }>;

const SHOWN = 10;

/** Ids as `E1, E2 and 3 more`. */
function listed(ids: readonly number[]): string {
	const shown = ids.slice(0, SHOWN).map((id) => `E${id}`);
	const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : '';
	return `${shown.join(', ')}${more}`;
}

function matching(world: World, filter: Filter): number[] {
	const ids: number[] = [];
	eachMatch(world, filter, [], (id) => ids.push(id));
	return ids;
}

const COMPARE = {
	greater: (a: number, b: number) => a > b,
	greater_equal: (a: number, b: number) => a >= b,
	less: (a: number, b: number) => a < b,
	less_equal: (a: number, b: number) => a <= b,
	equal: (a: number, b: number) => a === b,
	not_equal: (a: number, b: number) => a !== b,
} as const;

const SIGNS = {
	greater: '>',
	greater_equal: '>=',
	less: '<',
	less_equal: '<=',
	equal: '==',
	not_equal: '!=',
} as const;

/** Evaluates a condition. */
export function evaluate(world: World, condition: Condition): Finding {
	switch (condition.type) {
		case 'entity_exists': {
			const ids = matching(world, condition.filter);
			const what = filterText(condition.filter);
			return ids.length > 0
				? { passed: true, message: `${ids.length} entities match ${what}.` }
				: { passed: false, message: `No entity matches ${what}.` };
		}
		case 'entity_count':
			return countEntities(world, condition);
		case 'field_check':
			return checkField(world, condition);
		case 'all_teams_have_spawn_points':
			return checkSpawnPoints(world);
		case 'no_overlap':
			return checkOverlap(world, condition);
		case 'none_are_dead': {
			const dead = matching(world, condition.filter).filter((id) => has(world, id, Dead));
			return dead.length === 0
				? { passed: true, message: `None of ${filterText(condition.filter)} is dead.` }
				: { passed: false, message: `${dead.length} are dead: ${listed(dead)}.` };
		}
		case 'no_zero_health_alive': {
			const ids: number[] = [];
			const current = read(world, Health, 'current');
			each(world, [Health], (id) => {
				if (current[id]! <= 0 && !has(world, id, Dead)) ids.push(id);
			});
			return ids.length === 0
				? { passed: true, message: 'Nobody lives without health.' }
				: { passed: false, message: `${ids.length} have no health and are not dead: ${listed(ids)}.` };
		}
		case 'all_renderable_have_transform': {
			const ids: number[] = [];
			each(world, [Mesh], (id) => {
				if (!has(world, id, GlobalTransform)) ids.push(id);
			});
			return ids.length === 0
				? { passed: true, message: 'Everything with a mesh has a transform.' }
				: { passed: false, message: `${ids.length} have a mesh and no transform: ${listed(ids)}.` };
		}
		case 'game_phase': {
			const phase = phaseOf(world);
			if (phase === null) return { passed: false, message: 'There is no match.' };
			return {
				passed: phase === condition.phase,
				message: `The match is in phase ${phase}${phase === condition.phase ? '' : `, expected ${condition.phase}`}.`,
			};
		}
		case 'entity_budget': {
			const { count } = world.entities;
			return {
				passed: count <= condition.max,
				message: `${count} entities live, at most ${condition.max} are allowed.`,
			};
		}
	}
}

function countEntities(world: World, { filter, min, max }: CheckOf<'entity_count'>): Finding {
	const { length } = matching(world, filter);
	const passed = length >= (min ?? 0) && length <= (max ?? Number.POSITIVE_INFINITY);
	const range =
		min == null && max == null
			? 'any number'
			: min == null
				? `at most ${max}`
				: max == null
					? `at least ${min}`
					: `${min} to ${max}`;
	return { passed, message: `${length} entities match ${filterText(filter)}, expected ${range}.` };
}

function checkField(world: World, { filter, field, op, value }: CheckOf<'field_check'>): Finding {
	const numberOf = measure(field);
	const failing: number[] = [];
	let checked = 0;
	let example: number | undefined;
	for (const id of matching(world, filter)) {
		const found = numberOf(world, id);
		if (found === undefined) continue;
		checked++;
		if (COMPARE[op](found, value)) continue;
		failing.push(id);
		example ??= found;
	}
	const claim = `${field} ${SIGNS[op]} ${value}`;
	if (checked === 0)
		return { passed: true, message: `No entity that matches ${filterText(filter)} has ${field}.` };
	return failing.length === 0
		? { passed: true, message: `${claim} holds for all ${checked} checked.` }
		: {
				passed: false,
				message: `${claim} fails for ${failing.length} of ${checked}: ${listed(failing)}; E${failing[0]} has ${example}.`,
			};
}

function checkSpawnPoints(world: World): Finding {
	const teams = new Set<number>();
	const served = new Set<number>();
	const team = read(world, Team, 'team');
	const point = read(world, SpawnPoint, 'team');
	each(world, [Team], (id) => teams.add(team[id]!));
	each(world, [SpawnPoint], (id) => served.add(point[id]!));
	const without = [...teams].filter((number) => !served.has(number)).sort((a, b) => a - b);
	return without.length === 0
		? { passed: true, message: `All ${teams.size} teams have a spawn point.` }
		: { passed: false, message: `Teams without a spawn point: ${without.join(', ')}.` };
}

/** Pairs closer than the distance, found with a grid whose cells are as wide as the distance. */
function checkOverlap(world: World, { filter, min_distance }: CheckOf<'no_overlap'>): Finding {
	const cells = new Map<string, { readonly id: number; readonly place: readonly number[] }[]>();
	const width = Math.max(min_distance, 1e-3);
	const cell = (at: number) => Math.floor(at / width);
	for (const id of matching(world, filter)) {
		const place = placeOf(world, id);
		if (place === undefined) continue;
		const [x, y, z] = [cell(place[0]), cell(place[1]), cell(place[2])];
		for (let i = x - 1; i <= x + 1; i++)
			for (let j = y - 1; j <= y + 1; j++)
				for (let k = z - 1; k <= z + 1; k++)
					for (const other of cells.get(`${i},${j},${k}`) ?? []) {
						const [dx, dy, dz] = place.map((part, axis) => part - other.place[axis]!);
						const distance = Math.sqrt(dx! * dx! + dy! * dy! + dz! * dz!);
						if (distance < min_distance)
							return {
								passed: false,
								message: `E${other.id} and E${id} are ${distance.toFixed(3)} m apart, expected at least ${min_distance}.`,
							};
					}
		const own = cells.get(`${x},${y},${z}`);
		if (own === undefined) cells.set(`${x},${y},${z}`, [{ id, place }]);
		else own.push({ id, place });
	}
	return { passed: true, message: `All are at least ${min_distance} m apart.` };
}
