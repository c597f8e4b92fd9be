/** The action `camera_shake`: shakes the picture for a while. */

import { optional } from '../../contract/values.ts';
import { shakeFields } from '../../documents/camera-move.ts';
import { AT_ONCE, action } from './action.ts';
import { inOrder, numberWord, optionalWord } from './words.ts';

export const cameraShake = action({
	kind: 'camera_shake',
	when: AT_ONCE,
	fields: {
		strength: optional(shakeFields.strength),
		ticks: optional(shakeFields.ticks),
	},
	doc: 'Shakes the picture with decreasing strength, by default 0.3 m for 24 ticks; the camera pose does not change',
	form: '[STRENGTH] [TICKS]',
	...inOrder(
		optionalWord(numberWord('strength', 'the strength')),
		optionalWord(numberWord('ticks', 'the ticks')),
	),
	access: { reads: ['camera_shake'], writes: ['camera_shake'] },
});
