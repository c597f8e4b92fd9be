/**
 * Entities that can be attacked, sorted so that a fighter finds its next target quickly.
 * Owns: the trees by role and team, and the order in which they are searched.
 */

import { Building } from '../../../shared/components/building.ts';
import { CrowdControl } from '../../../shared/components/crowd-control.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { ROLES, Role } from '../../../shared/components/role.ts';
import { Team } from '../../../shared/components/team.ts';
import type { TuningDocument } from '../../../shared/documents/tuning.ts';
import { buildingAt } from '../buildings/building-types.ts';
import { hasBit } from '../core/bits.ts';
import { spend } from '../core/tick-budget.ts';
import { count, each, presence, read, type World } from '../core/world.ts';
import { controls } from '../crowd-control/crowd-control.ts';
import { tuning } from '../tuning/tuning.ts';
import {
	buildTree,
	maxNodes,
	NEARER_OR_EQUAL,
	type NearestTarget,
	nearestEnemy,
	STRICTLY_NEARER,
	type TargetTree,
} from './target-tree.ts';

/** Roles as numbers, in the order of the words of the component. */
export const HERO = ROLES.indexOf('Hero');
export const TOWER = ROLES.indexOf('Tower');

/** Sets of roles, those attacked first before the others, by the attacker's role; roles as in the words of the component. */
type Priorities = readonly (readonly (readonly number[])[])[];

const prioritiesByTuning = new WeakMap<object, Priorities>();

function prioritiesOf(world: World): Priorities {
	const { target_priority } = tuning(world).combat;
	const priorities = prioritiesByTuning.get(target_priority) ?? sorted(target_priority);
	prioritiesByTuning.set(target_priority, priorities);
	return priorities;
}

function sorted(target_priority: TuningDocument['combat']['target_priority']): Priorities {
	return ROLES.map((attacker) => {
		const rank = target_priority[attacker];
		const ranks = [...new Set(Object.values(rank))].filter((value) => value !== null);
		return ranks
			.sort((a, b) => a - b)
			.map((value) => ROLES.flatMap((role, i) => (rank[role] === value ? [i] : [])));
	});
}

/** With more teams than this, one tree holds all teams of a role: many trees are slower than a mixed one. */
const MAX_SPLIT_TEAMS = 4;
/** Numbers that a team can have. */
const TEAM_COUNT = 256;

/**
 * Everything that can be attacked on this tick, by the attacker's role: the trees of each set of roles, those attacked
 * first before the others. Sets without any are left out.
 */
export type TargetIndex = readonly (readonly (readonly TargetTree[])[])[];

/** Returns the role of an entity: its own, its building's, or hero. */
export function roleAt(world: World, slot: number, roles: Uint32Array, role: ArrayLike<number>): number {
	if (hasBit(roles, slot)) return role[slot]!;
	const building = count(world, Building) === 0 ? undefined : buildingAt(world, slot);
	return building === undefined ? HERO : ROLES.indexOf(building.role);
}

/** Returns true if an entity is invisible by now, so that it cannot be chosen. */
export function isInvisible(world: World, slot: number): boolean {
	return controls(world, slot).some(
		({ kind, fade_until = 0 }) => kind === 'Invisibility' && fade_until <= world.tick,
	);
}

const inSlotOrder = (lists: readonly (readonly number[])[]): number[] => lists.flat().sort((a, b) => a - b);

/** Sorts all that live, have a team and health, and can be seen; `at` says where they are. */
export function indexTargets(world: World, at: Float32Array): TargetIndex {
	const dead = presence(world, Dead);
	const roles = presence(world, Role);
	const role = read(world, Role, 'role');
	const team = read(world, Team, 'team');
	const hides = count(world, CrowdControl) > 0;
	const areHeroes = count(world, Role) === 0 && count(world, Building) === 0;
	const lists = ROLES.map((): number[][] => []);
	const known: (number[] | undefined)[] = new Array(ROLES.length * TEAM_COUNT).fill(undefined);
	const teams = new Set<number>();
	each(world, [Team, Health, LocalTransform], (slot) => {
		if (hasBit(dead, slot) || (hides && isInvisible(world, slot))) return;
		const own = areHeroes ? HERO : roleAt(world, slot, roles, role);
		const key = own * TEAM_COUNT + team[slot]!;
		const list = known[key];
		if (list !== undefined) list.push(slot);
		else {
			known[key] = [slot];
			lists[own]!.push(known[key]);
			teams.add(team[slot]!);
		}
	});
	const trees = lists.map((ofRole) => {
		const split = teams.size <= MAX_SPLIT_TEAMS || ofRole.length === 0 ? ofRole : [inSlotOrder(ofRole)];
		return split.map((list) => buildTree(list, at, team));
	});
	return prioritiesOf(world).map((sets) =>
		sets.map((wanted) => wanted.flatMap((one) => trees[one]!)).filter(({ length }) => length > 0),
	);
}

const found: NearestTarget = { slot: STRICTLY_NEARER, square: 0, visitedNodes: 0 };
/** A node of a tree has as many as it takes to be halved. */
const SEARCHED_PER_NODE = 4;

/** Trees of an index at most: for each role, one for each team or one for all. */
const MAX_TREES = 4 * MAX_SPLIT_TEAMS;

/** Returns the maximum search cost of choosing among a number of targets. */
export const maxChoiceCost = (targets: number): number => SEARCHED_PER_NODE * (MAX_TREES + maxNodes(targets));

/**
 * Returns the target an attacker prefers within `reach` (m; itself included when `inclusive`): by role first, then
 * the nearest, then the lowest slot. -1 when there is none.
 */
export function chooseTarget(
	world: World,
	index: TargetIndex,
	role: number,
	ownTeam: number,
	at: Float32Array,
	slot: number,
	reach: number,
	inclusive: boolean,
): number {
	const none = inclusive ? NEARER_OR_EQUAL : STRICTLY_NEARER;
	const x = at[slot * 3]!;
	const y = at[slot * 3 + 1]!;
	const z = at[slot * 3 + 2]!;
	for (const trees of index[role]!) {
		found.slot = none;
		found.square = reach * reach;
		for (const tree of trees) nearestEnemy(found, tree, x, y, z, ownTeam);
		if (found.visitedNodes > 0) spend(world, 'searched', SEARCHED_PER_NODE * found.visitedNodes);
		found.visitedNodes = 0;
		if (found.slot !== none) return found.slot;
	}
	return -1;
}
