/** The terrains of a world: which one is meant, where it lies, and putting other ground in its place. */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Terrain } from '../../../shared/components/terrain.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { MAX_TOTAL_POINTS, type SurfacePoint, type TerrainGround } from '../../../shared/media/terrain.ts';
import { rotatedAbout, type Vector } from '../core/math/vector.ts';
import { add, each, get, has, inTick, read, type World } from '../core/world.ts';
import { isShared, ownerAt, PARTS } from '../owners/shares.ts';
import { heightRange, sizeOf, surfaceAt } from './ground.ts';

/** Points of the terrains of one agent. */
export const POINTS_OF_AGENT = MAX_TOTAL_POINTS / PARTS;

export interface TerrainHere {
	readonly id: number;
	readonly ground: TerrainGround;
}

/** Returns all terrains in id order; what lies nowhere is none. */
export function terrains(world: World): TerrainHere[] {
	const found: TerrainHere[] = [];
	each(world, [Terrain, LocalTransform], (id) => {
		const ground = read(world, Terrain, 'ground')[id];
		if (ground != null) found.push({ id, ground });
	});
	return found;
}

/** Returns the terrain of an entity, or the first one without an id. Throws `no_terrain`. */
export function requireTerrain(world: World, entity: EntityHandle | null): TerrainHere {
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

/** Returns the number of points of all terrains but that of the entity `except`. `owner`: only those of an agent. */
export function groundPoints(world: World, except: number | null = null, owner?: number): number {
	return terrains(world)
		.filter(({ id }) => id !== except && (owner === undefined || ownerAt(world, id) === owner))
		.reduce((sum, { ground }) => sum + pointsOf(ground), 0);
}

const pointsOf = ({ width, height }: TerrainGround): number => width * height;

/** Throws `world_full` if the terrains of a world have more points than it has room for. */
export function requireFewPoints(world: World): void {
	if (groundPoints(world) <= MAX_TOTAL_POINTS) return;
	throw new ApiError('world_full', `The terrains have more than ${MAX_TOTAL_POINTS} points together.`, {
		fix: 'Send fewer points with a larger cell_size, or fewer terrains.',
	});
}

/**
 * Throws `world_full` if a world has no room for the points of another terrain. `id`: the entity that gets it in place of
 * its own. A tick that makes it for an agent has only the share of that agent, and in a shared world half for others.
 */
export function requirePoints(
	world: World,
	width: number,
	height: number,
	id: number | null = null,
	owner?: number,
): void {
	const most = roomForPoints(world, id, owner);
	if (width * height <= most) return;
	throw new ApiError(
		'world_full',
		`The terrain would have ${width} x ${height} = ${width * height} points. The world has room for ${most} of at most ${MAX_TOTAL_POINTS}.`,
		{ fix: 'Send fewer points with a larger cell_size, or despawn a terrain.' },
	);
}

function roomForPoints(world: World, id: number | null, owner: number | undefined): number {
	const room = MAX_TOTAL_POINTS - groundPoints(world, id);
	if (!inTick(world)) return room;
	if (owner !== undefined) return Math.min(room, POINTS_OF_AGENT - groundPoints(world, id, owner));
	return isShared(world) ? room - MAX_TOTAL_POINTS / 2 : room;
}

/**
 * Returns a place of the world (m) as seen from the corner of a terrain. Throws `bad_stroke` for a terrain that is
 * tilted.
 */
export function fromWorld(world: World, id: number, x: number, z: number): readonly [number, number] {
	const { position, rotation } = get(world, id, LocalTransform)!;
	const [rx, ry, rz, rw] = rotation;
	if (Math.abs(rx) > 1e-6 || Math.abs(rz) > 1e-6)
		throw new ApiError('bad_stroke', `Terrain ${id} is tilted, so it has no height at a world position.`, {
			fix: 'Omit "space", and send x and z relative to the corner of the terrain.',
		});
	const [dx, dz] = [x - position[0], z - position[2]];
	// Turned back about y: the cosine and sine of the whole angle from those of the half.
	const [cos, sin] = [rw * rw - ry * ry, 2 * rw * ry];
	return [cos * dx - sin * dz, sin * dx + cos * dz];
}

/** Returns the middle of a terrain, where it lies, and the radius of the ball round it (m). */
export function middleOf(
	world: World,
	{ id, ground }: TerrainHere,
): { readonly point: Vector; readonly radius: number } {
	const { position, rotation } = get(world, id, LocalTransform)!;
	const [wide, deep] = sizeOf(ground);
	const { lowest, highest } = heightRange(ground);
	const middle = [wide / 2, (lowest + highest) / 2, deep / 2] as const;
	const high = (highest - lowest) / 2;
	return {
		point: rotatedAbout(rotation, middle, position),
		radius: Math.sqrt(middle[0] * middle[0] + high * high + middle[2] * middle[2]),
	};
}

/**
 * Returns the frame of things at a place: from the corner of the terrain, or of the world, then in heights and
 * directions of it.
 */
export function surfaceOf(
	world: World,
	{ id, ground }: TerrainHere,
	space: 'terrain' | 'world',
	x: number,
	z: number,
): SurfacePoint | null {
	if (space === 'terrain') return surfaceAt(ground, x, z);
	const [localX, localZ] = fromWorld(world, id, x, z);
	const found = surfaceAt(ground, localX, localZ);
	if (found === null) return null;
	const { position, rotation } = get(world, id, LocalTransform)!;
	const [, ry, , rw] = rotation;
	const [cos, sin] = [rw * rw - ry * ry, 2 * rw * ry];
	const [nx, ny, nz] = found.normal;
	return { height: found.height + position[1], normal: [cos * nx + sin * nz, ny, cos * nz - sin * nx] };
}
