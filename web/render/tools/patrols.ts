/**
 * Patrols in the picture: the waypoints of selected entities.
 * Owns: their line, the numbered handles, and the effect of dragging a waypoint.
 */

import { Vector3 } from 'three/webgpu';
import type { Patrol } from '../messages.ts';
import { BRASS_LINE } from '../palette.ts';
import { onPlane, stepped, tidy } from './geometry.ts';
import { disc, fromDisc, lineMarks, plate } from './marks.ts';
import type { Sight } from './sight.ts';
import type { Handle, Held, Mark, Point } from './tool.ts';

const RADIUS = 9;
const UP = new Vector3(0, 1, 0);

/** Returns the line from waypoint to waypoint, and back to the first. */
export function patrolMarks({ waypoints }: Patrol, sight: Sight): Mark[] {
	const places = waypoints.map((place) => new Vector3(...place));
	return lineMarks([...places, ...places.slice(0, 1)], sight, BRASS_LINE, 2);
}

/** Returns a numbered disc at each waypoint, named by its index. */
export function patrolHandles({ waypoints }: Patrol, sight: Sight): Handle[] {
	return waypoints.flatMap((place, index) => {
		const at = sight.at(new Vector3(...place));
		if (at === null) return [];
		return [
			{
				name: String(index),
				marks: plate(String(index + 1), at, disc(at, RADIUS), BRASS_LINE),
				distance: (point: Point) => fromDisc(at, RADIUS, point),
			},
		];
	});
}

/** Begins to drag a waypoint at its height. Returns a function for the changed patrol. `step` in metres. */
export function dragWaypoint(
	patrol: Patrol,
	name: string,
	from: Held,
	step: number | null,
): (now: Held) => Patrol {
	const index = Number(name);
	const place = new Vector3(...patrol.waypoints[index]!);
	const start = onPlane(from.ray, place, UP) ?? place;
	let last = start;
	return ({ ray }) => {
		last = onPlane(ray, place, UP) ?? last;
		const [x, y, z] = place.clone().add(last).sub(start).toArray();
		const moved = [tidy(stepped(x, step)), y, tidy(stepped(z, step))] as const;
		return { ...patrol, waypoints: patrol.waypoints.with(index, moved) };
	};
}

/** Returns the place of a waypoint as text. */
export function waypointWords({ waypoints }: Patrol, name: string): string {
	const index = Number(name);
	const parts = waypoints[index]!.map((part) => String(Math.round(part * 100) / 100).replace('-', '\u2212'));
	return `waypoint ${index + 1}: ${parts.join(', ')} m`;
}
