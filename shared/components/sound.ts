/** A sound of an entity. The state does not depend on it, so no digest includes it. */

import * as z from 'zod';
import { namesAsset } from '../contract/asset-mark.ts';
import { component, json, scalar, words, yesNo } from '../contract/component.ts';
import { TICK } from '../contract/tick.ts';
import { flag, optional, text } from '../contract/values.ts';
import { BUSES, DEFAULT_SOUND, FALLOFFS, soundFields } from '../media/sound.ts';

const soundDocument = z
	.strictObject({
		clip: text(
			'SHA-256 of a WAV, Ogg or MP3 asset, or its name or path, which is stored as the SHA-256; empty: no sound',
			400,
		).meta(namesAsset('sound')),
		name: optional(text('Name sent with the call that played it', 400)),
		spatial: optional(
			flag('true: it comes from the position of the entity; false: it is the same everywhere. Default true'),
		),
		playing: optional(flag('Plays. Default true')),
		...soundFields,
	})
	.describe('A sound')
	.meta({ id: 'Sound' });

export const Sound = component({
	name: 'sound',
	title: 'Sound',
	scope: 'view',
	summary: 'A sound that comes from the position of the entity, or is the same everywhere',
	fields: {
		clip: json<string>(z.string(), '', 'Hash of the asset'),
		called: json<string | null>(z.string().nullable(), null, 'Name sent with the call that played it'),
		volume: scalar('f32', "Loudness, as a factor of the file's own", {
			unit: 'factor',
			initial: DEFAULT_SOUND.volume,
		}),
		pitch: scalar('f32', 'Playback speed, as a factor', { unit: 'factor', initial: DEFAULT_SOUND.pitch }),
		loop: yesNo('1: it repeats', 0),
		spatial: yesNo('1: it comes from the position of the entity', 1),
		max_distance: scalar('f32', 'Distance beyond which it is silent', {
			unit: 'm',
			initial: DEFAULT_SOUND.max_distance,
		}),
		falloff: words(FALLOFFS, 'How its loudness falls with distance'),
		bus: words(BUSES, 'Bus it plays on'),
		priority: scalar('u8', 'Priority when too many play: lower numbers are heard first', {
			initial: DEFAULT_SOUND.priority,
		}),
		fade_in: scalar('u32', 'Ticks until it has its full volume', { unit: 'ticks' }),
		playing: yesNo('1: it was not stopped', 1),
		started: scalar('u32', 'Tick of its start', { unit: TICK }),
	},
	spawn: {
		fields: { sound: optional(soundDocument) },
		row: ({ sound }) => {
			if (sound == null) return null;
			const { clip, name, loop, spatial, playing, ...rest } = sound;
			const settings = Object.fromEntries(Object.entries(rest).filter(([, value]) => value != null));
			return {
				...DEFAULT_SOUND,
				...settings,
				clip,
				called: name ?? null,
				loop: loop === true ? 1 : 0,
				spatial: spatial === false ? 0 : 1,
				playing: playing === false ? 0 : 1,
			};
		},
		describe: (row) => {
			if (row === undefined) return { sound: undefined };
			const { called, loop, spatial, playing, started, ...rest } = row;
			return {
				sound: {
					...rest,
					...(called === null ? {} : { name: called }),
					loop: loop === 1,
					spatial: spatial === 1,
					playing: playing === 1,
				},
			};
		},
	},
});
