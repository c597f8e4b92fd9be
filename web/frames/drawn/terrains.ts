/**
 * Terrains: every terrain, and the chunks of points that the reader does not have.
 * Owns: the chunks of each version of the block, so that after an edit only changed chunks are sent.
 */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { Terrain } from '../../../shared/components/terrain.ts';
import { chunkCount, FLAT_CHUNK, type TerrainGround } from '../../../shared/media/terrain.ts';
import { count, versionOf, type World } from '../../sim/core/world.ts';
import { pointsOf } from '../../sim/terrain/ground.ts';
import { terrains as terrainsOf } from '../../sim/terrain/terrain.ts';
import { posesNow } from '../../sim/transform/poses-now.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf, worldwide } from './identity.ts';

export interface FrameTerrain {
	readonly id: number;
	readonly generation: number;
	/** Position of its corner (m). */
	readonly position: readonly [number, number, number];
	/** Unit quaternion. */
	readonly rotation: readonly [number, number, number, number];
	/** Points along x and along z. */
	readonly width: number;
	readonly height: number;
	/** Metres between neighbouring points. */
	readonly cell_size: number;
	/** Number of each chunk, in rows along x; 0 for a flat, unpainted chunk. */
	readonly chunks: readonly number[];
}

/** Points of a chunk. The arrays belong to the world, so they must not be written to or transferred. */
export interface FrameChunk {
	readonly number: number;
	/** Heights in metres, in rows along x; empty if all are 0. */
	readonly heights: Float32Array;
	/** Four bytes per point; empty if the chunk is unpainted. */
	readonly paint: Uint8Array;
}

export interface FrameTerrains {
	readonly terrains: readonly FrameTerrain[];
	/** Chunks that the reader does not have. */
	readonly chunks: readonly FrameChunk[];
}

/** Terrains of a world, and their version. */
interface TerrainMemo {
	/** Version of the components from which it was read. */
	readonly made: number;
	readonly version: number;
	readonly terrains: readonly FrameTerrain[];
	readonly grounds: readonly TerrainGround[];
}

/** Number of versions whose chunks are remembered. A reader with an older version gets all chunks. */
const REMEMBERED = 64;

const standing = new WeakMap<World, TerrainMemo>();
const chunksOf = new Map<number, ReadonlySet<number>>();

const numberOf = (ground: TerrainGround, index: number): number => {
	const chunk = ground.chunks[index] ?? FLAT_CHUNK;
	return chunk.heights === '' && chunk.paint === '' ? 0 : worldwide(identityOf(chunk));
};

function placed(world: World): Pick<TerrainMemo, 'terrains' | 'grounds'> {
	const { position, rotation } = posesNow(world);
	const found = terrainsOf(world);
	const terrains = found.map(({ id, ground }): FrameTerrain => {
		const part = (column: ArrayLike<number>, size: number) =>
			Array.from({ length: size }, (_, axis) => column[id * size + axis]!);
		return {
			id,
			generation: world.entities.generations.data[id]!,
			position: part(position, 3) as unknown as FrameTerrain['position'],
			rotation: part(rotation, 4) as unknown as FrameTerrain['rotation'],
			width: ground.width,
			height: ground.height,
			cell_size: ground.cell_size,
			chunks: Array.from({ length: chunkCount(ground) }, (_, index) => numberOf(ground, index)),
		};
	});
	return { terrains, grounds: found.map(({ ground }) => ground) };
}

/** Returns true if two lists of terrains look the same. */
function alike(some: TerrainMemo, others: Pick<TerrainMemo, 'terrains' | 'grounds'>): boolean {
	if (some.grounds.length !== others.grounds.length) return false;
	return some.terrains.every((terrain, at) => {
		const other = others.terrains[at]!;
		return (
			some.grounds[at] === others.grounds[at] &&
			terrain.id === other.id &&
			terrain.generation === other.generation &&
			terrain.position.every((part, axis) => part === other.position[axis]) &&
			terrain.rotation.every((part, axis) => part === other.rotation[axis])
		);
	});
}

/** Returns the current terrains of a world. They keep their version while no terrain changes. */
function now(world: World): TerrainMemo {
	const sourceVersion = Math.max(
		versionOf(world, Terrain, 'ground'),
		versionOf(world, LocalTransform, 'position', 'rotation'),
		versionOf(world, Parent, 'entity'),
	);
	const before = standing.get(world);
	if (before?.made === sourceVersion) return before;
	const next = placed(world);
	const unchanged = before !== undefined && alike(before, next) ? before : null;
	const memo = { ...next, made: sourceVersion, version: unchanged?.version ?? identityOf(next) };
	standing.set(world, memo);
	if (unchanged === null) remember(memo);
	return memo;
}

function remember({ version, terrains }: TerrainMemo): void {
	chunksOf.set(version, new Set(terrains.flatMap(({ chunks }) => chunks)));
	for (const oldest of chunksOf.keys()) {
		if (chunksOf.size <= REMEMBERED) return;
		chunksOf.delete(oldest);
	}
}

export const terrains: DrawnBlock<FrameTerrains> = {
	version: (world) => (count(world, Terrain) === 0 ? 0 : now(world).version),
	read(world, _slots, known) {
		if (count(world, Terrain) === 0) return { terrains: [], chunks: [] };
		const { terrains, grounds } = now(world);
		const knownChunks = new Set([0, ...((known !== undefined && chunksOf.get(known)) || [])]);
		const chunks: FrameChunk[] = [];
		terrains.forEach((terrain, at) => {
			terrain.chunks.forEach((number, index) => {
				if (knownChunks.has(number)) return;
				knownChunks.add(number);
				const ground = grounds[at]!;
				const { heights, paint } = pointsOf(ground, index);
				const texts = ground.chunks[index]!;
				chunks.push({
					number,
					heights: texts.heights === '' ? heights.subarray(0, 0) : heights,
					paint: texts.paint === '' ? paint.subarray(0, 0) : paint,
				});
			});
		});
		return { terrains, chunks };
	},
};
