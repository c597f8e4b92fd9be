/**
 * Depth of water over the ground of terrains, as a picture from above.
 * Owns: its resolution, and the depth that means "no terrain".
 */

import {
	DataTexture,
	DataUtils,
	HalfFloatType,
	LinearFilter,
	Quaternion,
	RedFormat,
	Vector3,
} from 'three/webgpu';
import { gridSurfaceAt } from '../../../shared/media/terrain.ts';
import type { FrameWater } from '../../frames/frames.ts';
import type { Terrains } from '../sync/terrains.ts';

type Area = FrameWater['areas'][number];

/** Distance between the points of the picture (m). */
const POINT_METRES = 0.4;
/** Maximum number of points along a side. */
const MAX_POINTS = 384;
/** Limit of stored depths (m). */
const MAX_DEPTH = 200;
/** Stored depth of positions without terrain. */
export const NO_TERRAIN = 1000;

const pointsAlong = (metres: number): number =>
	Math.min(MAX_POINTS, Math.max(2, Math.ceil(metres / POINT_METRES) + 1));

/** Returns the depths in an area. The first row is at the lowest z. The caller must dispose of the picture. */
export function bottomOf(level: number, area: Area, terrains: Terrains): DataTexture {
	const [columns, rows] = [pointsAlong(area.maxX - area.minX), pointsAlong(area.maxZ - area.minZ)];
	const heights = heightFunction(terrains, area);
	const depths = new Uint16Array(columns * rows);
	for (let row = 0; row < rows; row++)
		for (let column = 0; column < columns; column++) {
			const x = area.minX + ((area.maxX - area.minX) * column) / (columns - 1);
			const z = area.minZ + ((area.maxZ - area.minZ) * row) / (rows - 1);
			const height = heights(x, z);
			const depth = height === null ? NO_TERRAIN : Math.max(-MAX_DEPTH, Math.min(MAX_DEPTH, level - height));
			depths[row * columns + column] = DataUtils.toHalfFloat(depth);
		}
	const picture = new DataTexture(depths, columns, rows, RedFormat, HalfFloatType);
	picture.minFilter = picture.magFilter = LinearFilter;
	picture.needsUpdate = true;
	return picture;
}

/**
 * Returns a function that returns the height of the highest ground at a position, or null without ground (m).
 */
function heightFunction(terrains: Terrains, area: Area): (x: number, z: number) => number | null {
	const solids = new Map(terrains.solids().map((solid) => [solid.id, solid]));
	const isBelowArea = (id: number): boolean => {
		const { least, most } = solids.get(id)!;
		return least[0] <= area.maxX && most[0] >= area.minX && least[2] <= area.maxZ && most[2] >= area.minZ;
	};
	const grounds = terrains
		.grounds()
		.filter(({ terrain }) => isBelowArea(terrain.id))
		.map(({ terrain, grid }) => ({
			terrain,
			grid,
			inverseRotation: new Quaternion(...terrain.rotation).conjugate(),
		}));
	const local = new Vector3();
	// Sides of an area and of a terrain may coincide. Rounding must not put a point beside the terrain.
	const margin = 1e-4 * Math.min(area.maxX - area.minX, area.maxZ - area.minZ);
	const clampInside = (value: number, low: number, high: number) =>
		Math.min(high - margin, Math.max(low + margin, value));
	return (worldX, worldZ) => {
		const [x, z] = [clampInside(worldX, area.minX, area.maxX), clampInside(worldZ, area.minZ, area.maxZ)];
		let highest: number | null = null;
		for (const { terrain, grid, inverseRotation } of grounds) {
			local.set(x - terrain.position[0], 0, z - terrain.position[2]).applyQuaternion(inverseRotation);
			const surface = gridSurfaceAt(terrain, (column, row) => grid.heightAt(column, row), local.x, local.z);
			if (surface === null) continue;
			const height = surface.height + terrain.position[1];
			if (highest === null || height > highest) highest = height;
		}
		return highest;
	};
}
