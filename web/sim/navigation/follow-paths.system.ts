/**
 * System that finds paths for waiting entities, and moves entities along their paths while they avoid others.
 * Owns: the limit of searches per tick, and the end of a path. All decisions use the positions at the start of the system.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Path } from '../../../shared/components/path.ts';
import { Player } from '../../../shared/components/player.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { wordIndex } from '../../../shared/contract/component.ts';
import type { NavmeshSettings } from '../../../shared/documents/navmesh.ts';
import { PathEnded } from '../../../shared/events/path-ended.ts';
import { face, flatLength, paceOf, steer } from '../ai/walk.ts';
import { DT } from '../core/clock.ts';
import { handleOf } from '../core/entities.ts';
import { emit } from '../core/events.ts';
import type { Vector } from '../core/math/vector.ts';
import type { System } from '../core/system.ts';
import { spend } from '../core/tick-budget.ts';
import { maxWithComponent } from '../core/tick-maximum.ts';
import { add, count, each, has, read, type World, write } from '../core/world.ts';
import { colliderAt, halfExtent } from '../physics/geometry.ts';
import { buildGrid, eachIn, type PointGrid } from '../space/grid.ts';
import { parentOf } from '../transform/hierarchy.ts';
import { avoidOthers, LOOK_AHEAD_SECONDS, type Walker } from './avoid.ts';
import { keepOnMesh, maxStepCost, verticalVelocity } from './footing.ts';
import { maxCellsOnLine, walkLine } from './line.ts';
import { type NavMesh, placeAt } from './mesh.ts';
import { navigationOf } from './navigation.part.ts';
import { findPathBetween, halt, isKinematic, setVerticalVelocity } from './path.ts';
import { isStillWalkable, maxCellsAlong } from './search.ts';
import { maxLineCells, navmeshOf } from './settings.ts';

export const followPaths: System = {
	name: 'follow-paths',
	needs: [Path],
	access: {
		reads: ['navmesh'],
		queries: [
			{
				with: ['path'],
				reads: [
					'crowd_control',
					'dead',
					'local_transform.position',
					'local_transform.rotation',
					'modifiers',
					'parent',
					'path',
					'physics_body.kind',
					'velocity.linear',
				],
				writes: ['local_transform.rotation', 'path', 'velocity.linear'],
			},
			{
				with: ['velocity'],
				reads: [
					'collider',
					'dead',
					'local_transform.position',
					'parent',
					'path.lift',
					'path.radius',
					'path.state',
					'velocity.linear',
				],
			},
		],
		emits: ['path_ended'],
	},
	maximum(world, before) {
		if (count(world, Path) === 0 && count(world, Player) === 0) return {};
		// An input can create a path for a player.
		const walkers = maxWithComponent(world, Path, before) + count(world, Player);
		const line = maxLineCells(world);
		if (line === 0) return { sent: walkers };
		const others = maxWithComponent(world, Velocity, before) + count(world, Player);
		return {
			sent: walkers,
			searched:
				walkers * (2 * others + line + maxStepCost(world)) + line * maxPoints(world) + maxCheckCost(world),
		};
	},
	run: followAllPaths,
};

const WAITING = wordIndex(Path, 'state', 'waiting');
const WALKING = wordIndex(Path, 'state', 'walking');
const ARRIVED = wordIndex(Path, 'state', 'arrived');
const NO_WAY = wordIndex(Path, 'state', 'no_way');
/** Maximum number of places that searches visit per tick. A search that has begun is always completed. */
const MAX_VISITS_PER_TICK = 20_000;
/** Cost of testing a step to the next cell, in searched entities. */
const SEARCHED_PER_CELL = 4;
/** Distance from its goal within which an entity has arrived (m). */
const ARRIVAL_DISTANCE = 0.05;
/** Maximum number of other walkers that a walker avoids: the nearest ones. */
const MAX_OTHERS = 12;
/** Ticks between two tests that the next point is still in sight. An entity may have been pushed aside. */
const SIGHT_CHECK_TICKS = 8;
/** Share of its speed with which a walker moves to the right near others, so that two walkers that meet do not both wait. */
const RIGHT_SHARE = 0.08;

/** Returns the maximum number of points of all paths in the next tick. */
function maxPoints(world: World): number {
	const waypoints = read(world, Path, 'waypoints');
	let points = MAX_VISITS_PER_TICK;
	each(world, [Path], (slot) => {
		points += waypoints[slot]!.length;
	});
	return points;
}

/** Returns the maximum cost of testing existing paths on a changed mesh. */
function maxCheckCost(world: World): number {
	const { mesh } = navigationOf(world);
	if (mesh === null) return 0;
	const waypoints = read(world, Path, 'waypoints');
	const meshes = read(world, Path, 'mesh');
	let cells = 0;
	each(world, [Path], (slot) => {
		if (meshes[slot] !== mesh.hash) cells += maxCellsAlong(mesh, waypoints[slot]!);
	});
	return SEARCHED_PER_CELL * cells;
}

function followAllPaths(world: World): void {
	const mesh = navmeshOf(world) === null ? null : navigationOf(world).mesh;
	findPaths(world, mesh);
	if (mesh === null) return;
	const crowd = gatherCrowd(world, mesh.settings);
	each(world, [Path, LocalTransform, Velocity], (slot) => {
		if (read(world, Path, 'state')[slot] !== WALKING) return;
		if (has(world, slot, Dead) || parentOf(world, slot) !== null) halt(world, slot);
		else walkOneTick(world, mesh, crowd, slot);
	});
}

function pointOf(world: World, slot: number): Vector {
	const position = read(world, LocalTransform, 'position');
	return [position[slot * 3]!, position[slot * 3 + 1]!, position[slot * 3 + 2]!];
}

/** Finds paths for waiting entities in the order of their ids, and again for entities whose mesh has changed. */
function findPaths(world: World, mesh: NavMesh | null): void {
	let remaining = MAX_VISITS_PER_TICK;
	const nearestCache = new Map<string, number>();
	const states = read(world, Path, 'state');
	const meshes = read(world, Path, 'mesh');
	each(world, [Path, LocalTransform, Velocity], (slot) => {
		const state = states[slot]!;
		if (state === ARRIVED || has(world, slot, Dead)) return;
		if (mesh === null) {
			if (state !== NO_WAY) endPath(world, slot, 'no_way', 'The world has no navigation mesh.', 0);
			return;
		}
		const isSame = meshes[slot] === mesh.hash;
		if (state !== WAITING && isSame) return;
		const points = read(world, Path, 'waypoints')[slot]!;
		if (state === WALKING) spend(world, 'searched', SEARCHED_PER_CELL * maxCellsAlong(mesh, points));
		if (state === WALKING && isStillWalkable(mesh, points)) {
			write(world, Path, 'mesh')[slot] = mesh.hash;
			return;
		}
		if (remaining <= 0) {
			if (state === WALKING) halt(world, slot);
			return;
		}
		remaining -= findPathFor(world, mesh, slot, state === NO_WAY, nearestCache);
	});
}

/** Finds the path of an entity. Returns the number of visited places. */
function findPathFor(
	world: World,
	mesh: NavMesh,
	slot: number,
	isRetry: boolean,
	nearestCache: Map<string, number>,
): number {
	const goal = read(world, Path, 'goal');
	const from = pointOf(world, slot);
	const to = [goal[slot * 3]!, goal[slot * 3 + 1]!, goal[slot * 3 + 2]!] as const;
	const result = findPathBetween(mesh, from, to, read(world, Path, 'partial')[slot] === 1, nearestCache);
	if (result.path === null) {
		// If the entity had no path before, its event was already sent.
		if (isRetry) write(world, Path, 'mesh')[slot] = mesh.hash;
		else endPath(world, slot, 'no_way', result.reason, mesh.hash);
		return result.visits;
	}
	const { path, near } = result;
	const [firstPoint] = path.points;
	const { agent_height } = mesh.settings;
	add(world, slot, Path, {
		state: 'walking',
		near: near ? 1 : 0,
		next: 1,
		lift: isKinematic(world, slot)
			? Math.min(agent_height, Math.max(-agent_height, from[1] - firstPoint![1]))
			: 0,
		mesh: mesh.hash,
		waypoints: path.points.map(([x, y, z]) => [x + 0, y + 0, z + 0] as const),
	});
	return path.visits;
}

/** Ends a path, and sends the event. */
function endPath(
	world: World,
	slot: number,
	outcome: 'arrived' | 'near' | 'no_way',
	reason: string,
	meshHash: number,
): void {
	add(world, slot, Path, {
		state: outcome === 'no_way' ? 'no_way' : 'arrived',
		near: outcome === 'near' ? 1 : 0,
		next: 0,
		mesh: meshHash,
		waypoints: [],
	});
	halt(world, slot);
	emit(world, PathEnded, { entity: handleOf(world, slot), outcome, reason });
}

/** Entity that walkers avoid. */
interface Member extends Walker {
	readonly slot: number;
	readonly y: number;
	/** Heights of its lowest and highest point (m). */
	readonly low: number;
	readonly high: number;
	/** Speed along the ground (m/s). */
	readonly speed: number;
	/** True if it has reached the end of its path. */
	readonly hasArrived: boolean;
}

interface Crowd {
	readonly grid: PointGrid;
	/** Members in the order of the grid. */
	readonly members: readonly Member[];
	readonly bySlot: readonly (Member | undefined)[];
	/** Largest radius (m) and highest speed (m/s) of all members. */
	readonly maxRadius: number;
	readonly maxSpeed: number;
}

function gatherCrowd(world: World, { agent_height }: NavmeshSettings): Crowd {
	const position = read(world, LocalTransform, 'position');
	const linear = read(world, Velocity, 'linear');
	const states = read(world, Path, 'state');
	const radii = read(world, Path, 'radius');
	const lifts = read(world, Path, 'lift');
	const slots: number[] = [];
	const bySlot: (Member | undefined)[] = [];
	let [maxRadius, maxSpeed] = [0, 0];
	each(world, [Velocity, LocalTransform], (slot) => {
		const isWalker = has(world, slot, Path);
		if (!isWalker && !has(world, slot, Collider)) return;
		if (has(world, slot, Dead) || parentOf(world, slot) !== null) return;
		const start = slot * 3;
		const [x, y, z] = [position[start]!, position[start + 1]!, position[start + 2]!];
		const [vx, vz] = [linear[start]!, linear[start + 2]!];
		const size = isWalker ? null : halfExtent(world, colliderAt(world, slot));
		const low = size === null ? y - lifts[slot]! : y - size[1];
		const high = size === null ? low + agent_height : y + size[1];
		const radius = size === null ? radii[slot]! : Math.max(size[0], size[2]);
		const speed = Math.sqrt(vx * vx + vz * vz);
		const isWalking = isWalker && states[slot] === WALKING;
		const hasArrived = isWalker && states[slot] === ARRIVED;
		slots.push(slot);
		bySlot[slot] = { slot, x, y, z, vx, vz, radius, low, high, speed, yields: isWalking, hasArrived };
		maxRadius = Math.max(maxRadius, radius);
		maxSpeed = Math.max(maxSpeed, speed);
	});
	const grid = buildGrid(slots, slots.length, position);
	return {
		grid,
		members: Array.from(grid.slots, (slot) => bySlot[slot]!),
		bySlot,
		maxRadius,
		maxSpeed,
	};
}

/** Maximum distance at which an entity avoids others (m), so that a fast entity does not search the whole world. */
const MAX_REACH = 10;
/** Working memory of `othersNear`: the nearest others and their squared distances. */
const nearest: Member[] = [];
const squaredDistances = new Float64Array(MAX_OTHERS);

/** Returns the nearest others within reach of an entity, except those below its feet or above its head. */
function othersNear(
	world: World,
	{ grid, members, maxRadius, maxSpeed }: Crowd,
	self: Member,
	pace: number,
	{ agent_height, step_height }: NavmeshSettings,
): readonly Member[] {
	nearest.length = 0;
	const { x, z, radius } = self;
	const reach = Math.min(
		MAX_REACH + radius + maxRadius,
		radius + maxRadius + LOOK_AHEAD_SECONDS * (pace + maxSpeed),
	);
	const [feet, head] = [self.low + step_height, self.low + agent_height];
	let visited = 0;
	eachIn(grid, x - reach, z - reach, x + reach, z + reach, (entry) => {
		visited++;
		const [dx, dz] = [grid.x[entry]! - x, grid.z[entry]! - z];
		const square = dx * dx + dz * dz;
		const isListFull = nearest.length === MAX_OTHERS;
		if (isListFull && square > squaredDistances[MAX_OTHERS - 1]!) return;
		const other = members[entry]!;
		const maxDistance = radius + other.radius + LOOK_AHEAD_SECONDS * (pace + other.speed);
		if (other === self || square > maxDistance * maxDistance || other.high <= feet || other.low >= head)
			return;
		let rank = nearest.length;
		const isBefore = (i: number) =>
			square < squaredDistances[i]! || (square === squaredDistances[i] && other.slot < nearest[i]!.slot);
		while (rank > 0 && isBefore(rank - 1)) rank--;
		if (rank === MAX_OTHERS) return;
		if (isListFull) nearest.pop();
		for (let i = nearest.length; i > rank; i--) {
			squaredDistances[i] = squaredDistances[i - 1]!;
			nearest[i] = nearest[i - 1]!;
		}
		squaredDistances[rank] = square;
		nearest[rank] = other;
	});
	spend(world, 'searched', visited);
	return nearest;
}

function walkOneTick(world: World, mesh: NavMesh, crowd: Crowd, slot: number): void {
	const points = read(world, Path, 'waypoints')[slot]!;
	const lift = read(world, Path, 'lift')[slot]!;
	const pace = paceOf(world, slot, read(world, Path, 'speed')[slot]!);
	const self = crowd.bySlot[slot]!;
	const place = placeAt(mesh, self.x, self.y - lift, self.z);
	const next = nextPoint(world, mesh, slot, points, self, place, pace);
	const target = points[next];
	// A path without points, as from a document, is searched again. So is a path whose next point is out of sight.
	if (
		target === undefined ||
		(isSightCheckDue(world, slot) && place >= 0 && !canWalkStraight(world, mesh, place, self, target))
	) {
		add(world, slot, Path, { state: 'waiting', waypoints: [], next: 0 });
		halt(world, slot);
		return;
	}
	const [dx, dz] = [target[0] - self.x, target[2] - self.z];
	const distance = flatLength([dx, 0, dz]);
	const others = othersNear(world, crowd, self, pace, mesh.settings);
	if (
		next === points.length - 1 &&
		(distance <= ARRIVAL_DISTANCE || isCrowdedOut(world, crowd, self, target, distance))
	) {
		const near = read(world, Path, 'near')[slot] === 1;
		const why = near ? 'It is as near to its goal as it can get.' : 'It is at its goal.';
		endPath(world, slot, near ? 'near' : 'arrived', why, mesh.hash);
		return;
	}
	const speed = Math.min(pace, distance / DT);
	const [ux, uz] = distance === 0 ? [0, 0] : [dx / distance, dz / distance];
	const rightShare = others.length > 0 ? RIGHT_SHARE : 0;
	const preferred = [(ux - rightShare * uz) * speed, (uz + rightShare * ux) * speed] as const;
	const avoiding = others.length > 0 ? avoidOthers(self, preferred, pace, others) : preferred;
	const [vx, vz] = keepOnMesh(world, mesh, place, self, avoiding);
	steer(world, slot, vx, vz);
	if (vx * vx + vz * vz > 0.01 * pace * pace) face(world, slot, [vx, 0, vz]);
	if (isKinematic(world, slot))
		setVerticalVelocity(world, slot, verticalVelocity(mesh, place, self, lift, [vx, vz], 2 * pace + 1));
}

/** Returns true if an entity tests on this tick that its next point is in sight. */
const isSightCheckDue = ({ tick }: World, slot: number): boolean => (tick + slot) % SIGHT_CHECK_TICKS === 0;

function canWalkStraight(
	world: World,
	mesh: NavMesh,
	place: number,
	{ x, z }: Walker,
	target: Vector,
): boolean {
	spend(world, 'searched', maxCellsOnLine(mesh, target[0] - x, target[2] - z));
	return walkLine(mesh, place, [x, z], [target[0], target[2]]) !== null;
}

/** Returns the index of the point to walk to. Skips reached points, and a near point if the one after it is in sight. */
function nextPoint(
	world: World,
	mesh: NavMesh,
	slot: number,
	points: readonly Vector[],
	self: Walker,
	place: number,
	pace: number,
): number {
	const previous = read(world, Path, 'next')[slot]!;
	let next = previous;
	const closeDistance = 2 * self.radius + mesh.settings.cell_size;
	while (next < points.length - 1) {
		const [x, , z] = points[next]!;
		const distance = flatLength([x - self.x, 0, z - self.z]);
		const isReached = distance <= Math.max(ARRIVAL_DISTANCE, pace * DT);
		if (
			!isReached &&
			(distance > closeDistance || place < 0 || !canWalkStraight(world, mesh, place, self, points[next + 1]!))
		)
			break;
		next++;
	}
	if (next !== previous) write(world, Path, 'next')[slot] = next;
	return next;
}

/** Returns true if an entity cannot get nearer to its goal, because others are at it or have arrived before. */
function isCrowdedOut(
	world: World,
	{ grid, members, maxRadius }: Crowd,
	self: Member,
	target: Vector,
	distance: number,
): boolean {
	const goal = read(world, Path, 'goal');
	if (distance > MAX_REACH + self.radius) return false;
	const reach = (self.radius + maxRadius) * 1.1 + ARRIVAL_DISTANCE;
	let isBlocked = false;
	let visited = 0;
	eachIn(grid, self.x - reach, self.z - reach, self.x + reach, self.z + reach, (entry) => {
		visited++;
		const other = members[entry]!;
		if (isBlocked || other === self || other.yields || other.speed > 0) return;
		if (other.high <= self.low || other.low >= self.high) return;
		const touchDistance = (self.radius + other.radius) * 1.1 + ARRIVAL_DISTANCE;
		if (flatLength([other.x - self.x, 0, other.z - self.z]) > touchDistance) return;
		const hasSameGoal =
			other.hasArrived && [0, 1, 2].every((i) => goal[other.slot * 3 + i] === goal[self.slot * 3 + i]);
		const goalDistance = flatLength([other.x - target[0], 0, other.z - target[2]]);
		isBlocked = hasSameGoal || goalDistance <= self.radius + other.radius;
	});
	spend(world, 'searched', visited);
	return isBlocked;
}
