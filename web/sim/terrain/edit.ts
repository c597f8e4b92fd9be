/**
 * Brush strokes on a terrain.
 * Owns: the effect of each stroke. A stroke that exceeds the height limit or touches no point is refused, and changes nothing.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { LAYERS, MAX_HEIGHT, type PaintLayer, type TerrainGround } from '../../../shared/media/terrain.ts';
import { changePoints, type GroundBox, pointHeight, surfaceAt, type WritableChunk } from './ground.ts';
import { type Hills, hill } from './noise.ts';

/** Round brush on the ground; lengths and positions in metres, from the corner of the terrain. */
export interface TerrainBrush {
	readonly x: number;
	readonly z: number;
	readonly radius: number;
}

/** Effect of a stroke. `amount`: metres; for `flatten`, `smooth` and `paint` a share from 0 to 1 of the way to the goal. */
export type TerrainStroke =
	| { readonly op: 'raise' | 'lower' | 'smooth'; readonly amount: number }
	| { readonly op: 'flatten'; readonly amount: number; readonly height: number | null }
	| { readonly op: 'paint'; readonly amount: number; readonly layer: PaintLayer }
	| { readonly op: 'noise'; readonly amount: number; readonly hills: Hills };

/** Result of an edit. */
export interface EditResult {
	readonly ground: TerrainGround;
	/** Number of changed chunks. */
	readonly chunks: number;
	/** Number of changed points. */
	readonly points: number;
}

const refuse = (message: string, fix: string, path?: string): never => {
	throw new ApiError('bad_stroke', message, path === undefined ? { fix } : { fix, path });
};

/** Returns the box of points around a brush; null if the brush is off the terrain. */
function boxOf(
	{ width, height, cell_size }: TerrainGround,
	{ x, z, radius }: TerrainBrush,
): GroundBox | null {
	const box = {
		left: Math.max(0, Math.ceil((x - radius) / cell_size)),
		right: Math.min(width - 1, Math.floor((x + radius) / cell_size)),
		near: Math.max(0, Math.ceil((z - radius) / cell_size)),
		far: Math.min(height - 1, Math.floor((z + radius) / cell_size)),
	};
	return box.left > box.right || box.near > box.far ? null : box;
}

/** Calls `visit` for each point of a chunk in a box. `index`: index of the point in the chunk's arrays. */
function eachPoint(
	{ place }: WritableChunk,
	box: GroundBox,
	visit: (index: number, column: number, row: number) => void,
): void {
	const [left, right] = [
		Math.max(box.left, place.column),
		Math.min(box.right, place.column + place.columns - 1),
	];
	const [near, far] = [Math.max(box.near, place.row), Math.min(box.far, place.row + place.rows - 1)];
	for (let row = near; row <= far; row++)
		for (let column = left; column <= right; column++)
			visit((row - place.row) * place.columns + column - place.column, column, row);
}

/** Returns a function from a point's height (m) and weight (0 to 1 of the brush's strength) to its new height (m). */
function heightUnder(
	ground: TerrainGround,
	stroke: Exclude<TerrainStroke, { op: 'paint' }>,
	{ x, z }: TerrainBrush,
) {
	const moveTowards = (from: number, to: number, weight: number) =>
		from + (to - from) * Math.max(0, Math.min(1, stroke.amount * weight));
	const { cell_size, width, height } = ground;
	switch (stroke.op) {
		case 'raise':
			return (from: number, weight: number) => from + stroke.amount * weight;
		case 'lower':
			return (from: number, weight: number) => from - stroke.amount * weight;
		case 'flatten': {
			const level = stroke.height ?? surfaceAt(ground, x, z)?.height;
			if (level === undefined)
				return refuse(
					'The center of the brush is outside the terrain, so it has no height to flatten to.',
					'Send "height", or a position on the terrain.',
				);
			return (from: number, weight: number) => moveTowards(from, level, weight);
		}
		case 'smooth':
			return (from: number, weight: number, column: number, row: number) => {
				let [sum, count] = [0, 0];
				for (const [dx, dz] of [
					[-1, 0],
					[1, 0],
					[0, -1],
					[0, 1],
				] as const) {
					const [c, r] = [column + dx, row + dz];
					if (c < 0 || r < 0 || c >= width || r >= height) continue;
					sum += pointHeight(ground, c, r);
					count++;
				}
				return moveTowards(from, sum / count, weight);
			};
		case 'noise':
			return (from: number, weight: number, column: number, row: number) =>
				from + stroke.amount * weight * hill(stroke.hills, column * cell_size, row * cell_size);
	}
}

function requireHeight(height: number): number {
	if (Math.abs(height) > MAX_HEIGHT)
		refuse(
			`The height of a point would be ${height} m. The limit is ${MAX_HEIGHT} m above or below the terrain.`,
			'Send a smaller "amount".',
			'amount',
		);
	return height;
}

/** Applies one stroke. The brush is strongest at its center and has no effect at its edge. Throws `bad_stroke`. */
export function applyStroke(ground: TerrainGround, brush: TerrainBrush, stroke: TerrainStroke): EditResult {
	const { cell_size } = ground;
	const box = boxOf(ground, brush);
	const weightAt = (column: number, row: number): number => {
		const [dx, dz] = [column * cell_size - brush.x, row * cell_size - brush.z];
		return 1 - Math.sqrt(dx * dx + dz * dz) / brush.radius;
	};
	let points = 0;
	let touchedPoints = 0;
	const newHeight = stroke.op === 'paint' ? null : heightUnder(ground, stroke, brush);
	const paintPoint = stroke.op === 'paint' ? createPainter(stroke.layer, stroke.amount) : null;
	const result =
		box === null
			? { ground, chunks: 0 }
			: changePoints(ground, box, (chunk) => {
					const oldPoints = points;
					eachPoint(chunk, box, (index, column, row) => {
						const weight = weightAt(column, row);
						if (weight <= 0) return;
						touchedPoints++;
						if (newHeight !== null) {
							const from = chunk.heights[index]!;
							chunk.heights[index] = requireHeight(newHeight(from, weight, column, row)) + 0;
							if (chunk.heights[index] !== from) points++;
						} else if (paintPoint!(chunk.paint, index * 4, weight)) points++;
					});
					return points > oldPoints;
				});
	if (touchedPoints === 0)
		refuse(
			`No point of the terrain is within ${brush.radius} m of [${brush.x}, ${brush.z}].`,
			`Send a larger radius, or a position from [0, 0] to [${(ground.width - 1) * cell_size}, ${(ground.height - 1) * cell_size}] relative to the terrain's corner. Points are ${cell_size} m apart.`,
		);
	return { ...result, points };
}

/** Returns a function that adds a layer to the paint of a point at the cost of the others, and returns true on a change. */
function createPainter(layer: PaintLayer, amount: number) {
	const ownIndex = LAYERS.indexOf(layer);
	return (paint: Uint8Array, start: number, weight: number): boolean => {
		const share = Math.max(0, Math.min(1, amount * weight));
		let isChanged = false;
		let otherPaint = 0;
		for (let i = 0; i < 4; i++) {
			if (i === ownIndex) continue;
			const keptPaint = Math.floor(paint[start + i]! * (1 - share));
			isChanged ||= keptPaint !== paint[start + i];
			paint[start + i] = keptPaint;
			otherPaint += keptPaint;
		}
		const oldPaint = paint[start + ownIndex]!;
		paint[start + ownIndex] = Math.min(255 - otherPaint, Math.round(oldPaint + (255 - oldPaint) * share));
		return isChanged || paint[start + ownIndex] !== oldPaint;
	};
}

/** Sets rows of heights (m), the first at the point nearest to a position. Throws `bad_stroke`. */
export function setHeights(
	ground: TerrainGround,
	rows: readonly (readonly number[])[],
	{ x, z }: Pick<TerrainBrush, 'x' | 'z'>,
): EditResult {
	const { width, height, cell_size } = ground;
	const [left, near] = [Math.round(x / cell_size), Math.round(z / cell_size)];
	const box = { left, near, right: left + rows[0]!.length - 1, far: near + rows.length - 1 };
	if (left < 0 || near < 0 || box.right >= width || box.far >= height)
		refuse(
			`${rows[0]!.length} x ${rows.length} heights from column ${left} and row ${near} on do not fit into ${width} x ${height} points.`,
			'Send fewer heights, or a smaller x and z (m from the corner of the terrain).',
			'heights',
		);
	let points = 0;
	const result = changePoints(ground, box, (chunk) => {
		let isChanged = false;
		eachPoint(chunk, box, (index, column, row) => {
			const from = chunk.heights[index]!;
			chunk.heights[index] = rows[row - near]![column - left]! + 0;
			if (chunk.heights[index] === from) return;
			points++;
			isChanged = true;
		});
		return isChanged;
	});
	return { ...result, points };
}

/** Adds hills to every point. Throws `bad_stroke`. */
export function addHills(ground: TerrainGround, hills: Hills, amount: number): EditResult {
	const { width, height, cell_size } = ground;
	const box = { left: 0, near: 0, right: width - 1, far: height - 1 };
	let points = 0;
	const result = changePoints(ground, box, (chunk) => {
		let isChanged = false;
		eachPoint(chunk, box, (index, column, row) => {
			const from = chunk.heights[index]!;
			chunk.heights[index] =
				requireHeight(from + amount * hill(hills, column * cell_size, row * cell_size)) + 0;
			if (chunk.heights[index] === from) return;
			points++;
			isChanged = true;
		});
		return isChanged;
	});
	return { ...result, points };
}
