/**
 * Tool that scales entities along one axis of the entity selected last, or along all axes.
 * Owns: its boxes and the result of dragging them.
 */

import { distanceAlongLine, roundToStep } from './geometry.ts';
import { distanceToDisc, fill, outlineStroke, plateMarks, shadeMarks, square, stroke } from './marks.ts';
import { AXIS_COLORS, AXIS_NAMES, AXIS_PX, axisInPicture, distanceToAxis } from './move.ts';
import type { Sight } from './sight.ts';
import type { Base, Handle, Tool, Triple } from './tool.ts';

/** Minimum factor of one drag. */
const MIN_FACTOR = 0.01;
/** Distance up or to the right that doubles a size (CSS pixels). */
const DOUBLE_PX = 100;

function axisHandle(base: Base, index: number, sight: Sight): Handle[] {
	const line = axisInPicture(base, base.axes[index]!, sight);
	if (line === null) return [];
	const color = AXIS_COLORS[index]!;
	return [
		{
			name: AXIS_NAMES[index]!,
			marks: [
				...shadeMarks(line),
				stroke(line, color),
				...plateMarks(AXIS_NAMES[index]!, line[1], square(line[1], 8), color),
			],
			distance: (point) => Math.min(distanceToAxis(line, point), distanceToDisc(line[1], 11, point)),
		},
	];
}

function allHandle(base: Base, sight: Sight): Handle[] {
	const point = sight.pointOf(base.pivot);
	if (point === null) return [];
	const corners = square(point, 8);
	return [
		{
			name: 'all',
			marks: [fill(corners, 0xffffff, 0.5), outlineStroke(corners, 0xffffff, 1.5)],
			distance: (pointer) => distanceToDisc(point, 10, pointer),
		},
	];
}

export const scale: Tool = {
	handles: (base, sight) => [
		...[0, 1, 2].flatMap((index) => axisHandle(base, index, sight)),
		...allHandle(base, sight),
	],

	drag(name, base, sight, from, step) {
		const factorOf = (value: number): number => Math.max(MIN_FACTOR, roundToStep(value, step));
		const index = AXIS_NAMES.indexOf(name);
		if (index < 0)
			return ({ point: [x, y] }) => {
				const by = factorOf(2 ** ((x - from.point[0] - (y - from.point[1])) / DOUBLE_PX));
				return { kind: 'scale', by: [by, by, by] };
			};
		const axis = base.axes[index]!;
		const length = AXIS_PX * sight.metresPerPixel(base.pivot);
		const start = Math.max(distanceAlongLine(from.ray, base.pivot, axis) ?? length, length / 4);
		let last = start;
		return ({ ray }) => {
			last = distanceAlongLine(ray, base.pivot, axis) ?? last;
			const by = factorOf(last / start);
			return { kind: 'scale', by: [0, 1, 2].map((i) => (i === index ? by : 1)) as unknown as Triple };
		};
	},
};
