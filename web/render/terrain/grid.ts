/**
 * Points of one terrain in one grid, combined from its chunks.
 * Owns: the numbers, and the comparison of new chunks with old ones. Never: touches three.js.
 */

import { CHUNK, chunkPlace } from '../../../shared/media/terrain.ts';
import type { FrameChunk, FrameTerrain } from '../../frames/frames.ts';

export class TerrainGrid {
	readonly width: number;
	readonly height: number;
	readonly cell: number;
	/** Heights of the points in rows along x (m). */
	readonly heights: Float32Array;
	/** Four bytes per point: the share of each layer. 255 is the whole. */
	readonly paint: Uint8Array;
	readonly #chunks: number[];
	readonly #ranges: Float32Array;
	lowest = 0;
	highest = 0;

	constructor({ width, height, cell_size, chunks }: FrameTerrain) {
		this.width = width;
		this.height = height;
		this.cell = cell_size;
		this.heights = new Float32Array(width * height);
		this.paint = new Uint8Array(width * height * 4);
		this.#chunks = chunks.map(() => 0);
		this.#ranges = new Float32Array(chunks.length * 2);
	}

	/** Returns true if a terrain has the same number and distance of points. */
	fits({ width, height, cell_size }: FrameTerrain): boolean {
		return width === this.width && height === this.height && cell_size === this.cell;
	}

	/** Copies changed chunks of a terrain. Returns their indices. */
	update({ chunks }: FrameTerrain, points: ReadonlyMap<number, FrameChunk>): number[] {
		const changedChunks: number[] = [];
		chunks.forEach((number, index) => {
			if (this.#chunks[index] === number) return;
			this.#chunks[index] = number;
			this.#copy(index, points.get(number));
			changedChunks.push(index);
		});
		if (changedChunks.length > 0) {
			[this.lowest, this.highest] = [Infinity, -Infinity];
			for (let offset = 0; offset < this.#ranges.length; offset += 2) {
				this.lowest = Math.min(this.lowest, this.#ranges[offset]!);
				this.highest = Math.max(this.highest, this.#ranges[offset + 1]!);
			}
		}
		return changedChunks;
	}

	/** Returns the height of a point (m); outside the grid, the height of the nearest point. */
	heightAt(column: number, row: number): number {
		const nearestColumn = Math.min(Math.max(column, 0), this.width - 1);
		const nearestRow = Math.min(Math.max(row, 0), this.height - 1);
		return this.heights[nearestRow * this.width + nearestColumn]!;
	}

	#copy(index: number, chunk: FrameChunk | undefined): void {
		const { column, row, columns, rows } = chunkPlace(this, index);
		let [lowest, highest] = [Infinity, -Infinity];
		for (let chunkRow = 0; chunkRow < rows; chunkRow++) {
			const source = chunkRow * columns;
			const target = (row + chunkRow) * this.width + column;
			const heights = this.heights.subarray(target, target + columns);
			const paint = this.paint.subarray(target * 4, (target + columns) * 4);
			if (chunk === undefined || chunk.heights.length === 0) heights.fill(0);
			else heights.set(chunk.heights.subarray(source, source + columns));
			if (chunk === undefined || chunk.paint.length === 0) paint.fill(0);
			else paint.set(chunk.paint.subarray(source * 4, (source + columns) * 4));
			for (const height of heights) {
				lowest = Math.min(lowest, height);
				highest = Math.max(highest, height);
			}
		}
		this.#ranges.set([lowest, highest], index * 2);
	}
}

/** Points of a drawn chunk: its own, and the first row and column of the next chunks. */
export interface Patch {
	readonly column: number;
	readonly row: number;
	/** Points along x, from 2 to 33; 1 if there is nothing to draw. */
	readonly columns: number;
	/** Points along z, from 2 to 33; 1 if there is nothing to draw. */
	readonly rows: number;
}

export function patchOf(grid: Pick<TerrainGrid, 'width' | 'height'>, index: number): Patch {
	const { column, row } = chunkPlace(grid, index);
	return {
		column,
		row,
		columns: Math.min(CHUNK + 1, grid.width - column),
		rows: Math.min(CHUNK + 1, grid.height - row),
	};
}
