/**
 * Patrols in the picture: the waypoints of selected entities.
 * Owns: their line, the numbered handles, and the effect of dragging a waypoint.
 */

import { Vector3 } from 'three/webgpu';
import type { Patrol } from '../messages.ts';
import { BRASS_LINE } from '../palette.ts';
import { intersectPlane, roundDecimals, roundToStep } from './geometry.ts';
import { disc, distanceToDisc, lineMarks, plateMarks } from './marks.ts';
import type { Sight } from './sight.ts';
import type { Handle, Mark, Point, Pointer } from './tool.ts';

/** Radius of the disc at a waypoint (CSS pixels). */
const RADIUS = 9;
const UP = new Vector3(0, 1, 0);

/** Returns the line from waypoint to waypoint, and back to the first. */
export function patrolMarks({ waypoints }: Patrol, sight: Sight): Mark[] {
	const positions = waypoints.map((position) => new Vector3(...position));
	return lineMarks([...positions, ...positions.slice(0, 1)], sight, BRASS_LINE, 2);
}

/** Returns a numbered disc at each waypoint, named by its index. */
export function patrolHandles({ waypoints }: Patrol, sight: Sight): Handle[] {
	return waypoints.flatMap((place, index) => {
		const point = sight.pointOf(new Vector3(...place));
		if (point === null) return [];
		return [
			{
				name: String(index),
				marks: plateMarks(String(index + 1), point, disc(point, RADIUS), BRASS_LINE),
				distance: (pointer: Point) => distanceToDisc(point, RADIUS, pointer),
			},
		];
	});
}

/** Begins to drag a waypoint at its height. Returns a function for the changed patrol. `step` in metres. */
export function dragWaypoint(
	patrol: Patrol,
	name: string,
	from: Pointer,
	step: number | null,
): (now: Pointer) => Patrol {
	const index = Number(name);
	const position = new Vector3(...patrol.waypoints[index]!);
	const start = intersectPlane(from.ray, position, UP) ?? position;
	let last = start;
	return ({ ray }) => {
		last = intersectPlane(ray, position, UP) ?? last;
		const [x, y, z] = position.clone().add(last).sub(start).toArray();
		const newWaypoint = [
			roundDecimals(roundToStep(x, step)),
			y,
			roundDecimals(roundToStep(z, step)),
		] as const;
		return { ...patrol, waypoints: patrol.waypoints.with(index, newWaypoint) };
	};
}

/** Returns the position of a waypoint as text. */
export function describeWaypoint({ waypoints }: Patrol, name: string): string {
	const index = Number(name);
	const coordinates = waypoints[index]!.map((coordinate) =>
		String(Math.round(coordinate * 100) / 100).replace('-', '\u2212'),
	);
	return `waypoint ${index + 1}: ${coordinates.join(', ')} m`;
}
