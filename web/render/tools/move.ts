/**
 * Tool that moves entities along an axis, in the plane of two axes, or over surfaces.
 * Owns: its handles and the result of dragging them.
 */

import { Vector3 } from 'three/webgpu';
import { LAPIS, VERDIGRIS, VERMILION } from '../palette.ts';
import { distanceAlongLine, intersectPlane, roundToStep } from './geometry.ts';
import {
	disc,
	distanceToDisc,
	distanceToLine,
	fill,
	inArea,
	outlineStroke,
	plateMarks,
	shadeMarks,
	stroke,
} from './marks.ts';
import type { Sight } from './sight.ts';
import type { Base, Handle, Mark, Point, Tool } from './tool.ts';

/** Length of an axis seen from the side (CSS pixels). */
export const AXIS_PX = 84;
/**
 * Minimum length of an axis in the picture (CSS pixels). A shorter axis points at the eye and cannot be
 * dragged.
 */
export const MIN_PX = 20;
/** Start and end of the plane of two axes, as shares of their length. */
const PLANE_RANGE = [0.26, 0.5] as const;
/** Minimum angle between the view and a plane (sine). A flatter plane cannot be dragged. */
const MIN_PLANE_SINE = 0.2;

/** Name of the handle that drags over the surfaces of the world. The editor implements this drag. */
export const SURFACE = 'surface';

export const AXIS_NAMES: readonly string[] = ['x', 'y', 'z'];
export const AXIS_COLORS = [VERMILION, VERDIGRIS, LAPIS] as const;
/** Axis at a right angle to each plane. */
const PLANES = { yz: 0, xz: 1, xy: 2 } as const;

/** Start of the draggable part of an axis, as a share of its length. The middle is another handle. */
const GRIP_START = 0.16;

/** Returns the distance of a point from the line of an axis (CSS pixels). */
export function distanceToAxis([[ax, ay], tip]: readonly [Point, Point], point: Point): number {
	const start = [ax + (tip[0] - ax) * GRIP_START, ay + (tip[1] - ay) * GRIP_START] as const;
	return distanceToLine([start, tip], point);
}

/** Returns an axis in the picture, from the pivot to its tip; null if it cannot be dragged. */
export function axisInPicture(base: Base, axis: Vector3, sight: Sight): readonly [Point, Point] | null {
	const length = AXIS_PX * sight.metresPerPixel(base.pivot);
	const start = sight.pointOf(base.pivot);
	const tip = sight.pointOf(base.pivot.clone().addScaledVector(axis, length));
	if (start === null || tip === null || Math.hypot(tip[0] - start[0], tip[1] - start[1]) < MIN_PX)
		return null;
	return [start, tip];
}

function axisHandle(base: Base, index: number, sight: Sight): Handle[] {
	const line = axisInPicture(base, base.axes[index]!, sight);
	if (line === null) return [];
	const color = AXIS_COLORS[index]!;
	const marks: Mark[] = [
		...shadeMarks(line),
		stroke(line, color),
		...plateMarks(AXIS_NAMES[index]!, line[1], disc(line[1], 9), color),
	];
	return [
		{
			name: AXIS_NAMES[index]!,
			marks,
			distance: (point) => Math.min(distanceToAxis(line, point), distanceToDisc(line[1], 10, point)),
		},
	];
}

function planeHandle(base: Base, name: keyof typeof PLANES, sight: Sight): Handle[] {
	const normal = base.axes[PLANES[name]];
	if (Math.abs(normal.dot(sight.directionTo(base.pivot))) < MIN_PLANE_SINE) return [];
	const length = AXIS_PX * sight.metresPerPixel(base.pivot);
	const [first, second] = base.axes.filter((_, index) => index !== PLANES[name]) as [Vector3, Vector3];
	const [start, end] = PLANE_RANGE;
	const corners = (
		[
			[start, start],
			[end, start],
			[end, end],
			[start, end],
		] as const
	).map(([a, b]) =>
		sight.pointOf(
			base.pivot
				.clone()
				.addScaledVector(first, a * length)
				.addScaledVector(second, b * length),
		),
	);
	if (corners.some((corner) => corner === null)) return [];
	const area = corners as Point[];
	const color = AXIS_COLORS[PLANES[name]];
	return [
		{
			name,
			marks: [fill(area, color, 0.35), outlineStroke(area, color, 1.5)],
			// Lines and discs that cross the plane come first.
			distance: (point) => (inArea(area, point) ? 4 : Infinity),
		},
	];
}

function surfaceHandle(base: Base, sight: Sight): Handle[] {
	const point = sight.pointOf(base.pivot);
	if (point === null) return [];
	const corners = disc(point, 6);
	return [
		{
			name: SURFACE,
			marks: [fill(corners, 0xffffff, 0.5), outlineStroke(corners, 0xffffff, 1.5)],
			distance: (pointer) => distanceToDisc(point, 7, pointer),
		},
	];
}

/** Rounds a move along an axis to steps (m). A move along an axis of the world ends on the world's grid. */
function roundMove(base: Base, axis: Vector3, distance: number, step: number | null): number {
	const isWorldAxis = [axis.x, axis.y, axis.z].some((part) => Math.abs(part) === 1);
	const start = isWorldAxis ? base.pivot.dot(axis) : 0;
	return roundToStep(start + distance, step) - start;
}

export const move: Tool = {
	handles: (base, sight) => [
		...(['yz', 'xz', 'xy'] as const).flatMap((name) => planeHandle(base, name, sight)),
		...[0, 1, 2].flatMap((index) => axisHandle(base, index, sight)),
		...surfaceHandle(base, sight),
	],

	drag(name, base, _sight, from, step) {
		const index = AXIS_NAMES.indexOf(name);
		if (index >= 0) {
			const axis = base.axes[index]!;
			const start = distanceAlongLine(from.ray, base.pivot, axis) ?? 0;
			let last = 0;
			return ({ ray }) => {
				last = (distanceAlongLine(ray, base.pivot, axis) ?? last + start) - start;
				return { kind: 'move', by: axis.clone().multiplyScalar(roundMove(base, axis, last, step)) };
			};
		}
		const normal = base.axes[PLANES[name as keyof typeof PLANES]];
		const planeAxes = base.axes.filter((axis) => axis !== normal);
		const start = intersectPlane(from.ray, base.pivot, normal) ?? base.pivot;
		let last = start;
		return ({ ray }) => {
			last = intersectPlane(ray, base.pivot, normal) ?? last;
			const offset = last.clone().sub(start);
			const by = new Vector3();
			for (const axis of planeAxes) by.addScaledVector(axis, roundMove(base, axis, offset.dot(axis), step));
			return { kind: 'move', by };
		};
	},
};
