/** The terrains of a world. Owns: finding a terrain, converting positions to it, and the limit of its points. */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Terrain } from '../../../shared/components/terrain.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { MAX_TOTAL_POINTS, type SurfacePoint, type TerrainGround } from '../../../shared/media/terrain.ts';
import { rotatedAbout, type Vector } from '../core/math/vector.ts';
import { add, each, get, has, inTick, read, type World } from '../core/world.ts';
import { isShared, ownerAt, SHARE_DIVISOR } from '../owners/shares.ts';
import { heightRange, sizeOf, surfaceAt } from './ground.ts';

/** Maximum number of points of all terrains of one agent. */
export const MAX_POINTS_OF_AGENT = MAX_TOTAL_POINTS / SHARE_DIVISOR;

/** An entity with a terrain. */
export interface TerrainEntity {
	readonly id: number;
	readonly ground: TerrainGround;
}

/** Returns all terrains in id order. A terrain without a pose is ignored. */
export function terrains(world: World): TerrainEntity[] {
	const result: TerrainEntity[] = [];
	each(world, [Terrain, LocalTransform], (id) => {
		const ground = read(world, Terrain, 'ground')[id];
		if (ground != null) result.push({ id, ground });
	});
	return result;
}

/** Returns the terrain of an entity, or the first one without an id. Throws `no_terrain`. */
export function requireTerrain(world: World, entity: EntityHandle | null): TerrainEntity {
	if (entity === null) {
		const [first] = terrains(world);
		if (first === undefined) throw new ApiError('no_terrain', 'The world has no terrain.');
		return first;
	}
	const ground = get(world, entity.id, Terrain)?.ground;
	if (ground == null || !has(world, entity.id, LocalTransform))
		throw new ApiError('no_terrain', `Entity ${entity.id} is not a terrain.`, {
			fix: 'Send the id of a terrain from GET /terrain/list, or create one with POST /terrain/create.',
		});
	return { id: entity.id, ground };
}

export function setGround(world: World, id: number, ground: TerrainGround): void {
	add(world, id, Terrain, { ground });
}

/** Returns the number of points of all terrains, without that of the entity `except`. `owner`: only those of an agent. */
export function groundPoints(world: World, except: number | null = null, owner?: number): number {
	return terrains(world)
		.filter(({ id }) => id !== except && (owner === undefined || ownerAt(world, id) === owner))
		.reduce((sum, { ground }) => sum + pointCountOf(ground), 0);
}

const pointCountOf = ({ width, height }: TerrainGround): number => width * height;

/** Throws `world_full` if the terrains of a world have too many points. */
export function requireFewPoints(world: World): void {
	if (groundPoints(world) <= MAX_TOTAL_POINTS) return;
	throw new ApiError('world_full', `The terrains have more than ${MAX_TOTAL_POINTS} points together.`, {
		fix: 'Send fewer points with a larger cell_size, or fewer terrains.',
	});
}

/**
 * Throws `world_full` if a world has no room for the points of another terrain. `id`: entity whose terrain it replaces.
 * During a tick, an agent may use only its share; without an agent, ticks of a shared world leave half of it to calls.
 */
export function requirePoints(
	world: World,
	width: number,
	height: number,
	id: number | null = null,
	owner?: number,
): void {
	const maxPoints = remainingPoints(world, id, owner);
	if (width * height <= maxPoints) return;
	throw new ApiError(
		'world_full',
		`The terrain would have ${width} x ${height} = ${width * height} points. The world has room for ${maxPoints} of at most ${MAX_TOTAL_POINTS}.`,
		{ fix: 'Send fewer points with a larger cell_size, or despawn a terrain.' },
	);
}

function remainingPoints(world: World, id: number | null, owner: number | undefined): number {
	const room = MAX_TOTAL_POINTS - groundPoints(world, id);
	if (!inTick(world)) return room;
	if (owner !== undefined) return Math.min(room, MAX_POINTS_OF_AGENT - groundPoints(world, id, owner));
	return isShared(world) ? room - MAX_TOTAL_POINTS / 2 : room;
}

/**
 * Converts a position in the world (m) to one relative to the corner of a terrain. Throws `bad_stroke` if the terrain is
 * tilted.
 */
export function toTerrainPosition(world: World, id: number, x: number, z: number): readonly [number, number] {
	const { position, rotation } = get(world, id, LocalTransform)!;
	const [rx, ry, rz, rw] = rotation;
	if (Math.abs(rx) > 1e-6 || Math.abs(rz) > 1e-6)
		throw new ApiError('bad_stroke', `Terrain ${id} is tilted, so it has no height at a world position.`, {
			fix: 'Omit "space", and send x and z relative to the corner of the terrain.',
		});
	const [dx, dz] = [x - position[0], z - position[2]];
	// Rotates back about y. The cosine and sine of the angle are computed from those of half the angle.
	const [cos, sin] = [rw * rw - ry * ry, 2 * rw * ry];
	return [cos * dx - sin * dz, sin * dx + cos * dz];
}

/** Returns the middle of a terrain in the world, and the radius of its bounding sphere (m). */
export function middleOf(
	world: World,
	{ id, ground }: TerrainEntity,
): { readonly point: Vector; readonly radius: number } {
	const { position, rotation } = get(world, id, LocalTransform)!;
	const [width, depth] = sizeOf(ground);
	const { lowest, highest } = heightRange(ground);
	const middle = [width / 2, (lowest + highest) / 2, depth / 2] as const;
	const halfHeight = (highest - lowest) / 2;
	return {
		point: rotatedAbout(rotation, middle, position),
		radius: Math.sqrt(middle[0] * middle[0] + halfHeight * halfHeight + middle[2] * middle[2]),
	};
}

/**
 * Returns the surface of a terrain at a position (m), or null outside. Position, height and normal are relative to the
 * terrain's corner, or to the world.
 */
export function surfaceOf(
	world: World,
	{ id, ground }: TerrainEntity,
	space: 'terrain' | 'world',
	x: number,
	z: number,
): SurfacePoint | null {
	if (space === 'terrain') return surfaceAt(ground, x, z);
	const [localX, localZ] = toTerrainPosition(world, id, x, z);
	const surface = surfaceAt(ground, localX, localZ);
	if (surface === null) return null;
	const { position, rotation } = get(world, id, LocalTransform)!;
	const [, ry, , rw] = rotation;
	const [cos, sin] = [rw * rw - ry * ry, 2 * rw * ry];
	const [nx, ny, nz] = surface.normal;
	return { height: surface.height + position[1], normal: [cos * nx + sin * nz, ny, cos * nz - sin * nx] };
}
