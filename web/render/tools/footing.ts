/**
 * Contact of an object with the shape below it, such as a canopy or a heap, whose box is too coarse.
 * Owns: the points of the object's foot that are tested against the shape.
 */

import { type Box3, Vector3 } from 'three/webgpu';

/** Returns the height of a shape's surface straight below a point (m); null without one. */
export type SurfaceBelow = (point: Vector3) => number | null;

/** Positions of the points along each side of the foot, as shares of its length. */
const FOOT_SHARES = [0.02, 0.25, 0.5, 0.75, 0.98];
/** Depth by which an object may sink into a shape (m). */
const MAX_SINK = 0.01;

/** Returns the points of an object's foot, at a height (m). */
function footPoints(place: Vector3, { min, max }: Box3, height: number): readonly Vector3[] {
	const interpolate = (low: number, high: number, share: number) => low + (high - low) * share;
	return FOOT_SHARES.flatMap((u) =>
		FOOT_SHARES.map(
			(v) =>
				new Vector3(place.x + interpolate(min.x, max.x, u), height, place.z + interpolate(min.z, max.z, v)),
		),
	);
}

/** Returns the position at which an object rests on the highest point of a shape below its foot. */
export function raiseOnto(place: Vector3, box: Box3, surfaceBelow: SurfaceBelow): Vector3 {
	// A level surface rises by less than this from the middle of the foot to its edge.
	const rise = 2 * Math.max(box.max.x - box.min.x, box.max.z - box.min.z);
	const start = place.y + box.min.y + Math.max(rise, box.max.y - box.min.y);
	const heights = footPoints(place, box, start).map(
		(point) => surfaceBelow(point) ?? Number.NEGATIVE_INFINITY,
	);
	return place.clone().setY(Math.max(place.y, ...heights.map((height) => height - box.min.y)));
}

/** Returns true if a shape has a surface within the box of an object. */
export function isInside(place: Vector3, box: Box3, surfaceBelow: SurfaceBelow): boolean {
	const bottom = place.y + box.min.y + MAX_SINK;
	return footPoints(place, box, place.y + box.max.y).some(
		(point) => (surfaceBelow(point) ?? bottom) > bottom,
	);
}
