/**
 * Zones in the picture: boxes and spheres.
 * Owns: their outlines, the handles of selected zones, and the effect of dragging a handle.
 */

import { Vector3 } from 'three/webgpu';
import type { Zone } from '../messages.ts';
import { BRASS_LINE, INK } from '../palette.ts';
import { alongLine, onPlane, stepped, tidy } from './geometry.ts';
import { disc, fill, fromDisc, lineMarks, round, square } from './marks.ts';
import type { Sight } from './sight.ts';
import type { Handle, Held, Mark, Point } from './tool.ts';

/** Least size that a drag can give (m). */
const LEAST = 0.1;
const CIRCLE_POINTS = 48;
const AXES = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)] as const;
const FACES = ['x+', 'x-', 'y+', 'y-', 'z+', 'z-'] as const;

/** Name of the handle that moves a whole zone at its height. */
const MIDDLE = 'middle';

type Triple = [number, number, number];

/** Returns the outline of a zone as lines in the world. */
function outline({ place, half, radius }: Zone): Vector3[][] {
	const middle = new Vector3(...place);
	if (half === null)
		return AXES.map((_, axis) =>
			Array.from({ length: CIRCLE_POINTS + 1 }, (_, i) => {
				const angle = (i / CIRCLE_POINTS) * 2 * Math.PI;
				const offset = new Vector3();
				offset.setComponent((axis + 1) % 3, Math.cos(angle) * radius);
				offset.setComponent((axis + 2) % 3, Math.sin(angle) * radius);
				return offset.add(middle);
			}),
		);
	const corner = (bits: number): Vector3 =>
		new Vector3(...half.map((part, axis) => (bits & (1 << axis) ? part : -part))).add(middle);
	return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((from) =>
		[1, 2, 4].flatMap((bit) => ((from & bit) === 0 ? [[corner(from), corner(from | bit)]] : [])),
	);
}

/** Returns the outline of a zone; brass if it is selected. */
export function zoneMarks(zone: Zone, sight: Sight): Mark[] {
	const [color, width, alpha] = zone.isSelected ? [BRASS_LINE, 2.5, 1] : [0xffffff, 1.5, 0.75];
	return outline(zone).flatMap((line) => lineMarks(line, sight, color, width, alpha));
}

const faceOf = (name: string) => ({ axis: 'xyz'.indexOf(name[0]!), sign: name[1] === '+' ? 1 : -1 });

/** Returns the positions of a zone's handles in the world. */
function places({ place, half, radius, isFree }: Zone): (readonly [name: string, place: Vector3])[] {
	const middle = new Vector3(...place);
	const faces = FACES.map((name) => {
		const { axis, sign } = faceOf(name);
		return [name, middle.clone().addScaledVector(AXES[axis]!, sign * (half?.[axis] ?? radius))] as const;
	});
	return isFree ? [...faces, [MIDDLE, middle]] : faces;
}

/** Returns the handles of a selected zone. */
export function zoneHandles(zone: Zone, sight: Sight): Handle[] {
	return places(zone).flatMap(([name, position]) => {
		const at = sight.at(position);
		if (at === null) return [];
		const corners = name === MIDDLE ? disc(at, 7) : square(at, 5);
		return [
			{
				name,
				marks: [fill(corners, INK, 0.85), round(corners, BRASS_LINE, 2)],
				distance: (point: Point) => fromDisc(at, 7, point),
			},
		];
	});
}

/** Begins to drag a handle of a zone. Returns a function for the changed zone. `step` in metres. */
export function dragZone(zone: Zone, handle: string, from: Held, step: number | null): (now: Held) => Zone {
	const middle = new Vector3(...zone.place);
	if (handle === MIDDLE) {
		const up = AXES[1];
		const start = onPlane(from.ray, middle, up) ?? middle;
		let last = start;
		return ({ ray }) => {
			last = onPlane(ray, middle, up) ?? last;
			const [x, y, z] = middle.clone().add(last).sub(start).toArray();
			return { ...zone, place: [tidy(stepped(x, step)), y, tidy(stepped(z, step))] };
		};
	}
	const { axis, sign } = faceOf(handle);
	const line = AXES[axis]!;
	const start = alongLine(from.ray, middle, line) ?? 0;
	let last = start;
	const { half } = zone;
	return ({ ray }) => {
		last = alongLine(ray, middle, line) ?? last;
		const outwards = (last - start) * sign;
		if (half === null)
			return { ...zone, radius: tidy(Math.max(LEAST, stepped(zone.radius + outwards, step))) };
		// The opposite face does not move.
		const size = Math.max(LEAST, stepped(2 * half[axis]! + outwards, step));
		const across = middle.getComponent(axis) - sign * half[axis]!;
		const position = [...zone.place] as Triple;
		position[axis] = tidy(across + (sign * size) / 2);
		const halves = [...half] as Triple;
		halves[axis] = tidy(size / 2);
		return { ...zone, place: position, half: halves };
	};
}

/** Returns the size of a zone as text. */
export function zoneWords({ half, radius }: Zone): string {
	const number = (value: number): string => String(Math.round(value * 100) / 100);
	return half === null
		? `radius ${number(radius)} m`
		: `${half.map((part) => number(part * 2)).join(' × ')} m`;
}
