/**
 * Clips triangles to squares of the ground (Sutherland and Hodgman, 1974).
 * Owns: the lowest and highest point of a triangle over a square.
 */

/** Maximum number of corners of a clipped triangle: three, and one more for each side of the square. */
const MAX_CORNERS = 7;
const polygonA = new Float64Array(MAX_CORNERS * 3);
const polygonB = new Float64Array(MAX_CORNERS * 3);

/** Returns the height range (m) of a triangle over a square; null if they do not overlap. `x`, `z`: the square's lowest corner. */
export function clipToSquare(
	triangles: Float64Array,
	start: number,
	x: number,
	z: number,
	edge: number,
): readonly [low: number, high: number] | null {
	polygonA.set(triangles.subarray(start, start + 9));
	let count = 3;
	count = cut(polygonA, polygonB, count, 0, x, 1);
	count = cut(polygonB, polygonA, count, 0, x + edge, -1);
	count = cut(polygonA, polygonB, count, 2, z, 1);
	count = cut(polygonB, polygonA, count, 2, z + edge, -1);
	if (count === 0) return null;
	let [low, high] = [polygonA[1]!, polygonA[1]!];
	for (let i = 1; i < count; i++) {
		low = Math.min(low, polygonA[i * 3 + 1]!);
		high = Math.max(high, polygonA[i * 3 + 1]!);
	}
	return [low, high];
}

/** Keeps the part of a polygon on one side of a line across an axis. Returns the number of its corners. */
function cut(
	polygon: Float64Array,
	out: Float64Array,
	count: number,
	axis: number,
	line: number,
	side: 1 | -1,
): number {
	let keptCount = 0;
	for (let i = 0; i < count; i++) {
		const a = i * 3;
		const b = ((i + 1) % count) * 3;
		const [distance, nextDistance] = [(polygon[a + axis]! - line) * side, (polygon[b + axis]! - line) * side];
		if (distance >= 0) {
			for (let j = 0; j < 3; j++) out[keptCount * 3 + j] = polygon[a + j]!;
			keptCount++;
		}
		if (distance > 0 !== nextDistance > 0 && distance !== 0 && nextDistance !== 0) {
			const share = distance / (distance - nextDistance);
			for (let j = 0; j < 3; j++)
				out[keptCount * 3 + j] = polygon[a + j]! + share * (polygon[b + j]! - polygon[a + j]!);
			keptCount++;
		}
	}
	return keptCount;
}
