/**
 * The tool that moves: along an axis, in the plane of two, or over the surfaces.
 * Owns: its handles and what dragging them comes to.
 */

import { Vector3 } from 'three/webgpu';
import { LAPIS, VERDIGRIS, VERMILION } from '../palette.ts';
import { alongLine, onPlane, stepped } from './geometry.ts';
import { disc, fill, fromDisc, fromLine, inArea, plate, round, stroke, under } from './marks.ts';
import type { Sight } from './sight.ts';
import type { Base, Handle, Mark, Point, Tool } from './tool.ts';

/** Pixels from the pivot to the tip of an axis that is seen from the side. */
export const AXIS_PX = 84;
/** An axis that is shorter in the picture points at the eye: it cannot be dragged. */
export const MIN_PX = 20;
/** Begin and end of the plane of two axes, as shares of their length. */
const PLANE = [0.26, 0.5] as const;
/** A plane seen more flatly than this (sine) cannot be dragged. */
const PLANE_SEEN = 0.2;

/** The handle that drags over the surfaces of the world, which the editor knows. */
export const SURFACE = 'surface';

export const AXIS_NAMES: readonly string[] = ['x', 'y', 'z'];
export const AXIS_COLORS = [VERMILION, VERDIGRIS, LAPIS] as const;
/** The axis across each plane. */
const PLANES = { yz: 0, xz: 1, xy: 2 } as const;

/** Begin of the part of an axis that can be dragged: the middle is another handle. */
const GRIP = 0.16;

/** Pixels from a point to the line of an axis. */
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

/** Returns the move along one axis that ends on a step: of the world's grid where the axis is one of the world's. */
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
