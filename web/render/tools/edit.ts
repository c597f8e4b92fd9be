/**
 * The edit that results from a drag.
 * Owns: the parts of an entity that it changes, and its text for the page.
 */

import type { Vector3 } from 'three/webgpu';
import type { EntityRef, PoseEdit } from '../messages.ts';
import { tidy } from './geometry.ts';
import type { Pose } from './pose.ts';
import type { Change, Triple } from './tool.ts';

/** Returns true if a change has no effect. */
export function isNothing(change: Change): boolean {
	if (change.kind === 'move') return change.by.lengthSq() === 0;
	if (change.kind === 'turn') return Math.abs(change.turn.w) === 1;
	return change.by.every((factor) => factor === 1);
}

export const triple = (v: Vector3): Triple => [tidy(v.x), tidy(v.y), tidy(v.z)];

/** Returns the parts of an entity that a change alters. */
export function editOf({ id, generation, pose }: EntityRef & { readonly pose: Pose }, to: Pose): PoseEdit {
	return {
		id,
		generation,
		...(to.place.distanceToSquared(pose.place) > 1e-12 ? { position: triple(to.place) } : {}),
		...(to.turn === pose.turn ? {} : { rotation: to.turn.toArray() as [number, number, number, number] }),
		...(to.size === pose.size ? {} : { scale: triple(to.size) }),
	};
}

/** Returns the size of a change as text. */
export function wordsOf(handle: string, change: Change): string {
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
