/** The action `play_animation`: plays a clip on the models of entities. */

import { flag } from '../../contract/values.ts';
import { clipRef, playSpeed, seconds } from '../../media/animation.ts';
import { inQuotes, withoutQuotes } from '../verb-text.ts';
import { AT_ONCE, action, target } from './action.ts';
import { type ActionWord, aimWord, inOrder, numberWord, optionalWord, plainWord } from './words.ts';

/** Word of a clip: its number or its name. */
const clip: ActionWord = {
	...plainWord('clip'),
	read: (text = '') => (/^\d+$/.test(text) ? Number(text) : withoutQuotes(text)),
	write: (reference: number | string) =>
		typeof reference === 'number' ? String(reference) : inQuotes(reference),
};

const loop: ActionWord = {
	...plainWord('loop'),
	read: (text) => text !== 'once',
	write: (repeats: boolean) => (repeats ? 'loop' : 'once'),
};

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
	...inOrder(
		aimWord,
		clip,
		optionalWord(numberWord('speed', 'the speed')),
		optionalWord(loop),
		optionalWord(numberWord('fade', 'the fade')),
	),
	access: {
		reads: ['animation', 'animation_library', 'mesh'],
		writes: ['animation'],
		emits: ['action_failed'],
	},
});
