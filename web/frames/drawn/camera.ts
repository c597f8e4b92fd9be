/** Position from which the world is looked at. */

import { currentCamera, movementOf } from '../../sim/camera/camera-movement.ts';
import { shakeOffset } from '../../sim/camera/shake.ts';
import type { World } from '../../sim/core/world.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf } from './identity.ts';

/** Camera of the view. Distances in metres, angles in radians. */
export interface FrameCamera {
	readonly eye: readonly [number, number, number];
	readonly target: readonly [number, number, number];
	readonly up: readonly [number, number, number];
	readonly fov_y: number;
	readonly orthographic: boolean;
	/** Half the height of the orthographic picture, in metres. */
	readonly ortho_size: number;
	/** Nearer and farther than that nothing is drawn, in metres. */
	readonly near: number;
	readonly far: number;
	/** Offset of the shaken picture, to the right and up (m). */
	readonly shaken: readonly [number, number];
	/** True if it moves by itself: then it is elsewhere on other ticks. */
	readonly moving: boolean;
	/** Rises whenever a call sets the camera, so that the view knows when to leave its own orbit. */
	readonly revision: number;
}

/** The camera that each world had when it was last asked: another only when it looks at something else. */
const last = new WeakMap<World, FrameCamera>();

function cameraOf(world: World): FrameCamera {
	const now: FrameCamera = {
		...currentCamera(world),
		shaken: shakeOffset(world),
		moving: movementOf(world) !== null,
	};
	const before = last.get(world);
	if (before !== undefined && JSON.stringify(before) === JSON.stringify(now)) return before;
	last.set(world, now);
	return now;
}

export const camera: DrawnBlock<FrameCamera> = {
	version: (world) => identityOf(cameraOf(world)),
	read: cameraOf,
};
