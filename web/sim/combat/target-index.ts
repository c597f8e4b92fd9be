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
import { crowdControlsOf } from '../crowd-control/crowd-control.ts';
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

/** Sets of roles by the role of the attacker. Earlier sets are attacked first. Roles are indexes of `ROLES`. */
type Priorities = readonly (readonly (readonly number[])[])[];

const prioritiesByTuning = new WeakMap<object, Priorities>();

function prioritiesOf(world: World): Priorities {
	const { target_priority } = tuning(world).combat;
	const priorities = prioritiesByTuning.get(target_priority) ?? rankRoles(target_priority);
	prioritiesByTuning.set(target_priority, priorities);
	return priorities;
}

function rankRoles(target_priority: TuningDocument['combat']['target_priority']): Priorities {
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
 * Everything that can be attacked on this tick: by the role of the attacker, the trees of each set of roles. Earlier sets
 * are attacked first. Sets without trees are omitted.
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
	return crowdControlsOf(world, slot).some(
		({ kind, fade_until = 0 }) => kind === 'Invisibility' && fade_until <= world.tick,
	);
}

const inSlotOrder = (lists: readonly (readonly number[])[]): number[] => lists.flat().sort((a, b) => a - b);

/** Sorts all living, visible entities with a team and health. `positions`: x, y, z by slot. */
export function indexTargets(world: World, positions: Float32Array): TargetIndex {
	const dead = presence(world, Dead);
	const roles = presence(world, Role);
	const role = read(world, Role, 'role');
	const team = read(world, Team, 'team');
	const canHide = count(world, CrowdControl) > 0;
	const areHeroes = count(world, Role) === 0 && count(world, Building) === 0;
	const lists = ROLES.map((): number[][] => []);
	const listByKey: (number[] | undefined)[] = new Array(ROLES.length * TEAM_COUNT).fill(undefined);
	const teams = new Set<number>();
	each(world, [Team, Health, LocalTransform], (slot) => {
		if (hasBit(dead, slot) || (canHide && isInvisible(world, slot))) return;
		const roleIndex = areHeroes ? HERO : roleAt(world, slot, roles, role);
		const key = roleIndex * TEAM_COUNT + team[slot]!;
		const list = listByKey[key];
		if (list !== undefined) list.push(slot);
		else {
			listByKey[key] = [slot];
			lists[roleIndex]!.push(listByKey[key]);
			teams.add(team[slot]!);
		}
	});
	const trees = lists.map((ofRole) => {
		const split = teams.size <= MAX_SPLIT_TEAMS || ofRole.length === 0 ? ofRole : [inSlotOrder(ofRole)];
		return split.map((list) => buildTree(list, positions, team));
	});
	return prioritiesOf(world).map((sets) =>
		sets
			.map((roleSet) => roleSet.flatMap((roleIndex) => trees[roleIndex]!))
			.filter(({ length }) => length > 0),
	);
}

/** Result of the current search, reused by all searches. */
const nearest: NearestTarget = { slot: STRICTLY_NEARER, square: 0, visitedNodes: 0 };
/** Cost of visiting a node, in reads of an entity. It includes halving the node. */
const SEARCHED_PER_NODE = 4;

/** Maximum number of trees of an index. Each of the four roles has one tree for each team, or one for all teams. */
const MAX_TREES = 4 * MAX_SPLIT_TEAMS;

/** Returns the maximum search cost of choosing among a number of targets. */
export const maxChoiceCost = (targets: number): number => SEARCHED_PER_NODE * (MAX_TREES + maxNodes(targets));

/**
 * Returns the preferred target within `reach` (m), or -1: first by role, then the nearest, then the lowest slot.
 * `inclusive`: true if a target exactly at `reach` counts.
 */
export function chooseTarget(
	world: World,
	index: TargetIndex,
	role: number,
	ownTeam: number,
	positions: Float32Array,
	slot: number,
	reach: number,
	inclusive: boolean,
): number {
	const none = inclusive ? NEARER_OR_EQUAL : STRICTLY_NEARER;
	const x = positions[slot * 3]!;
	const y = positions[slot * 3 + 1]!;
	const z = positions[slot * 3 + 2]!;
	for (const trees of index[role]!) {
		nearest.slot = none;
		nearest.square = reach * reach;
		for (const tree of trees) nearestEnemy(nearest, tree, x, y, z, ownTeam);
		if (nearest.visitedNodes > 0) spend(world, 'searched', SEARCHED_PER_NODE * nearest.visitedNodes);
		nearest.visitedNodes = 0;
		if (nearest.slot !== none) return nearest.slot;
	}
	return -1;
}
