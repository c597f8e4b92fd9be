/**
 * The solids that models are put together from, as flat faces, and how they are moved about.
 * Owns: points, in metres. Faces go counterclockwise seen from outside. Never: colours.
 */

export type Point = readonly [number, number, number];
export type Face = readonly Point[];
export type Solid = readonly Face[];

type PointMap = (point: Point) => Point;

const each = (solid: Solid, change: PointMap): Solid => solid.map((face) => face.map(change));

export const move = (solid: Solid, x: number, y: number, z: number): Solid =>
	each(solid, (point) => [point[0] + x, point[1] + y, point[2] + z]);

/** Turned about an axis through the origin, counterclockwise as seen from its positive end. */
export function turn(solid: Solid, axis: 'x' | 'y' | 'z', degrees: number): Solid {
	const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
	return each(solid, ([x, y, z]) => {
		if (axis === 'x') return [x, c * y - s * z, s * y + c * z];
		if (axis === 'y') return [c * x + s * z, y, c * z - s * x];
		return [c * x - s * y, s * x + c * y, z];
	});
}

export const stretch = (solid: Solid, x: number, y: number, z: number): Solid =>
	each(solid, (point) => [point[0] * x, point[1] * y, point[2] * z]);

/** Returns the same on the other side of x = 0. */
export const mirrored = (solid: Solid): Solid =>
	solid.map((face) => face.map(([x, y, z]): Point => [-x, y, z]).reverse());

/** Returns the solid and its mirror image. */
export const pair = (solid: Solid): Solid => [...solid, ...mirrored(solid)];

/** Returns a box that stands on the origin: width, height, depth. */
export const box = (w: number, h: number, d: number): Solid => taper(w, d, w, d, h);

/** Returns a box that stands on the origin and whose top has another size. */
export function taper(w: number, d: number, topW: number, topD: number, h: number): Solid {
	const ring = (x: number, z: number, y: number): Point[] => [
		[-x / 2, y, -z / 2],
		[-x / 2, y, z / 2],
		[x / 2, y, z / 2],
		[x / 2, y, -z / 2],
	];
	return joined([ring(w, d, 0), ring(topW, topD, h)]);
}

/** Returns a body between rings of equally many points, each above the previous one, with both ends closed. */
function joined(rings: readonly Face[]): Solid {
	const faces: Face[] = [[...rings[0]!].reverse(), rings.at(-1)!];
	for (let at = 0; at + 1 < rings.length; at++) {
		const [low, high] = [rings[at]!, rings[at + 1]!];
		low.forEach((point, i) => {
			const next = (i + 1) % low.length;
			faces.push([point, low[next]!, high[next]!, high[i]!]);
		});
	}
	return faces.map(trimmed).filter((face) => face.length > 2);
}

/** Returns a face without the points that lie on the previous one. */
const trimmed = (face: Face): Face =>
	face.filter((point, i) => {
		const before = face[(i + face.length - 1) % face.length]!;
		return point.some((value, axis) => Math.abs(value - before[axis]!) > 1e-6);
	});

/** Solid from a lathe with `sides` sides: radii and heights from below to above. */
export function lathe(sides: number, ...profile: readonly (readonly [radius: number, y: number])[]): Solid {
	return joined(
		profile.map(([radius, y]) =>
			Array.from({ length: sides }, (_, i): Point => {
				const angle = ((i + 0.5) / sides) * 2 * Math.PI;
				return [radius * Math.sin(angle), y, radius * Math.cos(angle)];
			}),
		),
	);
}

export const cylinder = (sides: number, radius: number, h: number): Solid =>
	lathe(sides, [radius, 0], [radius, h]);
export const cone = (sides: number, radius: number, h: number): Solid => lathe(sides, [radius, 0], [0, h]);

/** Returns a ball of few faces round the origin; `rings` of them between the poles. */
export function ball(radius: number, sides = 7, rings = 3): Solid {
	const profile = Array.from({ length: rings + 2 }, (_, i): [number, number] => {
		const angle = (i / (rings + 1)) * Math.PI;
		return [radius * Math.sin(angle), -radius * Math.cos(angle)];
	});
	return lathe(sides, ...profile);
}

/** Returns a ball with a surface of unlike bumps, such as leaves or stone; another for each seed. */
export function lump(radius: number, seed: number, rough = 0.18): Solid {
	return each(ball(radius, 7, 3), ([x, y, z]) => {
		const wave =
			Math.sin(x * (5 / radius) + seed * 3.7) + Math.sin(y * (4 / radius) + z * (6 / radius) + seed * 1.3);
		const push = 1 + (rough * wave) / 2;
		return [x * push, y * push, z * push];
	});
}

/** Copies round the y axis, the first `radius` before the origin, that is towards -z. */
export const around = (count: number, radius: number, solid: Solid, from = 0): Solid =>
	Array.from({ length: count }, (_, i) =>
		turn(move(solid, 0, 0, -radius), 'y', from + (i * 360) / count),
	).flat();

/** Returns a roof of two slopes that stands on the origin, its ridge along z. */
export const gable = (w: number, h: number, d: number): Solid => taper(w, d, 0, d, h);

/**
 * Returns a flat thing of some thickness, upright, its faces to -z and z. The points of the outline go round either
 * way.
 */
export function plate(depth: number, ...outline: readonly (readonly [x: number, y: number])[]): Solid {
	const next = (i: number): number => (i + 1) % outline.length;
	const area = outline.reduce(
		(sum, [x, y], i) => sum + x * outline[next(i)]![1] - outline[next(i)]![0] * y,
		0,
	);
	const points = area > 0 ? outline : [...outline].reverse();
	const at = (z: number): Point[] => points.map(([x, y]): Point => [x, y, z]);
	const [front, back] = [at(-depth / 2), at(depth / 2)];
	const sides = points.map((_, i): Face => [front[i]!, front[next(i)]!, back[next(i)]!, back[i]!]);
	return [[...front].reverse(), back, ...sides];
}

/** Returns a beam of square section from one point to another. */
export function beam(thickness: number, from: Point, to: Point): Solid {
	const [dx, dy, dz] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
	const length = Math.hypot(dx, dy, dz);
	const tilt = (Math.acos(dy / length) * 180) / Math.PI;
	const heading = (Math.atan2(dx, dz) * 180) / Math.PI;
	return move(turn(turn(box(thickness, length, thickness), 'x', tilt), 'y', heading), ...from);
}
