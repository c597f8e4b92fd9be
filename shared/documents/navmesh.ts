/**
 * Settings of a navigation mesh: its extent, the size of walkers, and the cost of walking by area.
 * Owns: their ranges, and the checks between them. Never: computes a mesh.
 */

import * as z from 'zod';
import { FAR, number } from '../contract/values.ts';

/** Maximum number of cells of a mesh. A cell takes about 50 bytes. */
export const MAX_CELLS = 1 << 20;
const MAX_AREAS = 256;

const edge = (description: string) => number(description, { unit: 'm', min: -FAR, max: FAR });

export const navmeshArea = z
	.strictObject({
		min_x: edge('Lowest x'),
		min_z: edge('Lowest z'),
		max_x: edge('Highest x'),
		max_z: edge('Highest z'),
		cost: z
			.union([z.literal(0), z.number().min(0.1).max(1000)])
			.describe('Cost of a metre: 1 elsewhere, higher: avoided, lower: preferred, 0: not walkable'),
	})
	.describe('A rectangle on the ground with its own walking cost')
	.meta({ id: 'NavmeshArea' });

export const navmeshFields = {
	cell_size: number('Edge of a cell', { unit: 'm', min: 0.05, max: 100 }),
	min_x: edge('Lowest x of the mesh'),
	min_z: edge('Lowest z of the mesh'),
	max_x: edge('Highest x of the mesh'),
	max_z: edge('Highest z of the mesh'),
	agent_radius: number('Distance from the middle of a walker to obstacles; at most 16 cells', {
		unit: 'm',
		min: 0,
		max: 100,
	}),
	agent_height: number('Free height that a walker needs', { unit: 'm', min: 0.1, max: 100 }),
	max_slope: number('Steepest ground that can be walked', { unit: 'degrees', min: 0, max: 85 }),
	step_height: number('Highest step that can be walked, up or down; at most half of agent_height', {
		unit: 'm',
		min: 0,
		max: 50,
	}),
	floor: number(
		'Height of a flat floor; it is added where no static collider or terrain is at or below this height. null: no such floor',
		{
			unit: 'm',
			min: -FAR,
			max: FAR,
		},
	).nullable(),
	areas: z
		.array(navmeshArea)
		.max(MAX_AREAS)
		.describe('Areas with their own walking cost; if several overlap, the last counts'),
};

/** Settings in worlds and documents. */
export const navmeshSettings = z.strictObject(navmeshFields);

export type NavmeshSettings = z.output<typeof navmeshSettings>;

export const DEFAULT_NAVMESH: NavmeshSettings = {
	cell_size: 1,
	min_x: -50,
	min_z: -50,
	max_x: 50,
	max_z: 50,
	agent_radius: 0.5,
	agent_height: 1.8,
	max_slope: 45,
	step_height: 0.4,
	floor: 0,
	areas: [],
};

/** Returns the number of cells along x (`width`) and along z (`height`). */
export function cellsOf({ cell_size, min_x, min_z, max_x, max_z }: NavmeshSettings): {
	readonly width: number;
	readonly height: number;
} {
	return {
		width: Math.ceil((max_x - min_x) / cell_size),
		height: Math.ceil((max_z - min_z) / cell_size),
	};
}

/** Returns the largest distance in cells at which an obstacle makes a cell too narrow. */
export function marginOf({ agent_radius, cell_size }: NavmeshSettings): number {
	return Math.max(0, Math.ceil(agent_radius / cell_size + 0.5) - 1);
}

/** Maximum of `marginOf` (cells). */
export const MAX_MARGIN = 16;

/** Returns the first conflict between settings, with its field; null without a conflict. */
export function settingsConflict(
	settings: NavmeshSettings,
): readonly [field: string, problem: string, fix: string] | null {
	const { min_x, max_x, min_z, max_z, cell_size, agent_height, step_height, areas } = settings;
	if (max_x <= min_x)
		return [
			'max_x',
			`max_x must be above min_x ${min_x}, got ${max_x}.`,
			'Send a larger max_x or a smaller min_x.',
		];
	if (max_z <= min_z)
		return [
			'max_z',
			`max_z must be above min_z ${min_z}, got ${max_z}.`,
			'Send a larger max_z or a smaller min_z.',
		];
	const { width, height } = cellsOf(settings);
	if (width * height > MAX_CELLS)
		return [
			'cell_size',
			`The area has ${width} x ${height} = ${width * height} cells of ${cell_size} m; a navigation mesh has at most ${MAX_CELLS}.`,
			'Send a larger cell_size, or a smaller area with min_x, min_z, max_x and max_z.',
		];
	if (marginOf(settings) > MAX_MARGIN)
		return [
			'agent_radius',
			`agent_radius must be at most ${MAX_MARGIN} cells of ${cell_size} m, got ${settings.agent_radius} m.`,
			'Send a smaller agent_radius or a larger cell_size.',
		];
	if (step_height > agent_height / 2)
		return [
			'step_height',
			`step_height must be at most half of agent_height ${agent_height} m, got ${step_height} m.`,
			'Send a smaller step_height or a larger agent_height.',
		];
	const reversed = areas.findIndex((area) => area.max_x < area.min_x || area.max_z < area.min_z);
	if (reversed >= 0)
		return [
			`areas[${reversed}]`,
			'The area must have max_x of at least min_x and max_z of at least min_z.',
			'Swap the minimum and the maximum, or send a larger maximum.',
		];
	return null;
}
