/**
 * The ten digits as a texture of distances, which is crisp at any size and the same on every machine.
 * Owns: their strokes. Uses no font.
 */

import { DataTexture, LinearFilter, RedFormat, UnsignedByteType } from 'three/webgpu';

type Point = readonly [x: number, y: number];
type Stroke = readonly Point[];

/** Height of a digit's cell, whose width is 1. y points up. */
export const CELL_HEIGHT = 1.5;
/** Distance from the middle of a stroke at which the texture is 0. In the middle it is 1. */
export const REACH = 0.36;
/** Size of a cell (texels). */
const CELL_COLUMNS = 32;
const CELL_ROWS = 48;

/**
 * Returns points on a part of an ellipse around (x, y). Angles are in degrees, counter-clockwise from the
 * right.
 */
function arc(x: number, y: number, radiusX: number, radiusY: number, from: number, to: number): Point[] {
	const steps = Math.max(4, Math.ceil(Math.abs(to - from) / 15));
	return Array.from({ length: steps + 1 }, (_, step) => {
		const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
		return [x + radiusX * Math.cos(angle), y + radiusY * Math.sin(angle)];
	});
}

const SIX: readonly Stroke[] = [arc(0.5, 0.54, 0.29, 0.3, 0, 360), arc(0.78, 0.58, 0.57, 0.68, 184, 104)];

const STROKES: readonly (readonly Stroke[])[] = [
	[arc(0.5, 0.75, 0.28, 0.51, 0, 360)],
	[
		[
			[0.28, 1.02],
			[0.54, 1.26],
			[0.54, 0.24],
		],
	],
	[[...arc(0.5, 0.97, 0.28, 0.29, 165, -30), [0.23, 0.24], [0.8, 0.24]]],
	[[...arc(0.47, 1.01, 0.27, 0.25, 150, -90), ...arc(0.47, 0.5, 0.31, 0.26, 90, -150)]],
	[
		[
			[0.64, 0.24],
			[0.64, 1.26],
			[0.2, 0.55],
			[0.86, 0.55],
		],
	],
	[[[0.76, 1.26], [0.3, 1.26], [0.26, 0.8], ...arc(0.47, 0.56, 0.31, 0.32, 120, -148)]],
	SIX,
	[
		[
			[0.2, 1.26],
			[0.8, 1.26],
			[0.42, 0.24],
		],
	],
	[arc(0.5, 1.01, 0.25, 0.25, 0, 360), arc(0.5, 0.5, 0.3, 0.26, 0, 360)],
	SIX.map((stroke) => stroke.map(([x, y]): Point => [1 - x, CELL_HEIGHT - y])),
];

/** Returns the distance of a point from the nearest stroke of a digit, in cell widths. */
export function strokeDistance(digit: number, x: number, y: number): number {
	let nearest = Number.POSITIVE_INFINITY;
	for (const stroke of STROKES[digit]!)
		for (let i = 1; i < stroke.length; i++)
			nearest = Math.min(nearest, segmentDistance(x, y, stroke[i - 1]!, stroke[i]!));
	return nearest;
}

function segmentDistance(x: number, y: number, [ax, ay]: Point, [bx, by]: Point): number {
	const [dx, dy] = [bx - ax, by - ay];
	const square = dx * dx + dy * dy;
	const ratio = square === 0 ? 0 : Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / square, 0), 1);
	return Math.hypot(x - ax - dx * ratio, y - ay - dy * ratio);
}

/** Returns the texture of the digits 0 to 9, side by side. */
export function digitTexture(): DataTexture {
	const data = new Uint8Array(CELL_COLUMNS * 10 * CELL_ROWS);
	for (let digit = 0; digit < 10; digit++)
		for (let row = 0; row < CELL_ROWS; row++)
			for (let column = 0; column < CELL_COLUMNS; column++) {
				const distance = strokeDistance(
					digit,
					(column + 0.5) / CELL_COLUMNS,
					((row + 0.5) / CELL_ROWS) * CELL_HEIGHT,
				);
				data[row * CELL_COLUMNS * 10 + digit * CELL_COLUMNS + column] = Math.round(
					Math.max(0, 1 - distance / REACH) * 255,
				);
			}
	const texture = new DataTexture(data, CELL_COLUMNS * 10, CELL_ROWS, RedFormat, UnsignedByteType);
	texture.minFilter = texture.magFilter = LinearFilter;
	texture.needsUpdate = true;
	return texture;
}
