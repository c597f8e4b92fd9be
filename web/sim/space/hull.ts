/**
 * Faces of the convex hull of points.
 * Owns: an incremental algorithm (Preparata and Hong, 1977). It takes quadratic time, because a collider has few points.
 */

type HullFace = readonly [a: number, b: number, c: number];

/** Returns the faces of the hull of points (x, y, z), nine numbers per triangle; none if the points enclose no volume. */
export function hullTriangles(points: Float32Array): Float64Array {
	const faces = hullFaces(points);
	return Float64Array.from(
		faces.flatMap((face) => face.flatMap((index) => Array.from(points.subarray(index * 3, index * 3 + 3)))),
	);
}

function hullFaces(points: Float32Array): HullFace[] {
	const count = points.length / 3;
	const size = points.reduce((max, coordinate) => Math.max(max, Math.abs(coordinate)), 0);
	const minVolume = size * size * size * 1e-9;
	/** Returns six times the volume between a face and a point: positive if the point is in front of the face. */
	const volumeAbove = ([a, b, c]: HullFace, p: number): number => {
		const [ax, ay, az] = [points[a * 3]!, points[a * 3 + 1]!, points[a * 3 + 2]!];
		const [ux, uy, uz] = [points[b * 3]! - ax, points[b * 3 + 1]! - ay, points[b * 3 + 2]! - az];
		const [vx, vy, vz] = [points[c * 3]! - ax, points[c * 3 + 1]! - ay, points[c * 3 + 2]! - az];
		const [wx, wy, wz] = [points[p * 3]! - ax, points[p * 3 + 1]! - ay, points[p * 3 + 2]! - az];
		return (uy * vz - uz * vy) * wx + (uz * vx - ux * vz) * wy + (ux * vy - uy * vx) * wz;
	};
	const tetrahedron = findTetrahedron(points, count, volumeAbove, minVolume);
	if (tetrahedron === null) return [];
	const [a, b, c, d] = tetrahedron;
	let faces: HullFace[] = [
		[a, b, c],
		[a, c, d],
		[a, d, b],
		[b, d, c],
	];
	for (let p = 0; p < count; p++) {
		const visibleFaces = faces.filter((face) => volumeAbove(face, p) > minVolume);
		if (visibleFaces.length === 0) continue;
		const edges = new Set(visibleFaces.flatMap(([i, j, k]) => [`${i} ${j}`, `${j} ${k}`, `${k} ${i}`]));
		const rim = [...edges]
			.map((edge) => edge.split(' ').map(Number))
			.filter(([i, j]) => !edges.has(`${j} ${i}`));
		faces = faces.filter((face) => !visibleFaces.includes(face));
		for (const [i, j] of rim) faces.push([i!, j!, p]);
	}
	return faces;
}

/** Returns four points that enclose a volume, with the fourth behind the face of the others; null if there are none. */
function findTetrahedron(
	points: Float32Array,
	count: number,
	volumeAbove: (face: HullFace, p: number) => number,
	minVolume: number,
): readonly [number, number, number, number] | null {
	const farthest = (measure: (p: number) => number): number => {
		let best = 0;
		for (let p = 1; p < count; p++) if (measure(p) > measure(best)) best = p;
		return best;
	};
	const coordinate = (p: number, axis: number) => points[p * 3 + axis]!;
	const squaredDistance = (p: number, q: number) =>
		[0, 1, 2].reduce(
			(sum, i) => sum + (coordinate(p, i) - coordinate(q, i)) * (coordinate(p, i) - coordinate(q, i)),
			0,
		);
	const a = 0;
	const b = farthest((p) => squaredDistance(p, a));
	const squaredArea = (p: number): number => {
		const [ux, uy, uz] = [0, 1, 2].map((i) => coordinate(b, i) - coordinate(a, i)) as [
			number,
			number,
			number,
		];
		const [vx, vy, vz] = [0, 1, 2].map((i) => coordinate(p, i) - coordinate(a, i)) as [
			number,
			number,
			number,
		];
		const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
		return x * x + y * y + z * z;
	};
	const c = farthest(squaredArea);
	const d = farthest((p) => Math.abs(volumeAbove([a, b, c], p)));
	const volume = volumeAbove([a, b, c], d);
	if (Math.abs(volume) <= minVolume) return null;
	return volume < 0 ? [a, b, c, d] : [a, c, b, d];
}
