/**
 * Actions of a person while the pointer is pressed.
 * Owns: the state of each kind of drag.
 */

import type { Vector3 } from 'three/webgpu';
import type { EditOutline, EntityRef } from '../messages.ts';
import type { Pose } from './pose.ts';
import type { Base, Change, Drag, Point, Pointer } from './tool.ts';

/** A dragged entity. */
export interface Target extends EntityRef {
	readonly pose: Pose;
	/** Ids and poses of its descendants, which move with it. */
	readonly carried: readonly (readonly [id: number, pose: Pose])[];
}

export type Action =
	| {
			readonly kind: 'edit';
			readonly handle: string;
			readonly base: Base;
			readonly drag: Drag;
			readonly targets: readonly Target[];
			change: Change | null;
	  }
	| {
			readonly kind: 'outline';
			readonly handle: string;
			readonly drag: (now: Pointer) => EditOutline;
			outline: EditOutline | null;
	  }
	| { readonly kind: 'brush'; stamps: readonly Vector3[] }
	| { readonly kind: 'rectangle'; readonly from: Point; to: Point };
