/** The action `camera_shake`. */

import { USUAL_SHAKE } from '../../../../shared/documents/camera-move.ts';
import { shakeCamera } from '../../camera/shake.ts';
import type { ActionBehaviour } from './action.ts';

export const cameraShake: ActionBehaviour<'camera_shake'> = {
	act: (world, { strength, ticks }) =>
		shakeCamera(world, { strength: strength ?? USUAL_SHAKE.strength, ticks: ticks ?? USUAL_SHAKE.ticks }),
};
