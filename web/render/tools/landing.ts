/**
 * Resting place of a thing that is put on a surface: its lowest point on it, beside what else is there.
 * Owns: that arithmetic, on boxes along the axes of the world.
 */

import { Box3, type Ray, type Vector3 } from 'three/webgpu';
import { boxesOf } from '../boxes.ts';
import type { Selection } from '../selection.ts';
import type { Scene } from './editor.ts';
import { cutsInto, raisedOnto } from './footing.ts';
import { stepped } from './geometry.ts';
import { boxesOfOthers, isWide, worldBox } from './surroundings.ts';

/** Surfaces at least this level carry what is put on them; others are walls. */
const LEVEL = 0.5;
/** Boxes that overlap by less (m) only touch. */
const TOUCH = 0.002;
const MAX_PUSHES = 12;

export interface SurfaceHit {
	readonly point: Vector3;
	/** Points away from the surface. */
	readonly normal: Vector3;
}

/** Place of a thing at which its box, given round its place, touches the surface from outside. */
export function against({ point, normal }: SurfaceHit, box: Box3): Vector3 {
	const position = point.clone();
	if (normal.y >= LEVEL) {
		position.y -= box.min.y;
		return position;
	}
	for (const axis of ['x', 'y', 'z'] as const) {
		const part = normal[axis];
		position[axis] -= part > 0 ? box.min[axis] * part : -box.max[axis] * part;
	}
	return position;
}

/** Moves a thing out of the boxes of others, to the nearest place aside or up. */
export function clearOf(place: Vector3, box: Box3, others: readonly Box3[]): Vector3 {
	const places = [
		pushedOut(place, box, others),
		...HEADINGS.flatMap((to) => slid(place, box, others, to) ?? []),
	];
	return places.reduce((best, one) => (one.distanceTo(place) < best.distanceTo(place) - TOUCH ? one : best));
}

const HEADINGS = [
	['x', 1],
	['x', -1],
	['z', 1],
	['z', -1],
] as const;

/** The first place along a heading that is clear of others; null if there are too many. */
function slid(
	place: Vector3,
	box: Box3,
	others: readonly Box3[],
	[axis, sign]: (typeof HEADINGS)[number],
): Vector3 | null {
	const at = place.clone();
	const here = new Box3();
	for (let push = 0; push < MAX_PUSHES; push++) {
		here.copy(box).translate(at);
		const other = others.find((one) => overlap(here, one));
		if (other === undefined) return at;
		at[axis] += sign > 0 ? other.max[axis] - here.min[axis] : other.min[axis] - here.max[axis];
	}
	return null;
}

/** Pushes a thing out of the boxes of others, one after the other, each time the shortest way. */
function pushedOut(place: Vector3, box: Box3, others: readonly Box3[]): Vector3 {
	const at = place.clone();
	const here = new Box3();
	// Never back to where it was pushed from: between two things that are too close, up is left.
	const barred = new Set<string>();
	for (let push = 0; push < MAX_PUSHES; push++) {
		here.copy(box).translate(at);
		const other = others.find((candidate) => overlap(here, candidate));
		if (other === undefined) break;
		const ways = [
			['x', other.max.x - here.min.x],
			['x', other.min.x - here.max.x],
			['z', other.max.z - here.min.z],
			['z', other.min.z - here.max.z],
			['y', other.max.y - here.min.y],
		] as const;
		const [axis, by] = ways
			.filter(([name, way]) => !barred.has(`${name} ${Math.sign(way)}`))
			.reduce((best, way) => (Math.abs(way[1]) < Math.abs(best[1]) ? way : best));
		at[axis] += by;
		barred.add(`${axis} ${-Math.sign(by)}`);
	}
	return at;
}

const overlap = (a: Box3, b: Box3): boolean =>
	(['x', 'y', 'z'] as const).every(
		(axis) => Math.min(a.max[axis], b.max[axis]) - Math.max(a.min[axis], b.min[axis]) > TOUCH,
	);

interface Landing {
	/** Box round the place of the thing. */
	readonly box: Box3;
	/** Of the grid (m). */
	readonly step: number | null;
	/** Rows of what is moved. */
	readonly skip: ReadonlySet<number>;
}

/** Returns where a thing comes to rest under a ray; null in the sky. */
export function landingPlace(
	selection: Selection,
	ray: Ray,
	{ box, step, skip }: Landing,
	{ stage, blocks }: Scene,
): Vector3 | null {
	const hit = selection.surface(ray, stage, skip);
	if (hit === null) return null;
	let position = against(hit, box);
	position.x = stepped(position.x, step);
	position.z = stepped(position.z, step);
	// On what is below it there: a step may have taken it over an edge, and beside a wall is a floor.
	const top = Math.max(position.y + box.max.y, hit.point.y + 0.01);
	const down = selection.below(position.clone().setY(top), stage, skip);
	if (down !== null) position.y = down.point.y - box.min.y;
	const boxes = boxesOf(blocks);
	const isShape = (row: number) => row >= 0 && !isWide(worldBox(boxes, row));
	const surfaceOf = (row: number) => (point: Vector3) => selection.heightOf(row, point, stage);
	if (hit.normal.y >= LEVEL && isShape(hit.row)) position = raisedOnto(position, box, surfaceOf(hit.row));
	const carrying = [hit.row, down?.row ?? -1].filter(
		(row) => !isShape(row) || !cutsInto(position, box, surfaceOf(row)),
	);
	return clearOf(position, box, boxesOfOthers(blocks, skip, new Set(carrying)));
}
