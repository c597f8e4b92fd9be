/**
 * Tool that turns entities about an axis, or about the direction of view.
 * Owns: its rings and the result of dragging them.
 */

import { Quaternion, Vector3 } from 'three/webgpu';
import { intersectPlane, roundToStep } from './geometry.ts';
import { disc, distanceToDisc, distanceToLine, plateMarks, shadeMarks, stroke } from './marks.ts';
import { AXIS_COLORS, AXIS_NAMES, AXIS_PX } from './move.ts';
import type { Sight } from './sight.ts';
import type { Base, Handle, Point, Tool } from './tool.ts';

const CORNERS = 64;
/** Size of the ring about the direction of view, relative to the other rings. */
const VIEW_RING_FACTOR = 1.22;
/** Angle of view (sine) below which a ring is dragged along its line in the picture. */
const EDGE_ON = 0.25;

/**
 * Returns two directions that are perpendicular to an axis and to each other. Angles grow from the first to
 * the second.
 */
function perpendicularsOf(axis: Vector3): [Vector3, Vector3] {
	const helper = Math.abs(axis.y) < 0.9 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
	const first = helper.cross(axis).normalize();
	return [first, axis.clone().cross(first)];
}

/** Returns the points of a circle about an axis. */
function circlePoints(base: Base, axis: Vector3, radius: number): Vector3[] {
	const [first, second] = perpendicularsOf(axis);
	return Array.from({ length: CORNERS + 1 }, (_, i) => {
		const angle = (i / CORNERS) * 2 * Math.PI;
		return base.pivot
			.clone()
			.addScaledVector(first, Math.cos(angle) * radius)
			.addScaledVector(second, Math.sin(angle) * radius);
	});
}

/** Splits a circle into two lines: the part that is nearer to the eye than the pivot, and the rest. */
function splitCircle(positions: readonly Vector3[], base: Base, view: Vector3): [Vector3[], Vector3[]] {
	const isFront = positions.map((position) => position.clone().sub(base.pivot).dot(view) <= 1e-9);
	// Begin at the start of the front, so that it is one line.
	const start = isFront.findIndex((front, i) => front && !isFront[(i + CORNERS - 1) % CORNERS]);
	if (start < 0) return [[...positions], []];
	const order = Array.from({ length: CORNERS + 1 }, (_, i) => (start + i) % CORNERS);
	const end = order.findIndex((index) => !isFront[index]);
	return [
		order.slice(0, end).map((index) => positions[index]!),
		order.slice(end - 1).map((index) => positions[index]!),
	];
}

function projectPoints(positions: readonly Vector3[], sight: Sight): Point[] | null {
	const points = positions.map((position) => sight.pointOf(position));
	return points.some((point) => point === null) ? null : (points as Point[]);
}

function ringHandle(base: Base, index: number, sight: Sight): Handle[] {
	const radius = AXIS_PX * sight.metresPerPixel(base.pivot);
	const view = sight.directionTo(base.pivot);
	const [front, back] = splitCircle(circlePoints(base, base.axes[index]!, radius), base, view);
	const [frontPoints, backPoints] = [projectPoints(front, sight), projectPoints(back, sight)];
	if (frontPoints === null || backPoints === null) return [];
	const color = AXIS_COLORS[index]!;
	const top = frontPoints[frontPoints.length >> 1]!;
	return [
		{
			name: AXIS_NAMES[index]!,
			marks: [
				stroke(backPoints, color, 1.5, 0.3),
				...shadeMarks(frontPoints),
				stroke(frontPoints, color, 3),
				...plateMarks(AXIS_NAMES[index]!, top, disc(top, 9), color),
			],
			distance: (point) => Math.min(distanceToLine(frontPoints, point), distanceToDisc(top, 10, point)),
		},
	];
}

function viewHandle(base: Base, sight: Sight): Handle[] {
	const radius = AXIS_PX * VIEW_RING_FACTOR * sight.metresPerPixel(base.pivot);
	const points = projectPoints(circlePoints(base, sight.directionTo(base.pivot), radius), sight);
	if (points === null) return [];
	return [
		{
			name: 'view',
			marks: [stroke(points, 0xffffff, 1.5, 0.6)],
			distance: (point) => distanceToLine(points, point) + 1,
		},
	];
}

/** Returns the smaller angle from one direction to another (radians). */
const angleBetween = (from: number, to: number): number => {
	const angle = (to - from) % (2 * Math.PI);
	return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
};

export const turn: Tool = {
	handles: (base, sight) => [
		...viewHandle(base, sight),
		...[0, 1, 2].flatMap((index) => ringHandle(base, index, sight)),
	],

	drag(name, base, sight, from, step) {
		const view = sight.directionTo(base.pivot);
		const index = AXIS_NAMES.indexOf(name);
		// Right is clockwise about the direction of view.
		const axis = index < 0 ? view : base.axes[index]!;
		const [first, second] = perpendicularsOf(axis);
		const radius = AXIS_PX * sight.metresPerPixel(base.pivot);
		const angleOf = (position: Vector3): number => {
			const offset = position.clone().sub(base.pivot);
			return Math.atan2(offset.dot(second), offset.dot(first));
		};
		const rotation = (radians: number) => {
			const degrees = roundToStep((radians * 180) / Math.PI, step);
			return {
				kind: 'turn',
				turn: new Quaternion().setFromAxisAngle(axis, (degrees * Math.PI) / 180),
			} as const;
		};
		if (Math.abs(axis.dot(view)) < EDGE_ON) {
			const gripPosition = nearest(circlePoints(base, axis, radius), from.point, view, base, sight);
			const tangent = axis.clone().cross(gripPosition.clone().sub(base.pivot)).normalize();
			const [a, b] = [
				sight.pointOf(gripPosition),
				sight.pointOf(gripPosition.clone().addScaledVector(tangent, radius)),
			];
			const [dx, dy] = a === null || b === null ? [0, 0] : [b[0] - a[0], b[1] - a[1]];
			const square = dx * dx + dy * dy || 1;
			return ({ point: [x, y] }) => rotation(((x - from.point[0]) * dx + (y - from.point[1]) * dy) / square);
		}
		let last = angleOf(intersectPlane(from.ray, base.pivot, axis) ?? base.pivot.clone().add(first));
		let total = 0;
		return ({ ray }) => {
			const position = intersectPlane(ray, base.pivot, axis);
			if (position !== null) {
				const angle = angleOf(position);
				total += angleBetween(last, angle);
				last = angle;
			}
			return rotation(total);
		};
	},
};

/** Returns the point on the front of a circle that is nearest to a point of the picture. */
function nearest(
	positions: readonly Vector3[],
	[x, y]: Point,
	view: Vector3,
	base: Base,
	sight: Sight,
): Vector3 {
	let best = positions[0]!;
	let minDistance = Infinity;
	for (const position of splitCircle(positions, base, view)[0]) {
		const point = sight.pointOf(position);
		const distance = point === null ? Infinity : Math.hypot(point[0] - x, point[1] - y);
		if (distance < minDistance) [minDistance, best] = [distance, position];
	}
	return best;
}
