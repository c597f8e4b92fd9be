/**
 * Finds paths on the mesh, and assigns them to entities. Owns: the start of a path for an entity slightly off the mesh, and
 * the check that an entity can walk.
 */

import { Combat } from '../../../shared/components/combat.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Path } from '../../../shared/components/path.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { wordIndex } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { steer } from '../ai/walk.ts';
import type { Vector } from '../core/math/vector.ts';
import { add, get, has, read, remove, type World, write } from '../core/world.ts';
import { ensureMovable } from '../spawn/spawn-entity.ts';
import { parentOf } from '../transform/hierarchy.ts';
import { middleOf, type NavMesh, placeAt, placeNear } from './mesh.ts';
import { regionsOf } from './rooms.ts';
import { type FoundPath, findPath, nearestTo, visitsOfLine } from './search.ts';
import { navmeshOf } from './settings.ts';

/** A path, its first place, and `near` if it ends before its goal; or the reason why no path exists. */
export type PathResult =
	| { readonly path: FoundPath; readonly near: boolean; readonly place: number }
	| { readonly path: null; readonly reason: string; readonly visits: number };

const pointText = ([x, y, z]: Vector): string =>
	`[${[x, y, z].map((part) => Math.round(part * 100) / 100).join(', ')}]`;

/** Number of places scanned for the nearest that count as one visited place of a search. */
const SCANNED_PER_VISIT = 8;

/**
 * Returns the cheapest path between two positions. With `partial`, the path may end at the reachable place nearest to the
 * goal. `nearestCache` stores such places for other searches of the same tick.
 */
export function findPathBetween(
	mesh: NavMesh,
	from: Vector,
	to: Vector,
	partial: boolean,
	nearestCache = new Map<string, number>(),
): PathResult {
	const { agent_radius, cell_size } = mesh.settings;
	// An entity that was pushed against a wall may be slightly off the mesh.
	const start = placeNear(mesh, ...from, agent_radius + 1.5 * cell_size);
	if (start < 0)
		return {
			path: null,
			visits: 1,
			reason: `No way begins at ${pointText(from)}: the navigation mesh is not walkable there.`,
		};
	const startSpot = start === placeAt(mesh, ...from) ? ([from[0], from[2]] as const) : middleOf(mesh, start);
	const goal = placeAt(mesh, ...to);
	const path = goal < 0 ? null : findPath(mesh, start, startSpot, goal, [to[0], to[2]]);
	if (path !== null) return { path, near: false, place: start };
	if (!partial) {
		const reason =
			goal < 0
				? `No way ends at ${pointText(to)}: the navigation mesh is not walkable there.`
				: `No way leads from ${pointText(from)} to ${pointText(to)}.`;
		return { path: null, visits: visitsOfLine(mesh, startSpot, [to[0], to[2]]), reason };
	}
	const cacheKey = `${regionsOf(mesh)[start]} ${to.join()}`;
	const cached = nearestCache.get(cacheKey);
	const near = cached ?? nearestTo(mesh, start, to);
	nearestCache.set(cacheKey, near);
	const partialPath = findPath(mesh, start, startSpot, near, middleOf(mesh, near))!;
	const visits =
		partialPath.visits + (cached === undefined ? Math.ceil(mesh.y.length / SCANNED_PER_VISIT) : 0);
	return { path: { ...partialPath, visits }, near: true, place: start };
}

export interface PathRequest {
	readonly goal: Vector;
	readonly speed?: number | null | undefined;
	readonly radius?: number | null | undefined;
	readonly partial?: boolean | null | undefined;
}

/**
 * Makes an entity walk to a goal, and replaces its earlier path. The path is found in the next tick. Throws
 * `no_navmesh` and `cannot_walk`.
 */
export function setPath(
	world: World,
	{ id }: EntityHandle,
	{ goal, speed, radius, partial }: PathRequest,
): void {
	const settings = navmeshOf(world);
	if (settings === null) throw new ApiError('no_navmesh', 'The world has no navigation mesh.');
	requireWalker(world, id);
	const previous = get(world, id, Path);
	const fighter = has(world, id, Combat) ? read(world, Combat, 'speed')[id]! : 0;
	add(world, id, Path, {
		goal,
		speed: speed ?? previous?.speed ?? (fighter > 0 ? fighter : 5),
		radius: radius ?? previous?.radius ?? Math.max(0.01, settings.agent_radius),
		partial: partial === true ? 1 : 0,
		state: 'waiting',
		near: 0,
		next: 0,
		lift: 0,
		mesh: 0,
		waypoints: [],
	});
	ensureMovable(world, id);
}

/** Throws `cannot_walk` if an entity cannot walk. */
function requireWalker(world: World, id: number): void {
	const refuse = (why: string): never => {
		throw new ApiError('cannot_walk', `Entity ${id} cannot walk: ${why}.`);
	};
	if (!has(world, id, LocalTransform)) refuse('it has no position');
	if (parentOf(world, id) !== null) refuse('it is a child of another entity and moves with it');
	if (get(world, id, PhysicsBody)?.kind === 'Static') refuse('its body is Static');
}

/** Removes the path of an entity and stops it. Returns false if it has none. */
export function cancelPath(world: World, id: number): boolean {
	if (!has(world, id, Path)) return false;
	const wasWalking = read(world, Path, 'state')[id] === WALKING;
	remove(world, id, Path);
	if (wasWalking) halt(world, id);
	return true;
}

const WALKING = wordIndex(Path, 'state', 'walking');
const KINEMATIC = wordIndex(PhysicsBody, 'kind', 'Kinematic');

/** Returns true if an entity has a Kinematic body, so that its height depends only on its velocity. */
export const isKinematic = (world: World, slot: number): boolean =>
	has(world, slot, PhysicsBody) && read(world, PhysicsBody, 'kind')[slot] === KINEMATIC;

/** Stops an entity. */
export function halt(world: World, slot: number): void {
	if (!has(world, slot, Velocity)) return;
	steer(world, slot, 0, 0);
	if (isKinematic(world, slot)) setVerticalVelocity(world, slot, 0);
}

/** Sets the vertical velocity of an entity (m/s). */
export function setVerticalVelocity(world: World, slot: number, y: number): void {
	if (read(world, Velocity, 'linear')[slot * 3 + 1] === Math.fround(y)) return;
	write(world, Velocity, 'linear')[slot * 3 + 1] = y;
}
