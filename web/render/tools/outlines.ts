/**
 * Outlines in the picture during editing: zones, and patrols of selected entities.
 * Owns: the choice between the two, and the names of their handles among all handles.
 */

import type { Outlined, Patrol } from '../messages.ts';
import { dragWaypoint, patrolHandles, patrolMarks, waypointWords } from './patrols.ts';
import type { Sight } from './sight.ts';
import type { Handle, Held, Mark } from './tool.ts';
import { dragZone, zoneHandles, zoneMarks, zoneWords } from './zones.ts';

const isPatrol = (outlined: Outlined): outlined is Patrol => 'waypoints' in outlined;

const stemOf = ({ key }: Outlined): string => `outline ${key} `;

export const outlineMarks = (outlined: Outlined, sight: Sight): Mark[] =>
	isPatrol(outlined) ? patrolMarks(outlined, sight) : zoneMarks(outlined, sight);

/** Returns the handles of a patrol or of a selected zone; other zones have none. */
export function outlineHandles(outlined: Outlined, sight: Sight): readonly Handle[] {
	const handles = isPatrol(outlined)
		? patrolHandles(outlined, sight)
		: outlined.isSelected
			? zoneHandles(outlined, sight)
			: [];
	return handles.map((handle) => ({ ...handle, name: stemOf(outlined) + handle.name }));
}

/** Begins to drag a handle. Returns a function for the changed outline; null if the outline does not have this handle. */
export function dragOutline(
	outlined: Outlined,
	handle: string,
	from: Held,
	step: number | null,
): ((now: Held) => Outlined) | null {
	const stem = stemOf(outlined);
	if (!handle.startsWith(stem)) return null;
	const name = handle.slice(stem.length);
	return isPatrol(outlined) ? dragWaypoint(outlined, name, from, step) : dragZone(outlined, name, from, step);
}

/** Returns the text for an outline while a handle of it is dragged. */
export const outlineWords = (outlined: Outlined, handle: string): string =>
	isPatrol(outlined) ? waypointWords(outlined, handle.slice(stemOf(outlined).length)) : zoneWords(outlined);
