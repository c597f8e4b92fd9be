/**
 * Signs in the picture for entities that are not drawn, such as lights and sounds.
 * Owns: the look of signs, and the search for the sign under a point.
 */

import { Vector3 } from 'three/webgpu';
import type { Sign } from '../messages.ts';
import { BRASS_LINE, INK } from '../palette.ts';
import { disc, fill, outlineStroke, stroke } from './marks.ts';
import type { Sight } from './sight.ts';
import type { Mark, Point } from './tool.ts';

/** Radius of a sign (CSS pixels). */
const RADIUS = 10;
/** Half the height of a glyph (CSS pixels). */
const GLYPH_SIZE = 4.5;

/** Lines of the glyph of each kind, in a box of 2 by 2 around the middle. */
const GLYPHS: Readonly<Record<Sign['kind'], readonly (readonly Point[])[]>> = {
	light: [
		[...disc([0, 0], 0.45), [0.45, 0]],
		...[0, 1, 2, 3, 4, 5].map((i): Point[] => {
			const [x, y] = [Math.cos((i * Math.PI) / 3), Math.sin((i * Math.PI) / 3)];
			return [
				[x * 0.75, y * 0.75],
				[x * 1.15, y * 1.15],
			];
		}),
	],
	sound: [
		[
			[-1, -0.4],
			[-0.5, -0.4],
			[0, -0.9],
			[0, 0.9],
			[-0.5, 0.4],
			[-1, 0.4],
			[-1, -0.4],
		],
		[
			[0.5, -0.6],
			[0.8, 0],
			[0.5, 0.6],
		],
	],
	particles: [0, 1, 2].map((i): Point[] => {
		const [x, y] = [Math.cos((i * Math.PI) / 3), Math.sin((i * Math.PI) / 3)];
		return [
			[-x, -y],
			[x, y],
		];
	}),
	group: [
		[
			[-0.8, -0.8],
			[0.8, -0.8],
			[0.8, 0.8],
			[-0.8, 0.8],
			[-0.8, -0.8],
		],
	],
	zone: [
		[
			[-0.9, -0.3],
			[-0.9, -0.9],
			[-0.3, -0.9],
		],
		[
			[0.3, -0.9],
			[0.9, -0.9],
			[0.9, -0.3],
		],
		[
			[0.9, 0.3],
			[0.9, 0.9],
			[0.3, 0.9],
		],
		[
			[-0.3, 0.9],
			[-0.9, 0.9],
			[-0.9, 0.3],
		],
	],
	rule: [
		[
			[-0.9, -0.6],
			[0.9, -0.6],
		],
		[
			[-0.9, 0],
			[0.9, 0],
		],
		[
			[-0.9, 0.6],
			[0.2, 0.6],
		],
	],
	point: [
		[
			[0, -0.9],
			[0.9, 0],
			[0, 0.9],
			[-0.9, 0],
			[0, -0.9],
		],
	],
};

/** Returns the point of a sign in the picture; null behind the eye. */
const signPoint = ({ position }: Sign, sight: Sight): Point | null => sight.pointOf(new Vector3(...position));

/** Returns the marks of a sign; brass if its entity is selected. */
export function signMarks(sign: Sign, isSelected: boolean, sight: Sight): Mark[] {
	const point = signPoint(sign, sight);
	if (point === null) return [];
	const [x, y] = point;
	const ink = isSelected ? BRASS_LINE : 0xffffff;
	const plateCorners = disc(point, RADIUS);
	const glyph = GLYPHS[sign.kind].map((line) =>
		stroke(
			line.map(([dx, dy]) => [x + dx * GLYPH_SIZE, y + dy * GLYPH_SIZE] as const),
			ink,
			1.4,
		),
	);
	return [fill(plateCorners, INK, 0.75), outlineStroke(plateCorners, ink, isSelected ? 2.5 : 1.2), ...glyph];
}

/** Returns the sign under a point, the nearest if there are several. */
export function signAt(signs: readonly Sign[], [x, y]: Point, sight: Sight): Sign | null {
	let nearest: Sign | null = null;
	let minDistance = RADIUS + 1;
	for (const sign of signs) {
		const point = signPoint(sign, sight);
		const distance = point === null ? Infinity : Math.hypot(point[0] - x, point[1] - y);
		if (distance < minDistance) [nearest, minDistance] = [sign, distance];
	}
	return nearest;
}
