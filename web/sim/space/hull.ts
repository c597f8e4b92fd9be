/**
 * The faces of the convex hull of points.
 * Owns: an incremental hull (Preparata and Hong, 1977, in its plain quadratic form): points of a collider are few.
 */

type HullFace = readonly [a: number, b: number, c: number];

/** Returns the faces of the hull round points (x, y, z), nine numbers a triangle; none if they have no volume. */
export function hullTriangles(points: Float32Array): Float64Array {
	const faces = hullFaces(points);
	return Float64Array.from(
		faces.flatMap((face) => face.flatMap((at) => Array.from(points.subarray(at * 3, at * 3 + 3)))),
	);
}

function hullFaces(points: Float32Array): HullFace[] {
	const count = points.length / 3;
	const size = points.reduce((most, part) => Math.max(most, Math.abs(part)), 0);
	const thin = size * size * size * 1e-9;
	/** Six times the volume between a face and a point: above 0 if the face is seen. */
	const above = ([a, b, c]: HullFace, p: number): number => {
		const [ax, ay, az] = [points[a * 3]!, points[a * 3 + 1]!, points[a * 3 + 2]!];
		const [ux, uy, uz] = [points[b * 3]! - ax, points[b * 3 + 1]! - ay, points[b * 3 + 2]! - az];
		const [vx, vy, vz] = [points[c * 3]! - ax, points[c * 3 + 1]! - ay, points[c * 3 + 2]! - az];
		const [wx, wy, wz] = [points[p * 3]! - ax, points[p * 3 + 1]! - ay, points[p * 3 + 2]! - az];
		return (uy * vz - uz * vy) * wx + (uz * vx - ux * vz) * wy + (ux * vy - uy * vx) * wz;
	};
	const first = firstFour(points, count, above, thin);
	if (first === null) return [];
	const [a, b, c, d] = first;
	let faces: HullFace[] = [
		[a, b, c],
		[a, c, d],
		[a, d, b],
		[b, d, c],
	];
	for (let p = 0; p < count; p++) {
		const seen = faces.filter((face) => above(face, p) > thin);
		if (seen.length === 0) continue;
		const edges = new Set(seen.flatMap(([i, j, k]) => [`${i} ${j}`, `${j} ${k}`, `${k} ${i}`]));
		const rim = [...edges]
			.map((edge) => edge.split(' ').map(Number))
			.filter(([i, j]) => !edges.has(`${j} ${i}`));
		faces = faces.filter((face) => !seen.includes(face));
		for (const [i, j] of rim) faces.push([i!, j!, p]);
	}
	return faces;
}

/** Four points with a volume between them, so that the fourth is below the face of the others. */
function firstFour(
	points: Float32Array,
	count: number,
	above: (face: HullFace, p: number) => number,
	thin: number,
): readonly [number, number, number, number] | null {
	const farthest = (measure: (p: number) => number): number => {
		let best = 0;
		for (let p = 1; p < count; p++) if (measure(p) > measure(best)) best = p;
		return best;
	};
	const part = (p: number, axis: number) => points[p * 3 + axis]!;
	const square = (p: number, q: number) =>
		[0, 1, 2].reduce((sum, i) => sum + (part(p, i) - part(q, i)) * (part(p, i) - part(q, i)), 0);
	const a = 0;
	const b = farthest((p) => square(p, a));
	const off = (p: number): number => {
		const [ux, uy, uz] = [0, 1, 2].map((i) => part(b, i) - part(a, i)) as [number, number, number];
		const [vx, vy, vz] = [0, 1, 2].map((i) => part(p, i) - part(a, i)) as [number, number, number];
		const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
		return x * x + y * y + z * z;
	};
	const c = farthest(off);
	const d = farthest((p) => Math.abs(above([a, b, c], p)));
	const volume = above([a, b, c], d);
	if (Math.abs(volume) <= thin) return null;
	return volume < 0 ? [a, b, c, d] : [a, c, b, d];
}
