/** Camera of a world, as the view draws it. */

import { currentCamera, movementOf } from '../../sim/camera/camera-movement.ts';
import { shakeOffset } from '../../sim/camera/shake.ts';
import type { World } from '../../sim/core/world.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf } from './identity.ts';

/** Camera of the view. Distances are in metres, angles in radians. */
export interface FrameCamera {
	readonly eye: readonly [number, number, number];
	readonly target: readonly [number, number, number];
	readonly up: readonly [number, number, number];
	readonly fov_y: number;
	readonly orthographic: boolean;
	/** Half the height of the orthographic picture, in metres. */
	readonly ortho_size: number;
	/** Distances of the nearest and the farthest drawn point (m). */
	readonly near: number;
	readonly far: number;
	/** Offset of the shaken picture, to the right and up (m). */
	readonly shaken: readonly [number, number];
	/** True if the camera moves by itself, so that every tick has another position. */
	readonly moving: boolean;
	/** Number of calls that set the camera. When it rises, the view leaves its own orbit. */
	readonly revision: number;
}

/** Last camera of each world. The object is replaced only if a value changes. */
const cameras = new WeakMap<World, FrameCamera>();

function cameraOf(world: World): FrameCamera {
	const current: FrameCamera = {
		...currentCamera(world),
		shaken: shakeOffset(world),
		moving: movementOf(world) !== null,
	};
	const previous = cameras.get(world);
	if (previous !== undefined && JSON.stringify(previous) === JSON.stringify(current)) return previous;
	cameras.set(world, current);
	return current;
}

export const camera: DrawnBlock<FrameCamera> = {
	version: (world) => identityOf(cameraOf(world)),
	read: cameraOf,
};
