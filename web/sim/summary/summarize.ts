/** A world in numbers: its teams, roles and match. Owns: how they are counted. */

import { Dead } from '../../../shared/components/dead.ts';
import { ROLES, Role } from '../../../shared/components/role.ts';
import { Team } from '../../../shared/components/team.ts';
import { count, each, has, read, type World } from '../core/world.ts';
import { elapsedSeconds, matchState } from '../match/match.ts';

export interface WorldSummary {
	readonly teams: readonly {
		readonly team: number;
		readonly entity_count: number;
		readonly heroes_alive: number;
		readonly towers_alive: number;
		/** Sum of the scores of its members, those that are gone among them. */
		readonly score: number;
	}[];
	readonly entity_counts_by_role: Readonly<Partial<Record<(typeof ROLES)[number], number>>>;
	/** Phase of the match, or none. */
	readonly game_phase: string;
	/** Seconds of the match, 0 without one. */
	readonly match_time: number;
	readonly total_dead: number;
}

/** Phase of the match, or null if there is none. */
export function phaseOf(world: World): string | null {
	return matchState(world)?.phase ?? null;
}

/** Counts a world. Teams ascend. */
export function summarize(world: World): WorldSummary {
	const match = matchState(world);
	const heroes = new Map<number, number>();
	const towers = new Map<number, number>();
	const members = new Map<number, number>();
	const scores = new Map<number, number>();
	const raise = (map: Map<number, number>, key: number, by = 1) => map.set(key, (map.get(key) ?? 0) + by);
	const team = read(world, Team, 'team');
	const role = read(world, Role, 'role');
	const roleAt = (id: number) => (has(world, id, Role) ? ROLES[role[id]!] : undefined);
	each(world, [Team], (id) => {
		raise(members, team[id]!);
		if (has(world, id, Dead)) return;
		if (roleAt(id) === 'Hero') raise(heroes, team[id]!);
		if (roleAt(id) === 'Tower') raise(towers, team[id]!);
	});
	for (const { team: scorers, points } of match?.scores ?? [])
		if (scorers !== null) raise(scores, scorers, points);
	const roles: Partial<Record<(typeof ROLES)[number], number>> = {};
	each(world, [Role], (id) => {
		const name = ROLES[role[id]!]!;
		roles[name] = (roles[name] ?? 0) + 1;
	});
	return {
		teams: [...new Set([...members.keys(), ...scores.keys()])]
			.sort((a, b) => a - b)
			.map((number) => ({
				team: number,
				entity_count: members.get(number) ?? 0,
				heroes_alive: heroes.get(number) ?? 0,
				towers_alive: towers.get(number) ?? 0,
				score: scores.get(number) ?? 0,
			})),
		entity_counts_by_role: roles,
		game_phase: phaseOf(world) ?? 'none',
		match_time: match === null ? 0 : elapsedSeconds(world, match),
		total_dead: count(world, Dead),
	};
}
