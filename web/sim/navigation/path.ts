/**
 * Paths: finding one on the mesh, and giving it to an entity to walk. Owns: the ends of a path for an entity that is
 * not quite on the mesh, and which entities can have one.
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
import { findWay, looksAlong, nearestTo, type Way } from './search.ts';
import { navmeshOf } from './settings.ts';

/** A way, and whether it ends before its goal; or in words why there is none. */
export type Answer =
	| { readonly way: Way; readonly near: boolean; readonly place: number }
	| { readonly way: null; readonly why: string; readonly looked: number };

const at = ([x, y, z]: Vector): string =>
	`[${[x, y, z].map((part) => Math.round(part * 100) / 100).join(', ')}]`;

/** Of places that were looked through for the nearest, how many count as one of a search. */
const NEAR_LOOKS = 8;

/**
 * Returns the cheapest way from one position to another; where `partial`, as near as there is a way. `nearest`
 * remembers what it found for others of the same tick.
 */
export function wayBetween(
	mesh: NavMesh,
	from: Vector,
	to: Vector,
	partial: boolean,
	nearest = new Map<string, number>(),
): Answer {
	const { agent_radius, cell_size } = mesh.settings;
	// An entity that was pushed against a wall is where the mesh is too narrow already.
	const start = placeNear(mesh, ...from, agent_radius + 1.5 * cell_size);
	if (start < 0)
		return {
			way: null,
			looked: 1,
			why: `No way begins at ${at(from)}: the navigation mesh is not walkable there.`,
		};
	const startSpot = start === placeAt(mesh, ...from) ? ([from[0], from[2]] as const) : middleOf(mesh, start);
	const goal = placeAt(mesh, ...to);
	const way = goal < 0 ? null : findWay(mesh, start, startSpot, goal, [to[0], to[2]]);
	if (way !== null) return { way, near: false, place: start };
	if (!partial) {
		const why =
			goal < 0
				? `No way ends at ${at(to)}: the navigation mesh is not walkable there.`
				: `No way leads from ${at(from)} to ${at(to)}.`;
		return { way: null, looked: looksAlong(mesh, startSpot, [to[0], to[2]]), why };
	}
	const asked = `${regionsOf(mesh)[start]} ${to.join()}`;
	const cached = nearest.get(asked);
	const near = cached ?? nearestTo(mesh, start, to);
	nearest.set(asked, near);
	const found = findWay(mesh, start, startSpot, near, middleOf(mesh, near))!;
	const looked = found.looked + (cached === undefined ? Math.ceil(mesh.y.length / NEAR_LOOKS) : 0);
	return { way: { ...found, looked }, near: true, place: start };
}

export interface PathWish {
	readonly goal: Vector;
	readonly speed?: number | null | undefined;
	readonly radius?: number | null | undefined;
	readonly partial?: boolean | null | undefined;
}

/**
 * Lets an entity walk to a goal, in place of the one it had; its way is found on the coming tick. Throws `no_navmesh`,
 * `cannot_walk`.
 */
export function setPath(
	world: World,
	{ id }: EntityHandle,
	{ goal, speed, radius, partial }: PathWish,
): void {
	const settings = navmeshOf(world);
	if (settings === null) throw new ApiError('no_navmesh', 'The world has no navigation mesh.');
	requireWalker(world, id);
	const before = get(world, id, Path);
	const fighter = has(world, id, Combat) ? read(world, Combat, 'speed')[id]! : 0;
	add(world, id, Path, {
		goal,
		speed: speed ?? before?.speed ?? (fighter > 0 ? fighter : 5),
		radius: radius ?? before?.radius ?? Math.max(0.01, settings.agent_radius),
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

/** Throws `cannot_walk`. */
function requireWalker(world: World, id: number): void {
	const refuse = (why: string): never => {
		throw new ApiError('cannot_walk', `Entity ${id} cannot walk: ${why}.`);
	};
	if (!has(world, id, LocalTransform)) refuse('it has no position');
	if (parentOf(world, id) !== null) refuse('it is a child of another entity and moves with it');
	if (get(world, id, PhysicsBody)?.kind === 'Static') refuse('its body is Static');
}

/** Takes the path of an entity away and lets it stand; false if it has none. */
export function cancelPath(world: World, id: number): boolean {
	if (!has(world, id, Path)) return false;
	const walked = read(world, Path, 'state')[id] === WALKING;
	remove(world, id, Path);
	if (walked) halt(world, id);
	return true;
}

const WALKING = wordIndex(Path, 'state', 'walking');
const KINEMATIC = wordIndex(PhysicsBody, 'kind', 'Kinematic');

/** Returns true if the height of an entity depends on its velocity alone. */
export const floats = (world: World, slot: number): boolean =>
	has(world, slot, PhysicsBody) && read(world, PhysicsBody, 'kind')[slot] === KINEMATIC;

/** Lets an entity stand. */
export function halt(world: World, slot: number): void {
	if (!has(world, slot, Velocity)) return;
	steer(world, slot, 0, 0);
	if (floats(world, slot)) rise(world, slot, 0);
}

/** Sets the vertical velocity of an entity (m/s). */
export function rise(world: World, slot: number, y: number): void {
	if (read(world, Velocity, 'linear')[slot * 3 + 1] === Math.fround(y)) return;
	write(world, Velocity, 'linear')[slot * 3 + 1] = y;
}
