/**
 * Reasons that an entity reaches a position on the navigation mesh or does not reach it.
 * Owns: finding the reasons, and the obstacles that block the path.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { CrowdControl } from '../../../shared/components/crowd-control.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Path } from '../../../shared/components/path.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { REACH_CAUSES } from '../../../shared/documents/causes.ts';
import { flatLength, paceOf } from '../ai/walk.ts';
import { clone, dispose } from '../core/clone.ts';
import { rebuildParts } from '../core/derived-parts.ts';
import { handleOf } from '../core/entities.ts';
import { shortestFloat32 } from '../core/float32.ts';
import type { Vector } from '../core/math/vector.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import { get, has, read, remove, type World } from '../core/world.ts';
import { crowdControlsOf } from '../crowd-control/crowd-control.ts';
import { placeAt } from '../navigation/mesh.ts';
import { navigationOf } from '../navigation/navigation.part.ts';
import { findPathBetween, setPath } from '../navigation/path.ts';
import { navmeshOf } from '../navigation/settings.ts';
import { colliderAt, halfExtent } from '../physics/geometry.ts';
import { step } from '../step.ts';
import { parentOf } from '../transform/hierarchy.ts';
import { type Candidate, entityCandidates, navmeshCandidates } from './candidate.ts';
import type { Cause } from './cause.ts';
import { findNarrowGap, type Gap, gapText } from './narrow-gap.ts';
import { type Obstacle, obstaclesAlong } from './obstacles.ts';

type ReachCause = Cause<(typeof REACH_CAUSES)[number]>;
/** Maximum number of obstacles that the search removes, one at a time, to test whether a path then exists. */
const MAX_OBSTACLES = 24;
/** Maximum number of blocking obstacles in an answer. */
const MAX_BLOCKERS = 3;

export interface WhyReach {
	readonly reaches: boolean;
	/** Ticks until the entity arrives; null if it does not arrive. */
	readonly ticks: number | null;
	/** Length of the path (m); null without a path. */
	readonly length: number | null;
	/** Walking speed, with effects (m/s). */
	readonly speed: number;
	/** Entities that block the path. */
	readonly blockers: readonly number[];
	/** Gap that is too narrow; null if none was found. */
	readonly gap: Gap | null;
	readonly causes: readonly ReachCause[];
}

const pointText = (point: Vector): string =>
	`[${point.map((part) => Math.round(part * 100) / 100).join(', ')}]`;

const positionOf = (world: World, id: number): Vector => {
	const position = read(world, LocalTransform, 'position');
	return [position[id * 3]!, position[id * 3 + 1]!, position[id * 3 + 2]!];
};

/**
 * Explains whether an entity reaches a goal within `ticks` if it is sent there. Requires a world whose parts are up to
 * date.
 */
export function* whyReach(world: World, id: number, goal: Vector, ticks: number): SlicedWork<WhyReach> {
	const causes: ReachCause[] = [];
	const add = (code: ReachCause['code'], text: string, entity_id?: number) =>
		causes.push({ code, text, ...(entity_id === undefined ? {} : { entity_id }) });
	const notReached = { reaches: false, ticks: null, length: null, speed: 0, blockers: [], gap: null, causes };
	if (has(world, id, Dead)) add('is_dead', `Entity ${id} is dead.`, id);
	if (!has(world, id, LocalTransform)) {
		add('no_position', `Entity ${id} has no position.`, id);
		return notReached;
	}
	const parent = parentOf(world, id);
	if (parent !== null)
		add('is_child', `Entity ${id} is a child of entity ${parent.id} and moves with it.`, parent.id);
	if (get(world, id, PhysicsBody)?.kind === 'Static')
		add('is_static', `The body of entity ${id} is Static.`, id);
	const mesh = navmeshOf(world) === null ? null : navigationOf(world).mesh;
	if (mesh === null) {
		add('no_navmesh', 'The world has no navigation mesh: send POST /navmesh/generate.');
		return notReached;
	}
	const { min_x, min_z, max_x, max_z } = mesh.settings;
	const from = positionOf(world, id);
	const lift = has(world, id, Path) ? read(world, Path, 'lift')[id]! : 0;
	const start: Vector = [from[0], from[1] - lift, from[2]];
	const search = findPathBetween(mesh, start, goal, false);
	const speed = speedOf(world, id);
	let blockers: readonly number[] = [];
	let gap: Gap | null = null;
	if (search.path === null) {
		const isOutside = goal[0] < min_x || goal[2] < min_z || goal[0] > max_x || goal[2] > max_z;
		const isStartOff = !search.reason.includes('ends at') && search.reason.includes('begins at');
		if (isOutside)
			add(
				'goal_outside_mesh',
				`${pointText(goal)} is outside the navigation mesh, which covers x ${min_x} to ${max_x} and z ${min_z} to ${max_z}.`,
			);
		else {
			const obstacles = obstaclesAlong(world, mesh, start, goal);
			gap = yield* findNarrowGap(world, obstacles, start, goal);
			if (gap !== null) add('too_narrow', gapText(gap, mesh.settings), gap.sides[0]);
			blockers = gap === null ? yield* blockersOf(world, obstacles, start, goal) : gap.sides;
			const isOff = placeAt(mesh, ...goal) < 0;
			for (const blocker of gap === null ? blockers : []) {
				const code = isStartOff
					? 'start_off_mesh'
					: isOff || covers(world, blocker, goal)
						? 'goal_blocked'
						: 'way_blocked';
				add(code, `${BLOCKS[code](blocker)}: without its collider, a way leads there.`, blocker);
			}
			if (blockers.length === 0)
				add(isStartOff ? 'start_off_mesh' : isOff ? 'goal_blocked' : 'no_way', search.reason);
		}
	}
	const controlKinds = has(world, id, CrowdControl) ? crowdControlsOf(world, id).map(({ kind }) => kind) : [];
	if (speed === 0 && controlKinds.length > 0)
		add(
			'cannot_move',
			`Crowd control (${[...new Set(controlKinds)].join(', ')}) keeps entity ${id} in place.`,
			id,
		);
	else if (speed === 0)
		add(
			'no_speed',
			`The speed of entity ${id} is 0: set "speed" with POST /path/set, or end the effect that slows it.`,
			id,
		);
	const length = search.path?.length ?? null;
	const isBlocked = causes.length > 0;
	if (!isSentTo(world, id, goal))
		add('no_path', `Entity ${id} is not on its way to ${pointText(goal)}: send the request in "walk".`);
	if (isBlocked) return { ...notReached, length, speed: shortestFloat32(speed), blockers, gap };
	const { arrived, left } = yield* walkInCopy(clone(world), id, goal, ticks);
	if (arrived !== null) add('reaches', `It gets there in ${arrived} ticks, if it is sent there now.`);
	else if (length! > (speed * ticks) / 60)
		add(
			'too_far',
			`Its way is ${round(length!)} m long; at ${round(speed)} m/s it walks ${round((speed * ticks) / 60)} m in ${ticks} ticks.`,
		);
	else
		add(
			'stopped_short',
			`After ${ticks} ticks it is still ${round(left)} m from its goal, although a way leads there.`,
		);
	// The obstacle to the goal comes first, the request to send last.
	causes.reverse();
	return { ...notReached, reaches: arrived !== null, ticks: arrived, length, speed: shortestFloat32(speed) };
}

const round = (metres: number): number => Math.round(metres * 100) / 100;

/** Beginning of the sentence about a blocking entity, by the code of the cause. */
const BLOCKS = {
	start_off_mesh: (id: number) => `It stands where entity ${id} leaves no room`,
	goal_blocked: (id: number) => `Its goal is inside entity ${id}`,
	way_blocked: (id: number) => `Entity ${id} blocks the way`,
};

/** Returns true if a position is within the box of a collider, seen from above. */
function covers(world: World, id: number, [x, , z]: Vector): boolean {
	const [px, , pz] = positionOf(world, id);
	const [halfX, , halfZ] = halfExtent(world, colliderAt(world, id));
	return Math.abs(x - px) <= halfX && Math.abs(z - pz) <= halfZ;
}

/** Returns true if an entity's path has this goal. */
export function isSentTo(world: World, id: number, goal: Vector): boolean {
	if (!has(world, id, Path)) return false;
	const currentGoal = get(world, id, Path)!.goal;
	return goal.every((part, i) => Math.fround(part) === currentGoal[i]);
}

/** Returns the speed at which an entity would walk, if it were sent somewhere; 0 if it cannot be sent (m/s). */
function speedOf(world: World, id: number): number {
	const copy = clone(world);
	try {
		setPath(copy, handleOf(copy, id), { goal: [0, 0, 0] });
		return paceOf(copy, id, read(copy, Path, 'speed')[id]!);
	} catch (error) {
		if (error instanceof ApiError) return 0;
		throw error;
	} finally {
		dispose(copy);
	}
}

/**
 * Sends an entity to a goal in a copy of the world, steps the copy and disposes of it. `arrived`: ticks until arrival;
 * `left`: remaining distance (m).
 */
function* walkInCopy(
	copy: World,
	id: number,
	goal: Vector,
	ticks: number,
): SlicedWork<{ readonly arrived: number | null; readonly left: number }> {
	try {
		if (!isSentTo(copy, id, goal) || read(copy, Path, 'waypoints')[id]!.length === 0)
			setPath(copy, handleOf(copy, id), { goal });
		const entity = handleOf(copy, id);
		for (let tick = 1; tick <= ticks; tick++) {
			step(copy);
			const path = get(copy, id, Path);
			if (path === undefined || handleOf(copy, id).generation !== entity.generation) break;
			if (path.state === 'arrived' && path.near === 0) return { arrived: tick, left: 0 };
			if (path.state === 'arrived' || (path.state === 'no_way' && tick > 1)) break;
			yield;
		}
		const [x, , z] = positionOf(copy, id);
		return { arrived: null, left: flatLength([goal[0] - x, 0, goal[2] - z]) };
	} finally {
		dispose(copy);
	}
}

/**
 * Returns true if an entity reaches a goal in a copy. Does not change the copy. Fast if there is no path or it is too
 * long.
 */
export function* reachesIn(copy: World, id: number, goal: Vector, ticks: number): SlicedWork<boolean> {
	const mesh = navmeshOf(copy) === null ? null : navigationOf(copy).mesh;
	if (mesh === null || !has(copy, id, LocalTransform) || has(copy, id, Dead)) return false;
	const speed = speedOf(copy, id);
	const { path } = findPathBetween(mesh, positionOf(copy, id), goal, false);
	if (path === null || path.length > (speed * ticks) / 60) return false;
	return (yield* walkInCopy(clone(copy), id, goal, ticks)).arrived !== null;
}

/** Returns the static entities each of which alone blocks every path between two positions. */
function* blockersOf(
	world: World,
	obstacles: readonly Obstacle[],
	from: Vector,
	to: Vector,
): SlicedWork<number[]> {
	const blockers: number[] = [];
	for (const { slot } of obstacles.slice(0, MAX_OBSTACLES)) {
		const copy = clone(world);
		try {
			remove(copy, slot, Collider);
			yield* rebuildParts(copy);
			const { mesh } = navigationOf(copy);
			if (mesh !== null && findPathBetween(mesh, from, to, false).path !== null) blockers.push(slot);
		} finally {
			dispose(copy);
		}
		if (blockers.length === MAX_BLOCKERS) break;
	}
	return blockers;
}

const WALKER_COMPONENTS = new Set(['local_transform', 'path', 'combat', 'modifiers', 'parent']);
const OBSTACLE_COMPONENTS = new Set(['local_transform', 'collider']);

/** Settings of the navigation mesh that are tried first. */
const FIRST_SETTINGS = ['agent_radius', 'agent_height'];

/** Returns candidates for fields of the navigation mesh, the blocking obstacles and the entity, likeliest first. */
export function reachCandidates(world: World, id: number, { blockers, causes, gap }: WhyReach): Candidate[] {
	// A larger mesh only adds a detour round an obstacle at its edge, which is no useful answer.
	const isOutside = causes.some(({ code }) => code === 'goal_outside_mesh');
	const settings = navmeshCandidates(world).filter(
		({ field }) => isOutside || !/^m(in|ax)_[xz]$/.test(field),
	);
	const isFirst = ({ field }: Candidate) => FIRST_SETTINGS.includes(field);
	const isPosition = ({ field }: Candidate) => field.startsWith('position');
	const walker = entityCandidates(world, id, WALKER_COMPONENTS).filter(
		({ field }) => !field.startsWith('path.goal'),
	);
	const obstacles = blockers
		.flatMap((blocker) => entityCandidates(world, blocker, OBSTACLE_COMPONENTS))
		.sort((a, b) => Number(isPosition(b)) - Number(isPosition(a)));
	const otherCandidates = [
		...settings.filter(isFirst).map((setting) => (gap === null ? setting : suggestRadii(setting, gap))),
		...obstacles.map((obstacle) => (gap === null ? obstacle : suggestPositions(obstacle, gap))),
		...settings.filter((setting) => !isFirst(setting)),
	];
	return blockers.length === 0 ? [...walker, ...otherCandidates] : [...otherCandidates, ...walker];
}

/** Adds radii that fit through the gap to the candidate of the walker's radius. */
const suggestRadii = (candidate: Candidate, { width }: Gap): Candidate =>
	candidate.field === 'agent_radius'
		? { ...candidate, values: [width / 2, width / 3, width / 8].map(toMillimetres) }
		: candidate;

/** Adds positions that widen the gap to the candidate of an obstacle's position. */
function suggestPositions(candidate: Candidate, { sides, axis, side, missing }: Gap): Candidate {
	if (candidate.field !== `position[${axis}]`) return candidate;
	const direction = candidate.id === sides[0] ? -side : side;
	const moves = [missing, 2 * missing].map((distance) =>
		toMillimetres(Number(candidate.from) + direction * distance),
	);
	return { ...candidate, values: moves };
}

const toMillimetres = (metres: number): number => Math.round(metres * 1000) / 1000;
