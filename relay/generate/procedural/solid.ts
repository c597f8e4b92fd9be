/**
 * Solids of flat faces, from which models are composed, and their transformations.
 * Owns: points, in metres. The points of a face are counterclockwise when seen from outside. Never: has colours.
 */

export type Point = readonly [number, number, number];
export type Face = readonly Point[];
export type Solid = readonly Face[];

type PointMap = (point: Point) => Point;

const mapPoints = (solid: Solid, change: PointMap): Solid => solid.map((face) => face.map(change));

export const move = (solid: Solid, x: number, y: number, z: number): Solid =>
	mapPoints(solid, (point) => [point[0] + x, point[1] + y, point[2] + z]);

/** Returns a solid turned about an axis through the origin, counterclockwise as seen from its positive end. */
export function turn(solid: Solid, axis: 'x' | 'y' | 'z', degrees: number): Solid {
	const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
	return mapPoints(solid, ([x, y, z]) => {
		if (axis === 'x') return [x, cos * y - sin * z, sin * y + cos * z];
		if (axis === 'y') return [cos * x + sin * z, y, cos * z - sin * x];
		return [cos * x - sin * y, sin * x + cos * y, z];
	});
}

export const stretch = (solid: Solid, x: number, y: number, z: number): Solid =>
	mapPoints(solid, (point) => [point[0] * x, point[1] * y, point[2] * z]);

/** Returns the mirror image of a solid at x = 0. */
export const mirror = (solid: Solid): Solid =>
	solid.map((face) => face.map(([x, y, z]): Point => [-x, y, z]).reverse());

/** Returns the solid and its mirror image. */
export const pair = (solid: Solid): Solid => [...solid, ...mirror(solid)];

/** Returns a box that stands on the origin. */
export const box = (width: number, height: number, depth: number): Solid =>
	taper(width, depth, width, depth, height);

/** Returns a box that stands on the origin. Its top may have another size. */
export function taper(
	width: number,
	depth: number,
	topWidth: number,
	topDepth: number,
	height: number,
): Solid {
	const ring = (x: number, z: number, y: number): Point[] => [
		[-x / 2, y, -z / 2],
		[-x / 2, y, z / 2],
		[x / 2, y, z / 2],
		[x / 2, y, -z / 2],
	];
	return connectRings([ring(width, depth, 0), ring(topWidth, topDepth, height)]);
}

/** Returns a solid between rings with equal numbers of points, from below to above, with both ends closed. */
function connectRings(rings: readonly Face[]): Solid {
	const faces: Face[] = [[...rings[0]!].reverse(), rings.at(-1)!];
	for (let ring = 0; ring + 1 < rings.length; ring++) {
		const [low, high] = [rings[ring]!, rings[ring + 1]!];
		low.forEach((point, i) => {
			const next = (i + 1) % low.length;
			faces.push([point, low[next]!, high[next]!, high[i]!]);
		});
	}
	return faces.map(withoutDuplicates).filter((face) => face.length > 2);
}

/** Returns a face without points that equal the previous one. */
const withoutDuplicates = (face: Face): Face =>
	face.filter((point, i) => {
		const previous = face[(i + face.length - 1) % face.length]!;
		return point.some((value, axis) => Math.abs(value - previous[axis]!) > 1e-6);
	});

/** Returns a solid of revolution with `sides` sides. The profile has radii and heights from below to above. */
export function lathe(sides: number, ...profile: readonly (readonly [radius: number, y: number])[]): Solid {
	return connectRings(
		profile.map(([radius, y]) =>
			Array.from({ length: sides }, (_, i): Point => {
				const angle = ((i + 0.5) / sides) * 2 * Math.PI;
				return [radius * Math.sin(angle), y, radius * Math.cos(angle)];
			}),
		),
	);
}

export const cylinder = (sides: number, radius: number, height: number): Solid =>
	lathe(sides, [radius, 0], [radius, height]);
export const cone = (sides: number, radius: number, height: number): Solid =>
	lathe(sides, [radius, 0], [0, height]);

/** Returns a ball of few faces around the origin. `rings`: number of rings between the poles. */
export function ball(radius: number, sides = 7, rings = 3): Solid {
	const profile = Array.from({ length: rings + 2 }, (_, i): [number, number] => {
		const angle = (i / (rings + 1)) * Math.PI;
		return [radius * Math.sin(angle), -radius * Math.cos(angle)];
	});
	return lathe(sides, ...profile);
}

/** Returns a ball with irregular bumps, for leaves or stone. Each seed gives another form. */
export function lump(radius: number, seed: number, roughness = 0.18): Solid {
	return mapPoints(ball(radius, 7, 3), ([x, y, z]) => {
		const wave =
			Math.sin(x * (5 / radius) + seed * 3.7) + Math.sin(y * (4 / radius) + z * (6 / radius) + seed * 1.3);
		const factor = 1 + (roughness * wave) / 2;
		return [x * factor, y * factor, z * factor];
	});
}

/** Returns copies of a solid in a circle around the y axis. The first is `radius` in front of the origin, at -z. */
export const around = (count: number, radius: number, solid: Solid, from = 0): Solid =>
	Array.from({ length: count }, (_, i) =>
		turn(move(solid, 0, 0, -radius), 'y', from + (i * 360) / count),
	).flat();

/** Returns a roof with two slopes that stands on the origin. Its ridge is along z. */
export const gable = (width: number, height: number, depth: number): Solid =>
	taper(width, depth, 0, depth, height);

/**
 * Returns an upright plate of some thickness, with its faces to -z and z. The outline may have either direction.
 */
export function plate(depth: number, ...outline: readonly (readonly [x: number, y: number])[]): Solid {
	const next = (i: number): number => (i + 1) % outline.length;
	const area = outline.reduce(
		(sum, [x, y], i) => sum + x * outline[next(i)]![1] - outline[next(i)]![0] * y,
		0,
	);
	const points = area > 0 ? outline : [...outline].reverse();
	const outlineAt = (z: number): Point[] => points.map(([x, y]): Point => [x, y, z]);
	const [front, back] = [outlineAt(-depth / 2), outlineAt(depth / 2)];
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
