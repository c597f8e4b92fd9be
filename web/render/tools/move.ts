/**
 * The tool that moves: along an axis, in the plane of two, or over the surfaces.
 * Owns: its handles and the result of dragging them.
 */

import { Vector3 } from 'three/webgpu';
import { LAPIS, VERDIGRIS, VERMILION } from '../palette.ts';
import { alongLine, onPlane, stepped } from './geometry.ts';
import { disc, fill, fromDisc, fromLine, inArea, plate, round, stroke, under } from './marks.ts';
import type { Sight } from './sight.ts';
import type { Base, Handle, Mark, Point, Tool } from './tool.ts';

/** Length of an axis seen from the side (CSS pixels). */
export const AXIS_PX = 84;
/** Least length of an axis in the picture (CSS pixels); a shorter one points at the eye and cannot be dragged. */
export const MIN_PX = 20;
/** Start and end of the plane of two axes, as shares of their length. */
const PLANE = [0.26, 0.5] as const;
/** Least angle of view of a plane (sine); a flatter plane cannot be dragged. */
const PLANE_SEEN = 0.2;

/** Name of the handle that drags over the surfaces of the world; the editor implements this drag. */
export const SURFACE = 'surface';

export const AXIS_NAMES: readonly string[] = ['x', 'y', 'z'];
export const AXIS_COLORS = [VERMILION, VERDIGRIS, LAPIS] as const;
/** Axis at a right angle to each plane. */
const PLANES = { yz: 0, xz: 1, xy: 2 } as const;

/** Start of the draggable part of an axis, as a share; the middle is another handle. */
const GRIP = 0.16;

/** Returns the distance of a point from the line of an axis (CSS pixels). */
export function fromAxis([[ax, ay], to]: readonly [Point, Point], point: Point): number {
	const from = [ax + (to[0] - ax) * GRIP, ay + (to[1] - ay) * GRIP] as const;
	return fromLine([from, to], point);
}

/** Returns an axis in the picture, from the pivot to its tip; null if it cannot be dragged. */
export function axisInPicture(base: Base, axis: Vector3, sight: Sight): readonly [Point, Point] | null {
	const length = AXIS_PX * sight.metres(base.pivot);
	const from = sight.at(base.pivot);
	const to = sight.at(base.pivot.clone().addScaledVector(axis, length));
	if (from === null || to === null || Math.hypot(to[0] - from[0], to[1] - from[1]) < MIN_PX) return null;
	return [from, to];
}

function axisHandle(base: Base, index: number, sight: Sight): Handle[] {
	const line = axisInPicture(base, base.axes[index]!, sight);
	if (line === null) return [];
	const color = AXIS_COLORS[index]!;
	const marks: Mark[] = [
		...under(line),
		stroke(line, color),
		...plate(AXIS_NAMES[index]!, line[1], disc(line[1], 9), color),
	];
	return [
		{
			name: AXIS_NAMES[index]!,
			marks,
			distance: (point) => Math.min(fromAxis(line, point), fromDisc(line[1], 10, point)),
		},
	];
}

function planeHandle(base: Base, name: keyof typeof PLANES, sight: Sight): Handle[] {
	const across = base.axes[PLANES[name]];
	if (Math.abs(across.dot(sight.towards(base.pivot))) < PLANE_SEEN) return [];
	const length = AXIS_PX * sight.metres(base.pivot);
	const [first, second] = base.axes.filter((_, index) => index !== PLANES[name]) as [Vector3, Vector3];
	const [near, far] = PLANE;
	const corners = (
		[
			[near, near],
			[far, near],
			[far, far],
			[near, far],
		] as const
	).map(([a, b]) =>
		sight.at(
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
			marks: [fill(area, color, 0.35), round(area, color, 1.5)],
			// Lines and discs that cross it come first.
			distance: (point) => (inArea(area, point) ? 4 : Infinity),
		},
	];
}

function surfaceHandle(base: Base, sight: Sight): Handle[] {
	const at = sight.at(base.pivot);
	if (at === null) return [];
	const corners = disc(at, 6);
	return [
		{
			name: SURFACE,
			marks: [fill(corners, 0xffffff, 0.5), round(corners, 0xffffff, 1.5)],
			distance: (point) => fromDisc(at, 7, point),
		},
	];
}

/** Returns a move along an axis, rounded to steps; along an axis of the world it ends on the world's grid. */
function onGrid(base: Base, axis: Vector3, by: number, step: number | null): number {
	const isWorlds = [axis.x, axis.y, axis.z].some((part) => Math.abs(part) === 1);
	const from = isWorlds ? base.pivot.dot(axis) : 0;
	return stepped(from + by, step) - from;
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
			const start = alongLine(from.ray, base.pivot, axis) ?? 0;
			let last = 0;
			return ({ ray }) => {
				last = (alongLine(ray, base.pivot, axis) ?? last + start) - start;
				return { kind: 'move', by: axis.clone().multiplyScalar(onGrid(base, axis, last, step)) };
			};
		}
		const across = base.axes[PLANES[name as keyof typeof PLANES]];
		const free = base.axes.filter((axis) => axis !== across);
		const start = onPlane(from.ray, base.pivot, across) ?? base.pivot;
		let last = start;
		return ({ ray }) => {
			last = onPlane(ray, base.pivot, across) ?? last;
			const way = last.clone().sub(start);
			const by = new Vector3();
			for (const axis of free) by.addScaledVector(axis, onGrid(base, axis, way.dot(axis), step));
			return { kind: 'move', by };
		};
	},
};
