/**
 * The tool that sizes: along one axis of the entity, or along all.
 * Owns: its boxes and the result of dragging them.
 */

import { alongLine, stepped } from './geometry.ts';
import { fill, fromDisc, plate, round, square, stroke, under } from './marks.ts';
import { AXIS_COLORS, AXIS_NAMES, AXIS_PX, axisInPicture, fromAxis } from './move.ts';
import type { Sight } from './sight.ts';
import type { Base, Handle, Tool, Triple } from './tool.ts';

/** Least factor of one drag. */
const LEAST = 0.01;
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
				...under(line),
				stroke(line, color),
				...plate(AXIS_NAMES[index]!, line[1], square(line[1], 8), color),
			],
			distance: (point) => Math.min(fromAxis(line, point), fromDisc(line[1], 11, point)),
		},
	];
}

function allHandle(base: Base, sight: Sight): Handle[] {
	const at = sight.at(base.pivot);
	if (at === null) return [];
	const corners = square(at, 8);
	return [
		{
			name: 'all',
			marks: [fill(corners, 0xffffff, 0.5), round(corners, 0xffffff, 1.5)],
			distance: (point) => fromDisc(at, 10, point),
		},
	];
}

export const scale: Tool = {
	handles: (base, sight) => [
		...[0, 1, 2].flatMap((index) => axisHandle(base, index, sight)),
		...allHandle(base, sight),
	],

	drag(name, base, sight, from, step) {
		const factor = (value: number): number => Math.max(LEAST, stepped(value, step));
		const index = AXIS_NAMES.indexOf(name);
		if (index < 0)
			return ({ point: [x, y] }) => {
				const by = factor(2 ** ((x - from.point[0] - (y - from.point[1])) / DOUBLE_PX));
				return { kind: 'scale', by: [by, by, by] };
			};
		const axis = base.axes[index]!;
		const length = AXIS_PX * sight.metres(base.pivot);
		const start = Math.max(alongLine(from.ray, base.pivot, axis) ?? length, length / 4);
		let last = start;
		return ({ ray }) => {
			last = alongLine(ray, base.pivot, axis) ?? last;
			const by = factor(last / start);
			return { kind: 'scale', by: [0, 1, 2].map((i) => (i === index ? by : 1)) as unknown as Triple };
		};
	},
};
