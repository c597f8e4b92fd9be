/**
 * Who can be attacked, sorted so that a fighter finds its next target quickly.
 * Owns: which role is attacked first by whom, and the grids by team and role.
 */

import { Building } from '../../../shared/components/building.ts';
import { CrowdControl } from '../../../shared/components/crowd-control.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { ROLES, Role } from '../../../shared/components/role.ts';
import { Team } from '../../../shared/components/team.ts';
import { buildingAt } from '../buildings/building-types.ts';
import { hasBit } from '../core/bits.ts';
import { count, each, presence, read, type World } from '../core/world.ts';
import { controls } from '../effects/crowd-control.ts';
import { AS_FAR, buildGrid, type Found, type Grid, NEARER, nearest } from '../space/grid.ts';

/** Roles as numbers, in the order of the words of the component. */
export const [HERO, MINION, TOWER, STRUCTURE] = [0, 1, 2, 3] as const;

/** By the attacker's role: sets of roles, those attacked first before the others. */
export const PRIORITIES: readonly (readonly (readonly number[])[])[] = [
	[[HERO], [MINION], [TOWER], [STRUCTURE]],
	[[MINION], [HERO], [TOWER], [STRUCTURE]],
	[[MINION], [HERO], [STRUCTURE], [TOWER]],
	[[HERO, MINION, TOWER, STRUCTURE]],
];

/** With more teams than this, one grid holds all teams of a role. */
const MAX_SPLIT_TEAMS = 8;
const EVERY_TEAM = -1;

interface Group {
	readonly team: number;
	readonly grid: Grid;
}

/** Everything that can be attacked on this tick. */
export interface TargetIndex {
	/** By role. */
	readonly groups: readonly (readonly Group[])[];
}

/** The role of an entity: its own, its building's, or hero. */
export function roleAt(world: World, slot: number, roles: Uint32Array, role: ArrayLike<number>): number {
	if (hasBit(roles, slot)) return role[slot]!;
	const building = count(world, Building) === 0 ? undefined : buildingAt(world, slot);
	return building === undefined ? HERO : ROLES.indexOf(building.role);
}

/** Whether an entity is invisible by now, so that nobody can choose it. */
export function isUnseen(world: World, slot: number): boolean {
	return controls(world, slot).some(
		({ kind, fade_until = 0 }) => kind === 'Invisibility' && fade_until <= world.tick,
	);
}

/** Sorts all that live, have a team and health, and can be seen. */
export function indexTargets(world: World, at: Float32Array): TargetIndex {
	const dead = presence(world, Dead);
	const roles = presence(world, Role);
	const role = read(world, Role, 'role');
	const team = read(world, Team, 'team');
	const hides = count(world, CrowdControl) > 0;
	const slots: number[] = [];
	const seenTeams = new Uint8Array(256);
	let teams = 0;
	each(world, [Team, Health, LocalTransform], (slot) => {
		if (hasBit(dead, slot) || (hides && isUnseen(world, slot))) return;
		slots.push(slot);
		if (seenTeams[team[slot]!] === 0) {
			seenTeams[team[slot]!] = 1;
			teams++;
		}
	});
	const split = teams <= MAX_SPLIT_TEAMS;
	const lists: Map<number, number[]>[] = [new Map(), new Map(), new Map(), new Map()];
	for (const slot of slots) {
		const lot = lists[roleAt(world, slot, roles, role)]!;
		const key = split ? team[slot]! : EVERY_TEAM;
		const list = lot.get(key);
		if (list === undefined) lot.set(key, [slot]);
		else list.push(slot);
	}
	const groups = lists.map((byTeam) =>
		[...byTeam].map(([key, list]) => ({ team: key, grid: buildGrid(list, list.length, at) })),
	);
	return { groups };
}

const found: Found = { slot: NEARER, square: 0 };

/**
 * The target an attacker prefers within `reach` (m; itself included when `inclusive`): by role first, then the
 * nearest, then the lowest slot. -1 when there is none.
 */
export function chooseTarget(
	{ groups }: TargetIndex,
	role: number,
	ownTeam: number,
	at: Float32Array,
	slot: number,
	reach: number,
	inclusive: boolean,
	team: { readonly [index: number]: number },
): number {
	const none = inclusive ? AS_FAR : NEARER;
	const [x, y, z] = [at[slot * 3]!, at[slot * 3 + 1]!, at[slot * 3 + 2]!];
	for (const roles of PRIORITIES[role]!) {
		found.slot = none;
		found.square = reach * reach;
		for (const wanted of roles) {
			for (const group of groups[wanted]!) {
				if (group.team === ownTeam) continue;
				const accepts = group.team === EVERY_TEAM ? (other: number) => team[other] !== ownTeam : null;
				nearest(group.grid, x, y, z, found, accepts);
			}
		}
		if (found.slot !== none) return found.slot;
	}
	return -1;
}
