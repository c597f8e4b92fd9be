/** Ground in the view: vertices, levels, skirts, and the hits of a ray. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkCount, chunkPlace } from '../../../shared/media/terrain.ts';
import type { FrameChunk, FrameTerrain } from '../../../web/frames/frames.ts';
import { type Patch, patchOf, TerrainGrid } from '../../../web/render/terrain/grid.ts';
import { LEVELS, patchTriangles, patchVertices } from '../../../web/render/terrain/patch.ts';
import { hitGround } from '../../../web/render/terrain/ray.ts';
import { check } from '../../support/property.ts';

/** Returns a grid with heights by a function of column and row. */
function gridOf(width: number, height: number, at: (column: number, row: number) => number, cell = 1) {
	const sides = { width, height };
	const chunks: FrameChunk[] = Array.from({ length: chunkCount(sides) }, (_, index) => {
		const { column, row, columns, rows } = chunkPlace(sides, index);
		const heights = Float32Array.from({ length: columns * rows }, (__, i) =>
			at(column + (i % columns), row + Math.floor(i / columns)),
		);
		return { number: index + 1, heights, paint: new Uint8Array(0) };
	});
	const terrain: FrameTerrain = {
		id: 0,
		generation: 0,
		position: [0, 0, 0],
		rotation: [0, 0, 0, 1],
		width,
		height,
		cell_size: cell,
		chunks: chunks.map(({ number }) => number),
	};
	const grid = new TerrainGrid(terrain);
	const others = grid.update(terrain, new Map(chunks.map((chunk) => [chunk.number, chunk])));
	return { grid, terrain, others };
}

const bumpy = (column: number, row: number) => Math.sin(column * 0.7) * 3 + Math.cos(row * 0.45 + column) * 2;

function patches(grid: TerrainGrid): Patch[] {
	return Array.from({ length: chunkCount(grid) }, (_, index) => patchOf(grid, index)).filter(
		({ columns, rows }) => columns > 1 && rows > 1,
	);
}

test('a grid knows its changed chunks, and its lowest and highest point', () => {
	const { grid, terrain, others } = gridOf(70, 40, bumpy);
	expect(others).toEqual([0, 1, 2, 3, 4, 5]);
	expect(grid.heightAt(69, 39)).toBeCloseTo(bumpy(69, 39), 5);
	const flat = { ...terrain, chunks: terrain.chunks.map((number, index) => (index === 4 ? 0 : number)) };
	expect(grid.update(flat, new Map())).toEqual([4]);
	expect(grid.heightAt(40, 35)).toBe(0);
	expect(grid.heightAt(30, 35)).toBeCloseTo(bumpy(30, 35), 5);
	expect(grid.lowest).toBe(Math.min(...grid.heights));
	expect(grid.highest).toBe(Math.max(...grid.heights));
});

describe('patches', () => {
	const { grid } = gridOf(70, 40, bumpy, 0.5);
	const all = patches(grid).map((patch) => ({ patch, made: patchVertices(grid, patch) }));

	test('together cover the whole ground, with equal positions and normals at seams', () => {
		expect(all.reduce((sum, { patch }) => sum + (patch.columns - 1) * (patch.rows - 1), 0)).toBe(69 * 39);
		const seen = new Map<string, readonly number[]>();
		let shared = 0;
		for (const { patch, made } of all)
			for (let vertex = 0; vertex < patch.columns * patch.rows; vertex++) {
				const [x, y, z] = made.positions.subarray(vertex * 3);
				const own = [y!, ...made.normals.subarray(vertex * 3, vertex * 3 + 3)];
				const before = seen.get(`${x} ${z}`);
				if (before !== undefined) {
					expect(own).toEqual(before);
					shared++;
				}
				seen.set(`${x} ${z}`, own);
			}
		expect(seen.size).toBe(70 * 40);
		expect(shared).toBeGreaterThan(100);
	});

	test('on each level the surface covers the patch once, facing up', () => {
		for (const { patch, made } of all)
			for (let level = 0; level < LEVELS; level++) {
				const inner = patch.columns * patch.rows;
				const triangles = patchTriangles(patch.columns, patch.rows, level);
				let area = 0;
				for (let at = 0; at < triangles.length; at += 3) {
					if (triangles[at]! >= inner) continue;
					const [a, b, c] = [...triangles.subarray(at, at + 3)].map((v) => [
						made.positions[v * 3]!,
						made.positions[v * 3 + 2]!,
					]) as [[number, number], [number, number], [number, number]];
					// Twice the area, positive where the triangle faces up.
					const double = (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1]);
					expect(double).toBeGreaterThan(0);
					area += double / 2;
				}
				expect(area).toBeCloseTo((patch.columns - 1) * (patch.rows - 1) * 0.25, 4);
			}
	});

	test('between neighbours on any two levels, a skirt closes every gap', () => {
		for (const { patch, made } of all) {
			const right = all.find(
				(other) => other.patch.row === patch.row && other.patch.column === patch.column + patch.columns - 1,
			);
			if (right === undefined) continue;
			const inner = patch.columns * patch.rows;
			const side = (one: typeof right, column: number, level: number) => {
				const kept = new Set(patchTriangles(one.patch.columns, one.patch.rows, level));
				const rows = Array.from({ length: one.patch.rows }, (_, row) => row).filter((row) =>
					kept.has(row * one.patch.columns + column),
				);
				return (row: number) => {
					const from = rows.findLast((kept) => kept <= row)!;
					const to = rows.find((kept) => kept >= row)!;
					const y = (at: number) => one.made.positions[(at * one.patch.columns + column) * 3 + 1]!;
					return from === to ? y(from) : y(from) + ((y(to) - y(from)) * (row - from)) / (to - from);
				};
			};
			// The skirt's vertices of the right side follow those of the near one.
			const sunk = (row: number) => made.positions[(inner + 2 * patch.columns + 2 * row + 1) * 3 + 1]!;
			for (let own = 0; own < LEVELS; own++)
				for (let other = 0; other < LEVELS; other++) {
					const [here, there] = [
						side(all.find((candidate) => candidate.patch === patch)!, patch.columns - 1, own),
						side(right, 0, other),
					];
					for (let row = 0; row < patch.rows; row++) {
						if (here(row) <= there(row)) continue;
						// The skirt hangs from the kept points straight down: lowest where its line is.
						expect(sunk(row)).toBeLessThan(there(row));
					}
				}
		}
	});
});

test('a ray from any side hits the ground exactly', async () => {
	const { grid } = gridOf(70, 40, bumpy, 0.5);
	const height = (x: number, z: number): number => {
		const [column, row] = [Math.min(68, Math.floor(x / 0.5)), Math.min(38, Math.floor(z / 0.5))];
		const [u, v] = [x / 0.5 - column, z / 0.5 - row];
		const [near, right] = [grid.heightAt(column, row), grid.heightAt(column + 1, row)];
		const [far, last] = [grid.heightAt(column, row + 1), grid.heightAt(column + 1, row + 1)];
		if (u + v <= 1) return near + u * (right - near) + v * (far - near);
		return last + (1 - u) * (far - last) + (1 - v) * (right - last);
	};
	// From above, far enough from the edges that no ray comes in through a wall.
	const part = fc.double({ min: 0.3, max: 0.7, noNaN: true });
	const free = fc.double({ min: -0.3, max: 0.3, noNaN: true });
	await check(200, [part, part, free, free], (across, along, dx, dz) => {
		const target = [across * 34.5, 0, along * 19.5] as const;
		const length = Math.hypot(dx, 1.2, dz);
		const direction = [dx / length, -1.2 / length, dz / length] as const;
		const away = 20;
		const origin = [
			target[0] - direction[0] * away,
			height(target[0], target[2]) - direction[1] * away,
			target[2] - direction[2] * away,
		] as const;
		const distance = hitGround(grid, origin, direction);
		expect(distance).not.toBeNull();
		// It may meet a nearer bump; wherever it does, it is on the ground, and was above it all the way.
		expect(distance!).toBeLessThanOrEqual(away + 1e-3);
		const at = (d: number, axis: 0 | 1 | 2) => origin[axis] + direction[axis] * d;
		expect(at(distance!, 1)).toBeCloseTo(height(at(distance!, 0), at(distance!, 2)), 3);
		for (let d = 0; d < distance! - 0.01; d += 0.05) {
			const [x, z] = [at(d, 0), at(d, 2)];
			if (x < 0 || z < 0 || x > 34.5 || z > 19.5) continue;
			expect(at(d, 1)).toBeGreaterThan(height(x, z) - 1e-4);
		}
	});
	expect(hitGround(grid, [5, 50, 5], [0, 1, 0])).toBeNull();
	expect(hitGround(grid, [-5, 50, 5], [0, -1, 0])).toBeNull();
});
