/**
 * Terrains of a world, and the chunks of points that the reader does not have.
 * Owns: the list of the chunks in each version of the block, so that after an edit only changed chunks are sent.
 */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { Terrain } from '../../../shared/components/terrain.ts';
import { chunkCount, FLAT_CHUNK, type TerrainGround } from '../../../shared/media/terrain.ts';
import { count, versionOf, type World } from '../../sim/core/world.ts';
import { pointsOf } from '../../sim/terrain/ground.ts';
import { terrains as terrainsOf } from '../../sim/terrain/terrain.ts';
import { currentPoses } from '../../sim/transform/poses-now.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf, toViewNumber } from './identity.ts';

export interface FrameTerrain {
	readonly id: number;
	readonly generation: number;
	/** Position of the terrain's corner (m). */
	readonly position: readonly [number, number, number];
	/** Unit quaternion. */
	readonly rotation: readonly [number, number, number, number];
	/** Numbers of points along x and along z. */
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
	/** Version of the components from which the terrains were read. */
	readonly sourceVersion: number;
	readonly version: number;
	readonly terrains: readonly FrameTerrain[];
	readonly grounds: readonly TerrainGround[];
}

/** Number of versions whose chunks are remembered. A reader with an older version gets all chunks. */
const MAX_VERSIONS = 64;

const memos = new WeakMap<World, TerrainMemo>();
const chunksByVersion = new Map<number, ReadonlySet<number>>();

const chunkNumberOf = (ground: TerrainGround, index: number): number => {
	const chunk = ground.chunks[index] ?? FLAT_CHUNK;
	return chunk.heights === '' && chunk.paint === '' ? 0 : toViewNumber(identityOf(chunk));
};

function readTerrains(world: World): Pick<TerrainMemo, 'terrains' | 'grounds'> {
	const { position, rotation } = currentPoses(world);
	const worldTerrains = terrainsOf(world);
	const terrains = worldTerrains.map(({ id, ground }): FrameTerrain => {
		const vectorOf = (column: ArrayLike<number>, size: number) =>
			Array.from({ length: size }, (_, axis) => column[id * size + axis]!);
		return {
			id,
			generation: world.entities.generations.data[id]!,
			position: vectorOf(position, 3) as unknown as FrameTerrain['position'],
			rotation: vectorOf(rotation, 4) as unknown as FrameTerrain['rotation'],
			width: ground.width,
			height: ground.height,
			cell_size: ground.cell_size,
			chunks: Array.from({ length: chunkCount(ground) }, (_, index) => chunkNumberOf(ground, index)),
		};
	});
	return { terrains, grounds: worldTerrains.map(({ ground }) => ground) };
}

/** Returns true if two lists of terrains are equal in the picture. */
function areEqual(first: TerrainMemo, second: Pick<TerrainMemo, 'terrains' | 'grounds'>): boolean {
	if (first.grounds.length !== second.grounds.length) return false;
	return first.terrains.every((terrain, index) => {
		const other = second.terrains[index]!;
		return (
			first.grounds[index] === second.grounds[index] &&
			terrain.id === other.id &&
			terrain.generation === other.generation &&
			terrain.position.every((part, axis) => part === other.position[axis]) &&
			terrain.rotation.every((part, axis) => part === other.rotation[axis])
		);
	});
}

/** Returns the current terrains of a world. They keep their version while no terrain changes. */
function currentTerrains(world: World): TerrainMemo {
	const sourceVersion = Math.max(
		versionOf(world, Terrain, 'ground'),
		versionOf(world, LocalTransform, 'position', 'rotation'),
		versionOf(world, Parent, 'entity'),
	);
	const previous = memos.get(world);
	if (previous?.sourceVersion === sourceVersion) return previous;
	const next = readTerrains(world);
	const unchanged = previous !== undefined && areEqual(previous, next) ? previous : null;
	const memo = { ...next, sourceVersion, version: unchanged?.version ?? identityOf(next) };
	memos.set(world, memo);
	if (unchanged === null) rememberChunks(memo);
	return memo;
}

function rememberChunks({ version, terrains }: TerrainMemo): void {
	chunksByVersion.set(version, new Set(terrains.flatMap(({ chunks }) => chunks)));
	for (const oldest of chunksByVersion.keys()) {
		if (chunksByVersion.size <= MAX_VERSIONS) return;
		chunksByVersion.delete(oldest);
	}
}

export const terrains: DrawnBlock<FrameTerrains> = {
	version: (world) => (count(world, Terrain) === 0 ? 0 : currentTerrains(world).version),
	read(world, _slots, known) {
		if (count(world, Terrain) === 0) return { terrains: [], chunks: [] };
		const { terrains, grounds } = currentTerrains(world);
		const knownChunks = new Set([0, ...((known !== undefined && chunksByVersion.get(known)) || [])]);
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
