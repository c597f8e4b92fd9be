/**
 * Marks of which handles consist, and the distances of points from them.
 * Owns: the shapes of lines, discs, plates and letters in the picture.
 */

import type { Vector3 } from 'three/webgpu';
import { INK } from '../palette.ts';
import type { Sight } from './sight.ts';
import type { Mark, Point } from './tool.ts';

export const stroke = (points: readonly Point[], color: number, width = 2.5, alpha = 1): Mark => ({
	kind: 'stroke',
	points,
	width,
	color,
	alpha,
});

/** Returns a shade under a line, so that the line is visible on bright ground. */
export const shadeMarks = (points: readonly Point[]): Mark[] => [stroke(points, INK, 5.5, 0.4)];

/** Returns a line in the world with its shade. Points behind the eye split the line. */
export function lineMarks(
	line: readonly Vector3[],
	sight: Sight,
	color: number,
	width: number,
	alpha = 1,
): Mark[] {
	const segments: Point[][] = [[]];
	for (const position of line) {
		const point = sight.pointOf(position);
		if (point === null) segments.push([]);
		else segments.at(-1)!.push(point);
	}
	return segments
		.filter(({ length }) => length > 1)
		.flatMap((points) => [stroke(points, INK, width + 2, alpha * 0.5), stroke(points, color, width, alpha)]);
}

export const fill = (points: readonly Point[], color: number, alpha = 1): Mark => ({
	kind: 'fill',
	points,
	color,
	alpha,
});

const DISC_CORNERS = 20;

/** Returns the corners of a disc. */
export function disc([x, y]: Point, radius: number): Point[] {
	return Array.from({ length: DISC_CORNERS }, (_, i) => {
		const angle = (i / DISC_CORNERS) * 2 * Math.PI;
		return [x + Math.cos(angle) * radius, y + Math.sin(angle) * radius] as const;
	});
}

/** Returns the corners of a square. */
export const square = ([x, y]: Point, half: number): Point[] => [
	[x - half, y - half],
	[x + half, y - half],
	[x + half, y + half],
	[x - half, y + half],
];

/** Returns a closed line around an area. */
export const outlineStroke = (points: readonly Point[], color: number, width = 2): Mark =>
	stroke([...points, points[0]!], color, width);

/** Lines of the letters, in a box of 2 by 2 around the middle. */
const LETTERS: Readonly<Record<string, readonly (readonly Point[])[]>> = {
	x: [
		[
			[-0.8, -1],
			[0.8, 1],
		],
		[
			[0.8, -1],
			[-0.8, 1],
		],
	],
	y: [
		[
			[-0.8, -1],
			[0, 0.1],
			[0.8, -1],
		],
		[
			[0, 0.1],
			[0, 1],
		],
	],
	z: [
		[
			[-0.8, -1],
			[0.8, -1],
			[-0.8, 1],
			[0.8, 1],
		],
	],
};

/** Corners of a digit from the top left, in rows of two. */
const DIGIT_POINTS: readonly Point[] = [-1, 0, 1].flatMap((y) => [[-0.6, y] as const, [0.6, y] as const]);

/** Lines of the digits, as sequences of corners. */
const DIGITS = [
	'01540',
	'15',
	'013245',
	'0132354',
	'02315',
	'102354',
	'1023542',
	'015',
	'0154023',
	'3201354',
].map((corners) => [[...corners].map((corner) => DIGIT_POINTS[Number(corner)]!)]);

/** Half the height of a letter (CSS pixels). */
const LETTER_SIZE = 3.2;
/** Distance between letters (CSS pixels). */
const LETTER_ADVANCE = 5.5;

/** Returns a plate with a letter or a number on it. */
export function plateMarks(text: string, [x, y]: Point, corners: readonly Point[], color: number): Mark[] {
	const letters = [...text].flatMap((letter, index) => {
		const letterX = x + (index - (text.length - 1) / 2) * LETTER_ADVANCE;
		return (LETTERS[letter] ?? DIGITS[Number(letter)]!).map((line) =>
			stroke(
				line.map(([dx, dy]) => [letterX + dx * LETTER_SIZE, y + dy * LETTER_SIZE] as const),
				0xffffff,
				1.6,
			),
		);
	});
	return [fill(corners, INK), outlineStroke(corners, color), ...letters];
}

/** Returns the distance of a point from a line of several segments (CSS pixels). */
export function distanceToLine(points: readonly Point[], [x, y]: Point): number {
	let best = Infinity;
	for (let i = 1; i < points.length; i++) {
		const [[ax, ay], [bx, by]] = [points[i - 1]!, points[i]!];
		const [dx, dy] = [bx - ax, by - ay];
		const share = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
		best = Math.min(best, Math.hypot(x - ax - share * dx, y - ay - share * dy));
	}
	return best;
}

/**
 * Returns the distance of a point from a disc (CSS pixels). Inside, it is from 0 to 0.9, so that the nearest
 * middle wins.
 */
export const distanceToDisc = ([mx, my]: Point, radius: number, [x, y]: Point): number => {
	const distance = Math.hypot(x - mx, y - my);
	return distance <= radius ? (distance / radius) * 0.9 : distance - radius + 1;
};

/** Returns true if a point is inside a convex area. */
export function inArea(points: readonly Point[], [x, y]: Point): boolean {
	let sign = 0;
	for (let i = 0; i < points.length; i++) {
		const [[ax, ay], [bx, by]] = [points[i]!, points[(i + 1) % points.length]!];
		const turn = Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
		if (turn === 0) continue;
		if (sign === 0) sign = turn;
		else if (sign !== turn) return false;
	}
	return true;
}
