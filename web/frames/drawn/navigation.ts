/**
 * The navigation mesh and the paths on it, while they are shown.
 * Owns: the joining of neighbouring places in one plane to rectangles.
 */

import { Path } from '../../../shared/components/path.ts';
import { each, read, versionOf } from '../../sim/core/world.ts';
import type { NavMesh } from '../../sim/navigation/mesh.ts';
import { updateNavigation } from '../../sim/navigation/navigation.part.ts';
import { isNavmeshShown } from '../../sim/navigation/settings.ts';
import { topsOf } from '../../sim/navigation/tops.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf } from './identity.ts';

export interface FrameNavmesh {
	/** Four corners per rectangle, three coordinates each (m). */
	readonly corners: Float32Array;
	/** Kind of each rectangle: 0 normal cost, 1 other cost, 2 on top of an obstacle. */
	readonly kinds: Uint8Array;
}

const emptyNavmesh = (): FrameNavmesh => ({ corners: new Float32Array(0), kinds: new Uint8Array(0) });
/** No row is begun after this number of rectangles. A mesh of a million slopes would fill the memory of the view. */
const MAX_RECTANGLES = 300_000;

export const navmesh: DrawnBlock<FrameNavmesh> = {
	version(world) {
		if (!isNavmeshShown(world)) return 0;
		const { mesh } = updateNavigation(world);
		return mesh === null ? 0 : identityOf(mesh);
	},
	read(world) {
		const { mesh } = isNavmeshShown(world) ? updateNavigation(world) : { mesh: null };
		return mesh === null ? emptyNavmesh() : joinRectangles(mesh);
	},
};

function joinRectangles(mesh: NavMesh): FrameNavmesh {
	const { settings, width, height, firstPlace, y, riseX, riseZ, cost } = mesh;
	const { min_x, min_z, cell_size: edge } = settings;
	const tops = topsOf(mesh);
	const corners: number[] = [];
	const kinds: number[] = [];
	const kindOf = (place: number): number => (tops[place] === 1 ? 2 : cost[place] === 1 ? 0 : 1);
	/** Returns true if `place`, `length` cells further along x, continues the plane of the place `from`. */
	const continuesPlane = (from: number, place: number, length: number): boolean =>
		riseX[place] === riseX[from] &&
		riseZ[place] === riseZ[from] &&
		kindOf(place) === kindOf(from) &&
		Math.abs(y[from]! + length * edge * riseX[from]! - y[place]!) < 1e-3;
	const addRectangle = (place: number, row: number, left: number, length: number) => {
		const half = edge / 2;
		const lastEdge = length * edge - half;
		const [x, z] = [min_x + (left + 0.5) * edge, min_z + (row + 0.5) * edge];
		for (const [dx, dz] of [
			[-half, -half],
			[-half, half],
			[lastEdge, half],
			[lastEdge, -half],
		] as const)
			corners.push(x + dx, y[place]! + dx * riseX[place]! + dz * riseZ[place]!, z + dz);
		kinds.push(kindOf(place));
	};
	for (let row = 0; row < height && kinds.length < MAX_RECTANGLES; row++)
		for (let column = 0; column < width; column++) {
			const cell = row * width + column;
			const placeCount = firstPlace[cell + 1]! - firstPlace[cell]!;
			for (let i = 1; i < placeCount; i++) addRectangle(firstPlace[cell]! + i, row, column, 1);
			if (placeCount === 0) continue;
			const from = firstPlace[cell]!;
			let length = 1;
			while (
				placeCount === 1 &&
				column + length < width &&
				firstPlace[cell + length + 1]! - firstPlace[cell + length]! === 1 &&
				continuesPlane(from, firstPlace[cell + length]!, length)
			)
				length++;
			addRectangle(from, row, column, length);
			column += length - 1;
		}
	return { corners: Float32Array.from(corners), kinds: Uint8Array.from(kinds) };
}

/** Remaining segments of every path, six numbers each: x, y, z of both ends (m). */
export const paths: DrawnBlock<Float32Array> = {
	version: (world) => (isNavmeshShown(world) ? versionOf(world, Path, 'waypoints', 'next') : 0),
	read(world) {
		const segments: number[] = [];
		if (isNavmeshShown(world)) {
			const waypoints = read(world, Path, 'waypoints');
			const next = read(world, Path, 'next');
			each(world, [Path], (slot) => {
				const points = waypoints[slot]!;
				for (let i = Math.max(1, next[slot]!); i < points.length; i++)
					segments.push(...points[i - 1]!, ...points[i]!);
			});
		}
		return Float32Array.from(segments);
	},
};
