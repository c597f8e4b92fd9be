/**
 * A tile of a navigation mesh: the places in a square of cells on which a walker can stand.
 * Owns: the definition of walkable. A tile depends only on the settings and the static things over it, so it is always
 * the same for the same inputs.
 *
 * Static things become columns of solid matter, one cell wide (as in M. Mononen's Recast, without its contours). In a
 * cell, a thing fills the range from its lowest to its highest point. A walker can stand on top of matter if the ground is
 * not too steep, there is enough height above, and no unwalkable cell is within the walker's radius.
 */

import { marginOf, type NavmeshSettings } from '../../../shared/documents/navmesh.ts';
import { FNV_OFFSET, fnv1a } from '../core/fnv.ts';
import { cos, tan } from '../core/math.ts';
import { clipToSquare } from './clip.ts';
import type { Effort } from './effort.ts';
import { type Field, heightsOf, type Solid, type Statics, type WaterRectangle } from './statics.ts';

/** Number of cells along a side of a tile. */
export const TILE = 32;

/** Places of a tile, cell by cell in rows along x, and from the lowest in each cell. A tile is never changed. */
export interface Tile {
	/** Number of cells along x and z. */
	readonly columns: number;
	readonly rows: number;
	/** Index of each cell's first place; one more entry than there are cells. */
	readonly firstPlace: Uint32Array;
	/** Height in the middle of the cell (m). */
	readonly y: Float32Array;
	/** Slope along x and z (m/m). */
	readonly riseX: Float32Array;
	readonly riseZ: Float32Array;
	/** Height at which matter begins above the place (m). */
	readonly ceiling: Float32Array;
	readonly cost: Float32Array;
	/** Hash of the tile. */
	readonly hash: bigint;
}

/** Matter within this distance is merged (m). */
const TOLERANCE = 1e-3;
const BOTTOM = -1e9;
const TOP = 1e9;

/** Matter in a cell from `low` to `high`, with its upper surface. */
interface Matter {
	readonly low: number;
	high: number;
	y: number;
	riseX: number;
	riseZ: number;
	isWalkable: boolean;
}

/** Working data while a tile is built: its cells and a border of cells around it. */
interface TileRaster {
	readonly settings: NavmeshSettings;
	/** Lowest x and z, and number of cells along the sides. */
	readonly x: number;
	readonly z: number;
	readonly columns: number;
	readonly rows: number;
	/** Vertical component of the normal of the steepest walkable ground, and its slope. */
	readonly minNormalY: number;
	readonly maxRise: number;
	readonly cells: (Matter[] | undefined)[];
}

/** Returns the width of the border of cells around a tile that affect its places. */
export const borderOf = (settings: NavmeshSettings): number => marginOf(settings) + 1;

interface CellRectangle {
	readonly column: number;
	readonly row: number;
	readonly columns: number;
	readonly rows: number;
}

/** Counts the pieces of matter of a tile, without building it. */
export function countTile(
	settings: NavmeshSettings,
	{ solids, fields }: Statics,
	cells: CellRectangle,
	effort: Effort,
): void {
	const raster = rasterOf(settings, cells);
	for (const field of fields) {
		const { left, right, near, far } = cellsUnder(raster, field);
		const cells = (right - left + 1) * (far - near + 1);
		effort.countPieces(cells);
		const squares = settings.cell_size / field.ground.cell_size;
		effort.countVisits(Math.min(cells * squares * squares, field.ground.width * field.ground.height));
	}
	for (const solid of solids) {
		if (!reachesInto(raster, solid)) continue;
		const { triangles } = solid;
		const bounds = boundsOf(raster, solid);
		effort.countVisits(triangles.length / 9);
		for (let corner = 0; corner < triangles.length; corner += 9) {
			if (surfaceOf(triangles, corner, raster.minNormalY) === null) continue;
			const { left, right, near, far } = cellsOfTriangle(raster, triangles, corner, bounds);
			effort.countPieces(Math.max(0, right - left + 1) * Math.max(0, far - near + 1));
		}
	}
}

/** Builds the tile whose first cell is at a column and row of the mesh. */
export function buildTile(
	settings: NavmeshSettings,
	{ solids, fields, waters }: Statics,
	cells: CellRectangle,
	effort: Effort,
): Tile {
	const raster = rasterOf(settings, cells);
	for (const field of fields) putField(raster, field);
	for (const solid of solids) putSolid(raster, solid);
	return cropToTile(
		raster,
		findStandingPlaces(raster, waters, effort),
		borderOf(settings),
		cells.columns,
		cells.rows,
	);
}

function rasterOf(settings: NavmeshSettings, cellsOfTile: CellRectangle): TileRaster {
	const border = borderOf(settings);
	const { cell_size: edge, max_slope } = settings;
	const angle = (max_slope * Math.PI) / 180;
	const columns = cellsOfTile.columns + 2 * border;
	const rows = cellsOfTile.rows + 2 * border;
	return {
		settings,
		x: settings.min_x + (cellsOfTile.column - border) * edge,
		z: settings.min_z + (cellsOfTile.row - border) * edge,
		columns,
		rows,
		// A slope of exactly the maximum is walkable, regardless of rounding.
		minNormalY: cos(angle) - 1e-6,
		maxRise: tan(angle) + 1e-6,
		cells: new Array<Matter[] | undefined>(columns * rows),
	};
}

function addMatter({ cells }: TileRaster, cell: number, matter: Matter): void {
	const matters = cells[cell];
	if (matters === undefined) cells[cell] = [matter];
	else matters.push(matter);
}

/** Returns the first and last cell along an axis that an interval overlaps. Touching a cell does not count. */
function cellRange(
	from: number,
	edge: number,
	count: number,
	low: number,
	high: number,
): readonly [number, number] {
	const first = Math.floor((low - from) / edge + 1e-7);
	const last = Math.ceil((high - from) / edge - 1e-7) - 1;
	return [Math.max(0, first), Math.min(count - 1, Math.max(first, last))];
}

/** First and last column and row of a rectangle of cells. */
interface CellRange {
	readonly left: number;
	readonly right: number;
	readonly near: number;
	readonly far: number;
}

type Extent = Pick<Solid, 'minX' | 'minZ' | 'maxX' | 'maxZ'>;

function cellsUnder(
	{ settings, x, z, columns, rows }: TileRaster,
	{ minX, minZ, maxX, maxZ }: Extent,
): CellRange {
	const [left, right] = cellRange(x, settings.cell_size, columns, minX, maxX);
	const [near, far] = cellRange(z, settings.cell_size, rows, minZ, maxZ);
	return { left, right, near, far };
}

function reachesInto({ settings, x, z, columns, rows }: TileRaster, solid: Extent): boolean {
	const { cell_size: edge } = settings;
	return (
		solid.maxX >= x && solid.minX <= x + columns * edge && solid.maxZ >= z && solid.minZ <= z + rows * edge
	);
}

/** Adds the ground of a terrain. It is matter all the way down. */
function putField(raster: TileRaster, field: Field): void {
	const { settings, columns } = raster;
	const edge = settings.cell_size;
	const { left, right, near, far } = cellsUnder(raster, field);
	for (let row = near; row <= far; row++)
		for (let column = left; column <= right; column++) {
			const minX = Math.max(0, raster.x + column * edge - field.x);
			const minZ = Math.max(0, raster.z + row * edge - field.z);
			const maxX = Math.min(field.maxX - field.x, raster.x + (column + 1) * edge - field.x);
			const maxZ = Math.min(field.maxZ - field.z, raster.z + (row + 1) * edge - field.z);
			if (maxX <= minX || maxZ <= minZ) continue;
			addMatter(raster, row * columns + column, groundIn(field, minX, minZ, maxX, maxZ, raster.maxRise));
		}
}

/** Returns the ground of a terrain within a rectangle. */
function groundIn(
	{ ground, y }: Field,
	minX: number,
	minZ: number,
	maxX: number,
	maxZ: number,
	maxRise: number,
): Matter {
	const { heights, columns } = heightsOf(ground);
	const { width, height, cell_size: edge } = ground;
	const [left, right] = cellRange(0, edge, width - 1, minX, maxX);
	const [near, far] = cellRange(0, edge, height - 1, minZ, maxZ);
	const maxHeightDifference = maxRise * edge;
	let high = BOTTOM;
	let isWalkable = true;
	for (let row = near; row <= far; row++)
		for (let column = left; column <= right; column++) {
			const index = row * columns + column;
			const [a, b, c, d] = [
				heights[index]!,
				heights[index + 1]!,
				heights[index + columns]!,
				heights[index + columns + 1]!,
			];
			const firstSquare = (b - a) * (b - a) + (c - a) * (c - a);
			const secondSquare = (d - c) * (d - c) + (d - b) * (d - b);
			const limit = maxHeightDifference * maxHeightDifference;
			if (firstSquare > limit || secondSquare > limit) isWalkable = false;
			for (const x of [Math.max(minX, column * edge), Math.min(maxX, (column + 1) * edge)])
				for (const z of [Math.max(minZ, row * edge), Math.min(maxZ, (row + 1) * edge)])
					high = Math.max(high, heightIn(a, b, c, d, x / edge - column, z / edge - row));
		}
	const [x, z] = [(minX + maxX) / 2 / edge, (minZ + maxZ) / 2 / edge];
	const column = Math.min(width - 2, Math.floor(x));
	const row = Math.min(height - 2, Math.floor(z));
	const index = row * columns + column;
	const [a, b, c, d] = [
		heights[index]!,
		heights[index + 1]!,
		heights[index + columns]!,
		heights[index + columns + 1]!,
	];
	const [u, v] = [x - column, z - row];
	const isFirstTriangle = u + v <= 1;
	return {
		low: BOTTOM,
		high: high + y,
		y: heightIn(a, b, c, d, u, v) + y,
		riseX: (isFirstTriangle ? b - a : d - c) / edge,
		riseZ: (isFirstTriangle ? c - a : d - b) / edge,
		isWalkable,
	};
}

/** Returns the height at u, v in a square of a terrain, which consists of two triangles. */
function heightIn(a: number, b: number, c: number, d: number, u: number, v: number): number {
	return u + v <= 1 ? a + u * (b - a) + v * (c - a) : d - (1 - u) * (d - c) - (1 - v) * (d - b);
}

/**
 * Returns the cells that a solid may be over. A convex solid whose side only touches the next cell is not over that cell.
 */
function boundsOf(raster: TileRaster, solid: Solid): CellRange {
	if (solid.isConvex) return cellsUnder(raster, solid);
	return { left: 0, right: raster.columns - 1, near: 0, far: raster.rows - 1 };
}

/** Returns the cells that a triangle may be over. There are none if `right` is less than `left`. */
function cellsOfTriangle(
	{ settings, x, z, columns, rows }: TileRaster,
	triangles: Float64Array,
	start: number,
	bounds: CellRange,
): CellRange {
	const edge = settings.cell_size;
	const [left, right] = cellRange(
		x,
		edge,
		columns,
		lowestCorner(triangles, start),
		highestCorner(triangles, start),
	);
	const [near, far] = cellRange(
		z,
		edge,
		rows,
		lowestCorner(triangles, start + 2),
		highestCorner(triangles, start + 2),
	);
	return {
		left: Math.max(left, bounds.left),
		right: Math.min(right, bounds.right),
		near: Math.max(near, bounds.near),
		far: Math.min(far, bounds.far),
	};
}

/** Adds a solid. A convex solid is one piece of matter in each cell; otherwise each triangle is one piece. */
function putSolid(raster: TileRaster, solid: Solid): void {
	const { x, z, columns, minNormalY, settings } = raster;
	const edge = settings.cell_size;
	if (!reachesInto(raster, solid)) return;
	const bounds = boundsOf(raster, solid);
	const convexMatter = new Map<number, { low: number; matter: Matter }>();
	const { triangles } = solid;
	for (let start = 0; start < triangles.length; start += 9) {
		const surface = surfaceOf(triangles, start, minNormalY);
		if (surface === null) continue;
		const { left, right, near, far } = cellsOfTriangle(raster, triangles, start, bounds);
		for (let row = near; row <= far; row++)
			for (let column = left; column <= right; column++) {
				const extent = clipToSquare(triangles, start, x + column * edge, z + row * edge, edge);
				if (extent === null) continue;
				const [low, high] = extent;
				const { riseX, riseZ, isWalkable } = surface;
				const middle =
					triangles[start + 1]! +
					riseX * (x + (column + 0.5) * edge - triangles[start]!) +
					riseZ * (z + (row + 0.5) * edge - triangles[start + 2]!);
				const matter = {
					low,
					high,
					y: Math.min(high, Math.max(low, middle)),
					riseX,
					riseZ,
					isWalkable,
				};
				const cell = row * columns + column;
				if (!solid.isConvex) addMatter(raster, cell, matter);
				else {
					const previous = convexMatter.get(cell);
					if (previous === undefined) convexMatter.set(cell, { low, matter });
					else {
						previous.low = Math.min(previous.low, low);
						previous.matter = upperSurface(previous.matter, matter);
					}
				}
			}
	}
	for (const [cell, { low, matter }] of convexMatter) addMatter(raster, cell, { ...matter, low });
}

const lowestCorner = (corners: Float64Array, index: number): number =>
	Math.min(corners[index]!, corners[index + 3]!, corners[index + 6]!);
const highestCorner = (corners: Float64Array, index: number): number =>
	Math.max(corners[index]!, corners[index + 3]!, corners[index + 6]!);

/** Returns the slope of a triangle, and true if a walker can stand on it; null for a triangle without an area. */
function surfaceOf(
	t: Float64Array,
	start: number,
	minNormalY: number,
): Pick<Matter, 'riseX' | 'riseZ' | 'isWalkable'> | null {
	const [ux, uy, uz] = [
		t[start + 3]! - t[start]!,
		t[start + 4]! - t[start + 1]!,
		t[start + 5]! - t[start + 2]!,
	];
	const [vx, vy, vz] = [
		t[start + 6]! - t[start]!,
		t[start + 7]! - t[start + 1]!,
		t[start + 8]! - t[start + 2]!,
	];
	const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
	const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
	if (length === 0) return null;
	if (Math.abs(ny) < minNormalY * length || Math.abs(ny) < 1e-3 * length)
		return { riseX: 0, riseZ: 0, isWalkable: false };
	return { riseX: -nx / ny, riseZ: -nz / ny, isWalkable: true };
}

/** Returns the higher of two surfaces; if they are equally high, the walkable one. */
function upperSurface(a: Matter, b: Matter): Matter {
	if (Math.abs(a.high - b.high) > TOLERANCE) return a.high > b.high ? a : b;
	const top = a.isWalkable || !b.isWalkable ? a : b;
	return { ...top, high: Math.max(a.high, b.high) };
}

/** Merges overlapping matter of a cell. Returns it from the lowest to the highest. */
function mergeMatter(matter: readonly Matter[]): Matter[] {
	const sorted = [...matter].sort((a, b) => a.low - b.low || a.high - b.high);
	const pieces: Matter[] = [];
	for (const matter of sorted) {
		const last = pieces.at(-1);
		if (last === undefined || matter.low > last.high + TOLERANCE) pieces.push({ ...matter });
		else Object.assign(last, upperSurface(last, matter), { low: last.low });
	}
	return pieces;
}

/** Places on which a walker can stand, cell by cell. `narrow` is 1 for places too near to an obstacle. */
interface StandingPlaces {
	readonly firstPlace: Uint32Array;
	readonly places: readonly Place[];
	readonly narrow: Uint8Array;
}

interface Place {
	readonly y: number;
	readonly riseX: number;
	readonly riseZ: number;
	readonly ceiling: number;
	readonly cost: number;
}

function findStandingPlaces(
	raster: TileRaster,
	waters: readonly WaterRectangle[],
	effort: Effort,
): StandingPlaces {
	const { settings, cells, columns, rows } = raster;
	const { floor, agent_height } = settings;
	const firstPlace = new Uint32Array(columns * rows + 1);
	const places: Place[] = [];
	const level: Matter | null =
		floor === null ? null : { low: BOTTOM, high: floor, y: floor, riseX: 0, riseZ: 0, isWalkable: true };
	for (let cell = 0; cell < columns * rows; cell++) {
		firstPlace[cell] = places.length;
		const matters = cells[cell] ?? [];
		const hasGroundBelow = level === null || matters.some(({ high }) => high <= level.high + TOLERANCE);
		const solid = mergeMatter(hasGroundBelow ? matters : [...matters, level]);
		const cost = costIn(raster, cell);
		solid.forEach(({ high, y, riseX, riseZ, isWalkable }, i) => {
			const ceiling = solid[i + 1]?.low ?? TOP;
			if (!isWalkable || cost === 0 || ceiling - high < agent_height) return;
			const totalCost = cost * wadingCost(raster, waters, cell, y);
			if (totalCost > 0) places.push({ y, riseX, riseZ, ceiling, cost: totalCost });
		});
	}
	firstPlace[columns * rows] = places.length;
	const standing = { firstPlace, places, narrow: new Uint8Array(places.length) };
	if (marginOf(settings) > 0) markNarrow(raster, standing, effort);
	return standing;
}

/** Returns the middle of a cell. */
function middleOf({ settings, x, z, columns }: TileRaster, cell: number): readonly [x: number, z: number] {
	const { cell_size: edge } = settings;
	return [x + ((cell % columns) + 0.5) * edge, z + (Math.floor(cell / columns) + 0.5) * edge];
}

/** Returns the cost factor of the deepest water over ground at a height in a cell; 1 without water. */
function wadingCost(raster: TileRaster, waters: readonly WaterRectangle[], cell: number, y: number): number {
	if (waters.length === 0) return 1;
	const [middleX, middleZ] = middleOf(raster, cell);
	let deepest = -Infinity;
	let costOfDeepest = 1;
	for (const { minX, minZ, maxX, maxZ, low, high, cost } of waters) {
		const isIn = middleX >= minX && middleX <= maxX && middleZ >= minZ && middleZ <= maxZ;
		if (!isIn || y >= high || y < low || high <= deepest) continue;
		deepest = high;
		costOfDeepest = cost;
	}
	return costOfDeepest;
}

/** Returns the cost of walking in a cell. */
function costIn(raster: TileRaster, cell: number): number {
	const { areas } = raster.settings;
	const [middleX, middleZ] = middleOf(raster, cell);
	const area = areas.findLast(
		({ min_x, max_x, min_z, max_z }) =>
			middleX >= min_x && middleX <= max_x && middleZ >= min_z && middleZ <= max_z,
	);
	return area?.cost ?? 1;
}

/** Steps along x and z in each of the four directions. */
export const DIRECTIONS = [
	[1, 0],
	[0, 1],
	[-1, 0],
	[0, -1],
] as const;
/** The x and z components of `DIRECTIONS`. */
export const DIRECTION_X = Int8Array.from(DIRECTIONS, ([dx]) => dx);
export const DIRECTION_Z = Int8Array.from(DIRECTIONS, ([, dz]) => dz);

/**
 * Returns true if a walker can step between two places of adjacent cells. The heights are those at the common edge of the
 * cells.
 */
export function canStep(
	yA: number,
	ceilingA: number,
	yB: number,
	ceilingB: number,
	{ step_height, agent_height }: NavmeshSettings,
): boolean {
	if (Math.abs(yA - yB) > step_height + TOLERANCE) return false;
	return Math.min(ceilingA, ceilingB) - Math.max(yA, yB) >= agent_height - TOLERANCE - step_height;
}

/** Returns the place of the next cell to which a walker can step, or -1. */
function stepFrom(
	{ settings }: TileRaster,
	{ firstPlace, places }: StandingPlaces,
	place: number,
	to: number,
	direction: number,
): number {
	const [dx, dz] = DIRECTIONS[direction]!;
	const half = settings.cell_size / 2;
	const from = places[place]!;
	const ownEdge = from.y + half * (dx * from.riseX + dz * from.riseZ);
	for (let next = firstPlace[to]!; next < firstPlace[to + 1]!; next++) {
		const candidate = places[next]!;
		const nextEdge = candidate.y - half * (dx * candidate.riseX + dz * candidate.riseZ);
		if (canStep(ownEdge, from.ceiling, nextEdge, candidate.ceiling, settings)) return next;
	}
	return -1;
}

/** Marks every place whose distance to a cell that cannot be stepped into is less than the walker's radius. */
function markNarrow(raster: TileRaster, standing: StandingPlaces, effort: Effort): void {
	const { columns, rows, settings } = raster;
	const { firstPlace, places, narrow } = standing;
	const radius = settings.agent_radius / settings.cell_size - 1e-6;
	const { steps, cells } = stepsOf(raster, standing);
	const lastMark = new Int32Array(places.length).fill(-1);
	const stack = new Int32Array(places.length);
	let stackSize = 0;
	const push = (place: number, mark: number) => {
		if (lastMark[place] === mark) return;
		lastMark[place] = mark;
		stack[stackSize++] = place;
	};
	// For each cell, a flood fill starts at all adjacent places that cannot step into it.
	for (let mark = 0; mark < columns * rows; mark++) {
		const [toColumn, toRow] = [mark % columns, Math.floor(mark / columns)];
		for (let direction = 0; direction < 4; direction++) {
			const [column, row] = [toColumn - DIRECTIONS[direction]![0], toRow - DIRECTIONS[direction]![1]];
			if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
			const cell = row * columns + column;
			for (let place = firstPlace[cell]!; place < firstPlace[cell + 1]!; place++)
				if (steps[place * 4 + direction]! < 0) push(place, mark);
		}
		while (stackSize > 0) {
			effort.countVisits(1);
			const place = stack[--stackSize]!;
			const cell = cells[place]!;
			const dx = Math.max(0, Math.abs((cell % columns) - toColumn) - 0.5);
			const dz = Math.max(0, Math.abs(Math.floor(cell / columns) - toRow) - 0.5);
			if (dx * dx + dz * dz >= radius * radius) continue;
			narrow[place] = 1;
			for (let direction = 0; direction < 4; direction++) {
				const next = steps[place * 4 + direction]!;
				if (next >= 0) push(next, mark);
			}
		}
	}
}

/** Returns the targets of the four steps from each place (-1 for none), and the cell of each place. */
function stepsOf(
	raster: TileRaster,
	standing: StandingPlaces,
): { readonly steps: Int32Array; readonly cells: Int32Array } {
	const { columns, rows } = raster;
	const { firstPlace, places } = standing;
	const steps = new Int32Array(places.length * 4).fill(-1);
	const cells = new Int32Array(places.length);
	for (let cell = 0; cell < columns * rows; cell++) {
		const [column, row] = [cell % columns, Math.floor(cell / columns)];
		cells.fill(cell, firstPlace[cell]!, firstPlace[cell + 1]!);
		for (let direction = 0; direction < 4; direction++) {
			const [toColumn, toRow] = [column + DIRECTIONS[direction]![0], row + DIRECTIONS[direction]![1]];
			if (toColumn < 0 || toRow < 0 || toColumn >= columns || toRow >= rows) continue;
			for (let place = firstPlace[cell]!; place < firstPlace[cell + 1]!; place++)
				steps[place * 4 + direction] = stepFrom(
					raster,
					standing,
					place,
					toRow * columns + toColumn,
					direction,
				);
		}
	}
	return { steps, cells };
}

/** Returns the tile without its border. */
function cropToTile(
	raster: TileRaster,
	{ firstPlace, places, narrow }: StandingPlaces,
	border: number,
	columns: number,
	rows: number,
): Tile {
	const firstKept = new Uint32Array(columns * rows + 1);
	const kept: Place[] = [];
	for (let row = 0; row < rows; row++)
		for (let column = 0; column < columns; column++) {
			const cell = (row + border) * raster.columns + column + border;
			for (let place = firstPlace[cell]!; place < firstPlace[cell + 1]!; place++)
				if (narrow[place] === 0) kept.push(places[place]!);
			firstKept[row * columns + column + 1] = kept.length;
		}
	const tile = {
		columns,
		rows,
		firstPlace: firstKept,
		y: Float32Array.from(kept, ({ y }) => y),
		riseX: Float32Array.from(kept, ({ riseX }) => riseX),
		riseZ: Float32Array.from(kept, ({ riseZ }) => riseZ),
		ceiling: Float32Array.from(kept, ({ ceiling }) => ceiling),
		cost: Float32Array.from(kept, ({ cost }) => cost),
	};
	const { firstPlace: starts, y, riseX, riseZ, ceiling, cost } = tile;
	const hash = [starts, y, riseX, riseZ, ceiling, cost].reduce(
		(sum, column) => fnv1a(new Uint8Array(column.buffer), sum),
		FNV_OFFSET,
	);
	return { ...tile, hash };
}
