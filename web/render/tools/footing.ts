/**
 * Contact of a thing with the shape that carries it, such as a canopy or a heap: its box alone says too little.
 * Owns: the points of the foot that feel the shape.
 */

import { type Box3, Vector3 } from 'three/webgpu';

/** Height of a shape's surface straight below a point; null if it has none there. */
export type SurfaceBelow = (point: Vector3) => number | null;

/** Places of the points along each side of the foot, as shares of it. */
const SHARES = [0.02, 0.25, 0.5, 0.75, 0.98];
/** Depth by which a thing may sink into a shape (m). */
const SINK = 0.01;

/** Returns points over the foot of a thing, at a height. */
function footPoints(place: Vector3, { min, max }: Box3, height: number): readonly Vector3[] {
	const along = (low: number, high: number, share: number) => low + (high - low) * share;
	return SHARES.flatMap((u) =>
		SHARES.map(
			(v) => new Vector3(place.x + along(min.x, max.x, u), height, place.z + along(min.z, max.z, v)),
		),
	);
}

/** Returns the place at which a thing rests on the highest point of a shape below its foot. */
export function raisedOnto(place: Vector3, box: Box3, below: SurfaceBelow): Vector3 {
	// A level surface rises by less than this from the middle of the foot to its edge.
	const rise = 2 * Math.max(box.max.x - box.min.x, box.max.z - box.min.z);
	const from = place.y + box.min.y + Math.max(rise, box.max.y - box.min.y);
	const heights = footPoints(place, box, from).map((point) => below(point) ?? Number.NEGATIVE_INFINITY);
	return place.clone().setY(Math.max(place.y, ...heights.map((height) => height - box.min.y)));
}

/** Returns true if a shape has a surface within the box of a thing. */
export function cutsInto(place: Vector3, box: Box3, below: SurfaceBelow): boolean {
	const bottom = place.y + box.min.y + SINK;
	return footPoints(place, box, place.y + box.max.y).some((point) => (below(point) ?? bottom) > bottom);
}
