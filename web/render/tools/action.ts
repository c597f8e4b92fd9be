/**
 * Actions of a person with the pressed pointer.
 * Owns: what each kind of drag remembers.
 */

import type { Vector3 } from 'three/webgpu';
import type { EntityRef, Outlined } from '../messages.ts';
import type { Pose } from './pose.ts';
import type { Base, Change, Drag, Held, Point } from './tool.ts';

/** An entity that is dragged. */
export interface Target extends EntityRef {
	readonly pose: Pose;
	/** Ids of what it carries, with their poses. */
	readonly carries: readonly (readonly [id: number, pose: Pose])[];
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
			readonly drag: (now: Held) => Outlined;
			outlined: Outlined | null;
	  }
	| { readonly kind: 'brush'; stamps: readonly Vector3[] }
	| { readonly kind: 'rectangle'; readonly from: Point; to: Point };
