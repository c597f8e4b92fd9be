/**
 * Index of entities that can be attacked, in which a fighter finds its next target quickly.
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

/** For each role of an attacker, sets of target roles from the highest to the lowest priority. Roles are numbers. */
type Priorities = readonly (readonly (readonly number[])[])[];

const prioritiesByTuning = new WeakMap<object, Priorities>();

function prioritiesOf(world: World): Priorities {
	const { target_priority } = tuning(world).combat;
	const priorities = prioritiesByTuning.get(target_priority) ?? sortPriorities(target_priority);
	prioritiesByTuning.set(target_priority, priorities);
	return priorities;
}

function sortPriorities(target_priority: TuningDocument['combat']['target_priority']): Priorities {
	return ROLES.map((attacker) => {
		const rank = target_priority[attacker];
		const ranks = [...new Set(Object.values(rank))].filter((value) => value !== null);
		return ranks
			.sort((a, b) => a - b)
			.map((value) => ROLES.flatMap((role, i) => (rank[role] === value ? [i] : [])));
	});
}

/** With more teams, one tree contains all teams of a role, because many trees are slower than a mixed one. */
const MAX_SPLIT_TEAMS = 4;
/** Number of possible team numbers. */
const TEAM_COUNT = 256;

/**
 * Trees of the entities that can be attacked on this tick. For each role of an attacker, it has one list of trees for each
 * set of target roles, from the highest to the lowest priority. Empty sets are omitted.
 */
export type TargetIndex = readonly (readonly (readonly TargetTree[])[])[];

/** Returns the role of an entity: its own, its building's, or hero. */
export function roleAt(world: World, slot: number, roles: Uint32Array, role: ArrayLike<number>): number {
	if (hasBit(roles, slot)) return role[slot]!;
	const building = count(world, Building) === 0 ? undefined : buildingAt(world, slot);
	return building === undefined ? HERO : ROLES.indexOf(building.role);
}

/** Returns true if an entity is already invisible, so that it cannot be chosen. */
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
	const known: (number[] | undefined)[] = new Array(ROLES.length * TEAMS).fill(undefined);
	const teams = new Set<number>();
	each(world, [Team, Health, LocalTransform], (slot) => {
		if (hasBit(dead, slot) || (hides && isUnseen(world, slot))) return;
		const own = areHeroes ? HERO : roleAt(world, slot, roles, role);
		const key = own * TEAMS + team[slot]!;
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
		sets.map((roleSet) => roleSet.flatMap((role) => trees[role]!)).filter(({ length }) => length > 0),
	);
}

const nearestSoFar: NearestTarget = { slot: STRICTLY_NEARER, square: 0, visitedNodes: 0 };
/** Number of searched entities that a visited node of a tree counts as. */
const SEARCHED_PER_NODE = 4;

/** Maximum number of trees of an index: one for each role and team, or one for each role. */
const MAX_TREES = 4 * MAX_SPLIT_TEAMS;

/** Returns the maximum search cost of choosing among a number of targets. */
export const maxChoiceCost = (targets: number): number => SEARCHED_PER_NODE * (MAX_TREES + maxNodes(targets));

/**
 * Returns the preferred target of an attacker within `reach` (m), or -1. It prefers by role, then by distance, then by the
 * lowest slot. With `inclusive`, a target at exactly `reach` counts too.
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
		nearestSoFar.slot = none;
		nearestSoFar.square = reach * reach;
		for (const tree of trees) nearestEnemy(nearestSoFar, tree, x, y, z, ownTeam);
		if (nearestSoFar.visitedNodes > 0)
			spend(world, 'searched', SEARCHED_PER_NODE * nearestSoFar.visitedNodes);
		nearestSoFar.visitedNodes = 0;
		if (nearestSoFar.slot !== none) return nearestSoFar.slot;
	}
	return -1;
}
