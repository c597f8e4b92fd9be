/**
 * Foliage: layers of plants over rectangles of ground.
 * Owns: the fields of a layer, its limits, and the position of each plant. A world stores only layers. All readers
 * compute the same plants from them, because the arithmetic is exact.
 */

import * as z from 'zod';
import { isMeshFile, PRIMITIVES } from '../components/mesh.ts';
import { namesAsset } from '../contract/asset-mark.ts';
import { entityId, generation, integer, number, position } from '../contract/values.ts';
import { parseColor } from '../media/palette.ts';
import type { SurfacePoint } from '../media/terrain.ts';

/** Maximum number of plants of all layers of a world. */
export const MAX_PLANTS = 200_000;
/** Maximum number of layers of a world. */
export const MAX_LAYERS = 64;

/** Plants and primitives that a layer can consist of. */
export const PLANTS = ['grass', 'flower', 'bush', 'tree', 'pine', 'rock', ...PRIMITIVES] as const;
export type Plant = (typeof PLANTS)[number];

export const isPlant = (mesh: string): mesh is Plant => (PLANTS as readonly string[]).includes(mesh);

/** Returns the default sway of a plant in the wind. */
export const defaultWind = (mesh: string): number => {
	if (mesh === 'grass' || mesh === 'flower') return 1;
	if (mesh === 'rock' || !isPlant(mesh) || (PRIMITIVES as readonly string[]).includes(mesh)) return 0;
	return 0.4;
};

const MAX_DISTANCE = 1e5;

export const foliageFields = {
	density: number('Plants per square metre', { unit: '1/m2', min: 0, max: 1000 }),
	area_min: position.describe(
		'One corner of the area [x, y, z] (m); plants without ground below them are placed between the heights of both corners',
	),
	area_max: position.describe('The opposite corner [x, y, z] (m)'),
	min_scale: number('Smallest scale', { unit: 'factor', min: 0.01, max: 100 }),
	max_scale: number('Largest scale', { unit: 'factor', min: 0.01, max: 100 }),
	max_distance: number('Distance from the camera beyond which they are not drawn', {
		unit: 'm',
		min: 0,
		max: MAX_DISTANCE,
	}),
	seed: integer('Seed of their positions'),
	wind: number('Sway in the wind. 0: none. 1: as much as grass', { unit: 'factor', min: 0, max: 4 }),
	max_slope: number('Steepest ground for plants: metres of height per metre of distance', {
		min: 0,
		max: 1000,
	}),
};

const modelFile = z
	.string()
	.max(200)
	.refine(isMeshFile, 'it must be the path of a model file')
	.meta(namesAsset('model'));

/** A layer in a world. */
export const foliageLayer = z.strictObject({
	id: integer('Its id: rises with every layer', { min: 1 }),
	mesh: z
		.union([z.enum(PLANTS), modelFile])
		.describe('Mesh of a plant: a plant name, a primitive, or the path of a model file'),
	...foliageFields,
	color: z.string().nullable().describe('Colour of the leaves; null: that of the plant'),
	terrain: z
		.strictObject({ entity_id: entityId, entity_generation: generation })
		.nullable()
		.describe('The only terrain they grow on; null: any ground below them'),
});
export type FoliageLayer = Readonly<z.output<typeof foliageLayer>>;

/** Returns the maximum number of plants of a layer, on any ground. */
export const maxPlants = (layer: Pick<FoliageLayer, 'density' | 'area_min' | 'area_max'>): number => {
	const { columns, rows } = squaresOf(layer);
	return columns * rows;
};

/** Maximum id in a document. It leaves room for the ids of later layers. */
const MAX_ID = 1e9;

/** Schema of all layers in calls, with the limits on their numbers of plants. */
export const foliageLayers = z
	.array(
		foliageLayer
			.refine(
				({ density, area_min, area_max }) =>
					density > 0 && area_max[0] > area_min[0] && area_max[1] >= area_min[1] && area_max[2] > area_min[2],
				'a layer must have a density above 0, and an area_max beyond its area_min',
			)
			.refine(({ min_scale, max_scale }) => max_scale >= min_scale, 'max_scale must be at least min_scale')
			.refine(
				({ color }) => color === null || parseColor(color) === color,
				'a color must be a palette name in lower case, or "r,g,b" with parts from 0 to 1',
			),
	)
	.max(MAX_LAYERS)
	.refine(
		(layers) => layers.every(({ id }, index) => id <= MAX_ID && id > (layers[index - 1]?.id ?? 0)),
		`the ids of layers must be ascending and at most ${MAX_ID}`,
	)
	.refine(
		(layers) => layers.reduce((sum, layer) => sum + maxPlants(layer), 0) <= MAX_PLANTS,
		`all layers together have at most ${MAX_PLANTS} plants`,
	);

/** Position and look of one plant in the world. */
export interface PlantPlace {
	readonly x: number;
	readonly y: number;
	readonly z: number;
	readonly scale: number;
	/** Share of a whole turn about y. */
	readonly turn: number;
	/** Random number from 0 to just below 1, for other differences between plants. */
	readonly shade: number;
}

/** The squares of a layer, each with one plant: columns along x, rows along z. */
export interface Squares {
	readonly columns: number;
	readonly rows: number;
}

/** Returns the numbers of squares of a layer. */
export function squaresOf({
	density,
	area_min,
	area_max,
}: Pick<FoliageLayer, 'density' | 'area_min' | 'area_max'>): Squares {
	const alongAxis = (axis: 0 | 2) =>
		Math.max(1, Math.round((area_max[axis]! - area_min[axis]!) * Math.sqrt(density)));
	return { columns: alongAxis(0), rows: alongAxis(2) };
}

/**
 * Returns a pseudorandom number from 0 to just below 1, for a square and the number of the draw. Its bits are mixed as
 * in the last steps of MurmurHash3.
 */
function randomShare(seed: number, column: number, row: number, draw: number): number {
	let mixed =
		Math.imul(seed, 0x9e3779b1) ^
		Math.imul(column, 0x85ebca77) ^
		Math.imul(row, 0xc2b2ae3d) ^
		Math.imul(draw, 0x27d4eb2f);
	mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
	mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
	return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** Largest distance of a plant from the middle of its square, as a share of the square. */
const MAX_OFFSET = 0.46;

/** Ground that plants can stand on. */
export interface PlantGround {
	readonly id: number;
	readonly generation: number;
	readonly position: readonly [number, number, number];
	/** Unit quaternion x, y, z, w. */
	readonly rotation: readonly [number, number, number, number];
	/** Returns the surface at a position relative to the corner of the ground (m); null outside. */
	surface(x: number, z: number): SurfacePoint | null;
}

/** Returns the highest ground at a position: its height `y` (m), and the y of its normal. Null without ground. Tilted ground is ignored. */
function groundUnder(
	grounds: readonly PlantGround[],
	x: number,
	z: number,
): { y: number; up: number } | null {
	let highest: { y: number; up: number } | null = null;
	for (const { position, rotation, surface } of grounds) {
		const [rx, ry, rz, rw] = rotation;
		if (Math.abs(rx) > 1e-6 || Math.abs(rz) > 1e-6) continue;
		const [dx, dz] = [x - position[0], z - position[2]];
		// The offset is rotated back about y. Double-angle formulas give the cosine and sine of the angle.
		const [cos, sin] = [rw * rw - ry * ry, 2 * rw * ry];
		const point = surface(cos * dx - sin * dz, sin * dx + cos * dz);
		if (point === null) continue;
		const y = point.height + position[1];
		if (highest === null || y > highest.y) highest = { y, up: point.normal[1] };
	}
	return highest;
}

/** Calls `visit` for each plant of a layer, in the squares from `from` to before `to`; by default in all squares. */
export function visitPlants(
	layer: FoliageLayer,
	grounds: readonly PlantGround[],
	visit: (plant: PlantPlace) => void,
	from: Squares = { columns: 0, rows: 0 },
	to: Squares = squaresOf(layer),
): void {
	const { area_min, area_max, min_scale, max_scale, seed, max_slope, terrain } = layer;
	const { columns, rows } = squaresOf(layer);
	const allowedGrounds =
		terrain === null
			? grounds
			: grounds.filter(
					({ id, generation }) => id === terrain.entity_id && generation === terrain.entity_generation,
				);
	const interpolate = (low: number, high: number, part: number) => low + (high - low) * part;
	const minUp = 1 / Math.sqrt(1 + max_slope * max_slope);
	for (let row = from.rows; row < to.rows; row++)
		for (let column = from.columns; column < to.columns; column++) {
			const draw = (number: number) => randomShare(seed, column, row, number);
			const offset = (number: number) => 0.5 + (draw(number) * 2 - 1) * MAX_OFFSET;
			const x = interpolate(area_min[0], area_max[0], (column + offset(0)) / columns);
			const z = interpolate(area_min[2], area_max[2], (row + offset(1)) / rows);
			const ground = groundUnder(allowedGrounds, x, z);
			if (ground === null ? terrain !== null : ground.up < minUp) continue;
			const y = ground?.y ?? interpolate(area_min[1], area_max[1], draw(2));
			visit({ x, y, z, scale: interpolate(min_scale, max_scale, draw(3)), turn: draw(4), shade: draw(5) });
		}
}
