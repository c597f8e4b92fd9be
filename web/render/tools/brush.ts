/**
 * Brush: a ring on the ground under the pointer, and the stamps of a stroke.
 * Owns: the distance of stamps, and the look of ring and stamps. Never: applies a stroke; the page does that.
 */

import { Vector3 } from 'three/webgpu';
import { BRASS_LINE, INK } from '../palette.ts';
import { stroke } from './marks.ts';
import type { Sight } from './sight.ts';
import type { Mark, Point } from './tool.ts';

const RING_POINTS = 40;
/** Distance of stamps, as a share of the radius. */
const STAMP_DISTANCE = 0.5;
/** Maximum number of stamps in a stroke, because each stamp is a call. */
const MAX_STAMPS = 200;

/** Returns a stroke with another stamp, unless the pointer is too near the last stamp or the stroke is full. */
export function withStamp(stroke: readonly Vector3[], position: Vector3, radius: number): readonly Vector3[] {
	const last = stroke.at(-1);
	if (stroke.length >= MAX_STAMPS) return stroke;
	if (last !== undefined && Math.hypot(position.x - last.x, position.z - last.z) < radius * STAMP_DISTANCE)
		return stroke;
	return [...stroke, position.clone()];
}

/** Returns the points of a ring around a position, at its height. `radius` in metres. */
function ring(position: Vector3, radius: number, sight: Sight): Point[] {
	return Array.from({ length: RING_POINTS + 1 }, (_, i) => {
		const angle = (i / RING_POINTS) * 2 * Math.PI;
		return sight.pointOf(
			new Vector3(
				position.x + Math.cos(angle) * radius,
				position.y + 0.05,
				position.z + Math.sin(angle) * radius,
			),
		);
	}).filter((point) => point !== null);
}

/** Returns the ring under the pointer, and the stamps so far. */
export function brushMarks(
	position: Vector3,
	stamps: readonly Vector3[],
	radius: number,
	sight: Sight,
): Mark[] {
	const trail = stamps.map((position) => stroke(ring(position, radius, sight), BRASS_LINE, 1, 0.5));
	const line = ring(position, radius, sight);
	return [...trail, stroke(line, INK, 4, 0.5), stroke(line, BRASS_LINE, 2)];
}
