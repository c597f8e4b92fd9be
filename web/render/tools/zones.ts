/**
 * Zones in the picture: boxes and spheres.
 * Owns: their outlines, the handles of selected zones, and the effect of dragging a handle.
 */

import { Vector3 } from 'three/webgpu';
import type { Zone } from '../messages.ts';
import { BRASS_LINE, INK } from '../palette.ts';
import { distanceAlongLine, intersectPlane, roundDecimals, roundToStep } from './geometry.ts';
import { disc, distanceToDisc, fill, lineMarks, outlineStroke, square } from './marks.ts';
import type { Sight } from './sight.ts';
import type { Handle, Mark, Point, Pointer } from './tool.ts';

/** Minimum size after a drag (m). */
const MIN_SIZE = 0.1;
const CIRCLE_POINTS = 48;
const AXES = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)] as const;
const FACES = ['x+', 'x-', 'y+', 'y-', 'z+', 'z-'] as const;

/** Name of the handle that moves a whole zone at its height. */
const MIDDLE = 'middle';

type Triple = [number, number, number];

/** Returns the outline of a zone as lines in the world. */
function outlineOf({ position, half, radius }: Zone): Vector3[][] {
	const centre = new Vector3(...position);
	if (half === null)
		return AXES.map((_, axis) =>
			Array.from({ length: CIRCLE_POINTS + 1 }, (_, i) => {
				const angle = (i / CIRCLE_POINTS) * 2 * Math.PI;
				const offset = new Vector3();
				offset.setComponent((axis + 1) % 3, Math.cos(angle) * radius);
				offset.setComponent((axis + 2) % 3, Math.sin(angle) * radius);
				return offset.add(centre);
			}),
		);
	const corner = (bits: number): Vector3 =>
		new Vector3(...half.map((part, axis) => (bits & (1 << axis) ? part : -part))).add(centre);
	return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((from) =>
		[1, 2, 4].flatMap((bit) => ((from & bit) === 0 ? [[corner(from), corner(from | bit)]] : [])),
	);
}

/** Returns the outline of a zone; brass if it is selected. */
export function zoneMarks(zone: Zone, sight: Sight): Mark[] {
	const [color, width, alpha] = zone.isSelected ? [BRASS_LINE, 2.5, 1] : [0xffffff, 1.5, 0.75];
	return outlineOf(zone).flatMap((line) => lineMarks(line, sight, color, width, alpha));
}

const faceNamed = (name: string) => ({ axis: 'xyz'.indexOf(name[0]!), sign: name[1] === '+' ? 1 : -1 });

/** Returns the positions of a zone's handles in the world. */
function handlePositions({
	position,
	half,
	radius,
	isFree,
}: Zone): (readonly [name: string, place: Vector3])[] {
	const centre = new Vector3(...position);
	const faces = FACES.map((name) => {
		const { axis, sign } = faceNamed(name);
		return [name, centre.clone().addScaledVector(AXES[axis]!, sign * (half?.[axis] ?? radius))] as const;
	});
	return isFree ? [...faces, [MIDDLE, centre]] : faces;
}

/** Returns the handles of a selected zone. */
export function zoneHandles(zone: Zone, sight: Sight): Handle[] {
	return handlePositions(zone).flatMap(([name, position]) => {
		const point = sight.pointOf(position);
		if (point === null) return [];
		const corners = name === MIDDLE ? disc(point, 7) : square(point, 5);
		return [
			{
				name,
				marks: [fill(corners, INK, 0.85), outlineStroke(corners, BRASS_LINE, 2)],
				distance: (pointer: Point) => distanceToDisc(point, 7, pointer),
			},
		];
	});
}

/** Begins to drag a handle of a zone. Returns a function for the changed zone. `step` in metres. */
export function dragZone(
	zone: Zone,
	handle: string,
	from: Pointer,
	step: number | null,
): (now: Pointer) => Zone {
	const centre = new Vector3(...zone.position);
	if (handle === MIDDLE) {
		const up = AXES[1];
		const start = intersectPlane(from.ray, centre, up) ?? centre;
		let last = start;
		return ({ ray }) => {
			last = intersectPlane(ray, centre, up) ?? last;
			const [x, y, z] = centre.clone().add(last).sub(start).toArray();
			return {
				...zone,
				position: [roundDecimals(roundToStep(x, step)), y, roundDecimals(roundToStep(z, step))],
			};
		};
	}
	const { axis, sign } = faceNamed(handle);
	const line = AXES[axis]!;
	const start = distanceAlongLine(from.ray, centre, line) ?? 0;
	let last = start;
	const { half } = zone;
	return ({ ray }) => {
		last = distanceAlongLine(ray, centre, line) ?? last;
		const outwards = (last - start) * sign;
		if (half === null)
			return {
				...zone,
				radius: roundDecimals(Math.max(MIN_SIZE, roundToStep(zone.radius + outwards, step))),
			};
		// The opposite face does not move.
		const size = Math.max(MIN_SIZE, roundToStep(2 * half[axis]! + outwards, step));
		const oppositeFace = centre.getComponent(axis) - sign * half[axis]!;
		const position = [...zone.position] as Triple;
		position[axis] = roundDecimals(oppositeFace + (sign * size) / 2);
		const halves = [...half] as Triple;
		halves[axis] = roundDecimals(size / 2);
		return { ...zone, position: position, half: halves };
	};
}

/** Returns the size of a zone as text. */
export function describeZone({ half, radius }: Zone): string {
	const number = (value: number): string => String(Math.round(value * 100) / 100);
	return half === null
		? `radius ${number(radius)} m`
		: `${half.map((part) => number(part * 2)).join(' × ')} m`;
}
