/** The action `play_animation`: plays a clip on the models of entities. */

import { flag } from '../../contract/values.ts';
import { clipRef, playSpeed, seconds } from '../../media/animation.ts';
import { given, readNumber } from '../verb-text.ts';
import { AT_ONCE, action, aimed, target } from './action.ts';

export const playAnimation = action({
	kind: 'play_animation',
	when: AT_ONCE,
	fields: {
		target,
		clip: clipRef,
		speed: playSpeed.default(1),
		loop: flag('Repeats at its end').default(true),
		fade: seconds('Crossfade from the previous clip').default(0.2),
	},
	form: 'TARGET CLIP [SPEED] [once|loop] [FADE_SECONDS]',
	most: 5,
	read: ([whom, clip, speed, how, fade]) => ({
		...aimed(whom),
		clip: /^\d+$/.test(clip ?? '') ? Number(clip) : (clip ?? ''),
		...given({ speed }, (text) => readNumber(text, 'the speed')),
		...given({ loop: how }, (text) => text !== 'once'),
		...given({ fade }, (text) => readNumber(text, 'the fade')),
	}),
	access: {
		reads: ['animation', 'animation_library', 'mesh'],
		writes: ['animation'],
		emits: ['action_failed'],
	},
});
