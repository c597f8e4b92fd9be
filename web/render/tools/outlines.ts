/**
 * Outlines in the picture during editing: zones, and patrols of selected entities.
 * Owns: the choice between the two, and the names of their handles among all handles.
 */

import type { EditOutline, Patrol } from '../messages.ts';
import { describeWaypoint, dragWaypoint, patrolHandles, patrolMarks } from './patrols.ts';
import type { Sight } from './sight.ts';
import type { Handle, Mark, Pointer } from './tool.ts';
import { describeZone, dragZone, zoneHandles, zoneMarks } from './zones.ts';

const isPatrol = (outline: EditOutline): outline is Patrol => 'waypoints' in outline;

const namePrefix = ({ key }: EditOutline): string => `outline ${key} `;

export const outlineMarks = (outline: EditOutline, sight: Sight): Mark[] =>
	isPatrol(outline) ? patrolMarks(outline, sight) : zoneMarks(outline, sight);

/** Returns the handles of a patrol or of a selected zone. Other zones have no handles. */
export function outlineHandles(outline: EditOutline, sight: Sight): readonly Handle[] {
	const handles = isPatrol(outline)
		? patrolHandles(outline, sight)
		: outline.isSelected
			? zoneHandles(outline, sight)
			: [];
	return handles.map((handle) => ({ ...handle, name: namePrefix(outline) + handle.name }));
}

/**
 * Begins to drag a handle. Returns a function for the changed outline; null if the outline does not have this
 * handle.
 */
export function dragOutline(
	outline: EditOutline,
	handle: string,
	from: Pointer,
	step: number | null,
): ((now: Pointer) => EditOutline) | null {
	const prefix = namePrefix(outline);
	if (!handle.startsWith(prefix)) return null;
	const name = handle.slice(prefix.length);
	return isPatrol(outline) ? dragWaypoint(outline, name, from, step) : dragZone(outline, name, from, step);
}

/** Returns the text for an outline while a handle of it is dragged. */
export const describeOutline = (outline: EditOutline, handle: string): string =>
	isPatrol(outline)
		? describeWaypoint(outline, handle.slice(namePrefix(outline).length))
		: describeZone(outline);
