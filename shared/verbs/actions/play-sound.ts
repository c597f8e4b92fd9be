/** The action `play_sound`: plays a sound once. */

import { namesAsset } from '../../contract/asset-mark.ts';
import { Refusal } from '../../contract/errors.ts';
import { optional, text } from '../../contract/values.ts';
import { soundFields } from '../../media/sound.ts';
import { readTarget, writeTarget } from '../targets/index.ts';
import { inQuotes, withoutQuotes } from '../verb-text.ts';
import { AT_ONCE, action, target } from './action.ts';

const { volume, pitch, max_distance, falloff, bus, priority } = soundFields;

export const playSound = action({
	kind: 'play_sound',
	when: AT_ONCE,
	fields: {
		clip: text(
			'SHA-256 of a WAV, Ogg or MP3 asset, or its name or path, which is stored as the SHA-256',
			400,
		).meta(namesAsset('sound')),
		at: optional(
			target.describe('Entities it comes from, one sound for each; left out: it comes from everywhere'),
		),
		volume,
		pitch,
		max_distance,
		falloff,
		bus,
		priority,
	},
	doc: 'Plays a sound once. For a continuous sound, use POST /audio/play or spawn with "sound"',
	form: 'CLIP [TARGET]',
	maxWords: 2,
	read: ([clip, at]) => {
		if (clip === undefined) throw new Refusal('"play_sound" has no sound');
		return { clip: withoutQuotes(clip), ...(at === undefined ? {} : { at: readTarget(at) }) };
	},
	write: ({ clip, at }) => [inQuotes(clip), at == null ? undefined : writeTarget(at)],
	targetFields: ['at'],
	access: { reads: ['local_transform', 'parent'], emits: ['sound_played', 'action_failed'] },
});
