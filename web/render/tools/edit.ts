/**
 * Edit that results from a drag.
 * Owns: the choice of the changed parts of a pose, and the text of a change for the page.
 */

import type { Vector3 } from 'three/webgpu';
import type { EntityRef, PoseEdit } from '../messages.ts';
import { roundDecimals } from './geometry.ts';
import type { Pose } from './pose.ts';
import type { Change, Triple } from './tool.ts';

/** Returns true if a change has no effect. */
export function hasNoEffect(change: Change): boolean {
	if (change.kind === 'move') return change.by.lengthSq() === 0;
	if (change.kind === 'turn') return Math.abs(change.turn.w) === 1;
	return change.by.every((factor) => factor === 1);
}

export const tidyTriple = (v: Vector3): Triple => [
	roundDecimals(v.x),
	roundDecimals(v.y),
	roundDecimals(v.z),
];

/** Returns the edit of an entity's pose: the parts that differ in `to`. */
export function editOf({ id, generation, pose }: EntityRef & { readonly pose: Pose }, to: Pose): PoseEdit {
	return {
		id,
		generation,
		...(to.place.distanceToSquared(pose.place) > 1e-12 ? { position: tidyTriple(to.place) } : {}),
		...(to.turn === pose.turn ? {} : { rotation: to.turn.toArray() as [number, number, number, number] }),
		...(to.size === pose.size ? {} : { scale: tidyTriple(to.size) }),
	};
}

/** Returns the size of a change as text. */
export function describeChange(handle: string, change: Change): string {
	const number = (value: number): string => String(Math.round(value * 100) / 100 + 0).replace('-', '\u2212');
	if (change.kind === 'move') {
		const { x, y, z } = change.by;
		return handle.length === 1
			? `${handle} ${number(change.by.length() * Math.sign(x + y + z || 1))} m`
			: `x ${number(x)}, y ${number(y)}, z ${number(z)} m`;
	}
	if (change.kind === 'turn') {
		const degrees = (2 * Math.acos(Math.min(1, Math.abs(change.turn.w))) * 180) / Math.PI;
		return `${handle === 'view' ? '' : `${handle} `}${number(degrees)}°`;
	}
	return `× ${number(change.by.find((factor) => factor !== 1) ?? 1)}`;
}
