/** The action `camera_shake`. */

import { DEFAULT_SHAKE } from '../../../../shared/documents/camera-move.ts';
import { shakeCamera } from '../../camera/shake.ts';
import type { ActionBehaviour } from './action.ts';

export const cameraShake: ActionBehaviour<'camera_shake'> = {
	act: (world, { strength, ticks }) =>
		shakeCamera(world, { strength: strength ?? DEFAULT_SHAKE.strength, ticks: ticks ?? DEFAULT_SHAKE.ticks }),
};
