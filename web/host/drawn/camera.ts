/** Where the world is looked at from. */

import { camera as cameraOf } from '../../sim/camera/camera.ts';
import type { Drawn } from './drawn.ts';
import { identityOf } from './identity.ts';

/** What the view needs of a camera. Distances in metres, angles in radians. */
export interface FrameCamera {
	readonly eye: readonly [number, number, number];
	readonly target: readonly [number, number, number];
	readonly up: readonly [number, number, number];
	readonly fov_y: number;
	readonly orthographic: boolean;
	/** Half the height of the orthographic picture, in metres. */
	readonly ortho_size: number;
	/** Rises whenever a call sets the camera, so that the view knows when to leave its own orbit. */
	readonly revision: number;
}

export const camera: Drawn<FrameCamera> = {
	version: (world) => identityOf(cameraOf(world)),
	read: (world) => cameraOf(world),
};
