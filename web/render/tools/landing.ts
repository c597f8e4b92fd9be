/**
 * Resting position of an object on a surface. Its lowest point touches the surface, and it does not overlap
 * other objects.
 * Owns: the arithmetic of this position, with boxes along the axes of the world.
 */

import { Box3, type Ray, type Vector3 } from 'three/webgpu';
import { boxesOf } from '../boxes.ts';
import type { Selection } from '../selection.ts';
import type { Scene } from './editor.ts';
import { isInside, raiseOnto } from './footing.ts';
import { roundToStep } from './geometry.ts';
import { isWide, obstacleBoxes, worldBox } from './surroundings.ts';

/** Minimum `y` of the normal of a surface that carries objects. Other surfaces are walls. */
const MIN_LEVEL = 0.5;
/** Minimum overlap of two boxes (m). Boxes with less overlap only touch. */
const MIN_OVERLAP = 0.002;
/** Maximum number of pushes out of an obstacle. */
const MAX_PUSHES = 12;

export interface SurfaceHit {
	readonly point: Vector3;
	/** Unit vector away from the surface. */
	readonly normal: Vector3;
}

/**
 * Returns the position of an object whose box touches the surface from outside. `box` is relative to the
 * position.
 */
export function positionAgainst({ point, normal }: SurfaceHit, box: Box3): Vector3 {
	const position = point.clone();
	if (normal.y >= MIN_LEVEL) {
		position.y -= box.min.y;
		return position;
	}
	for (const axis of ['x', 'y', 'z'] as const) {
		const component = normal[axis];
		position[axis] -= component > 0 ? box.min[axis] * component : -box.max[axis] * component;
	}
	return position;
}

/** Returns the nearest position aside or upwards at which an object does not overlap the boxes of others. */
export function positionClearOf(place: Vector3, box: Box3, others: readonly Box3[]): Vector3 {
	const positions = [
		pushOut(place, box, others),
		...SLIDE_DIRECTIONS.flatMap((heading) => slide(place, box, others, heading) ?? []),
	];
	return positions.reduce((best, candidate) =>
		candidate.distanceTo(place) < best.distanceTo(place) - MIN_OVERLAP ? candidate : best,
	);
}

const SLIDE_DIRECTIONS = [
	['x', 1],
	['x', -1],
	['z', 1],
	['z', -1],
] as const;

/** Returns the first position along a direction without an overlap; null after too many obstacles. */
function slide(
	place: Vector3,
	box: Box3,
	others: readonly Box3[],
	[axis, sign]: (typeof SLIDE_DIRECTIONS)[number],
): Vector3 | null {
	const position = place.clone();
	const movedBox = new Box3();
	for (let push = 0; push < MAX_PUSHES; push++) {
		movedBox.copy(box).translate(position);
		const obstacle = others.find((candidate) => overlaps(movedBox, candidate));
		if (obstacle === undefined) return position;
		position[axis] +=
			sign > 0 ? obstacle.max[axis] - movedBox.min[axis] : obstacle.min[axis] - movedBox.max[axis];
	}
	return null;
}

/** Pushes an object out of the boxes of others, one after the other, each time along the shortest way. */
function pushOut(place: Vector3, box: Box3, others: readonly Box3[]): Vector3 {
	const position = place.clone();
	const movedBox = new Box3();
	// It is never pushed back. Between two obstacles that are too close, only the way up remains.
	const barredWays = new Set<string>();
	for (let push = 0; push < MAX_PUSHES; push++) {
		movedBox.copy(box).translate(position);
		const obstacle = others.find((candidate) => overlaps(movedBox, candidate));
		if (obstacle === undefined) break;
		const pushes = [
			['x', obstacle.max.x - movedBox.min.x],
			['x', obstacle.min.x - movedBox.max.x],
			['z', obstacle.max.z - movedBox.min.z],
			['z', obstacle.min.z - movedBox.max.z],
			['y', obstacle.max.y - movedBox.min.y],
		] as const;
		const [axis, distance] = pushes
			.filter(([name, push]) => !barredWays.has(`${name} ${Math.sign(push)}`))
			.reduce((best, candidate) => (Math.abs(candidate[1]) < Math.abs(best[1]) ? candidate : best));
		position[axis] += distance;
		barredWays.add(`${axis} ${-Math.sign(distance)}`);
	}
	return position;
}

const overlaps = (a: Box3, b: Box3): boolean =>
	(['x', 'y', 'z'] as const).every(
		(axis) => Math.min(a.max[axis], b.max[axis]) - Math.max(a.min[axis], b.min[axis]) > MIN_OVERLAP,
	);

interface LandingOptions {
	/** Box of the object, relative to its position. */
	readonly box: Box3;
	/** Spacing of the grid (m); null without a grid. */
	readonly step: number | null;
	/** Rows of the moved entities. */
	readonly skip: ReadonlySet<number>;
}

/** Returns the position at which an object comes to rest under a ray; null in the sky. */
export function landingPlace(
	selection: Selection,
	ray: Ray,
	{ box, step, skip }: LandingOptions,
	{ stage, blocks }: Scene,
): Vector3 | null {
	const hit = selection.surfaceHit(ray, stage, skip);
	if (hit === null) return null;
	let position = positionAgainst(hit, box);
	position.x = roundToStep(position.x, step);
	position.z = roundToStep(position.z, step);
	// Look for the surface below again: a grid step may have crossed an edge, and a wall has a floor beside it.
	const top = Math.max(position.y + box.max.y, hit.point.y + 0.01);
	const below = selection.surfaceBelow(position.clone().setY(top), stage, skip);
	if (below !== null) position.y = below.point.y - box.min.y;
	const boxes = boxesOf(blocks);
	const isShape = (row: number) => row >= 0 && !isWide(worldBox(boxes, row));
	const surfaceOf = (row: number) => (point: Vector3) => selection.heightOf(row, point, stage);
	if (hit.normal.y >= MIN_LEVEL && isShape(hit.row)) position = raiseOnto(position, box, surfaceOf(hit.row));
	const supports = [hit.row, below?.row ?? -1].filter(
		(row) => !isShape(row) || !isInside(position, box, surfaceOf(row)),
	);
	return positionClearOf(position, box, obstacleBoxes(blocks, skip, new Set(supports)));
}
