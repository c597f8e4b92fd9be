/** A rule played a sound once. Only views react to the event; the world does not store the sound. */

import * as z from 'zod';
import { entityField, event } from '../contract/event.ts';
import { number, text, vec3 } from '../contract/values.ts';
import { BUSES, FALLOFFS } from '../media/sound.ts';

export const SoundPlayed = event({
	kind: 'sound_played',
	summary: 'A rule played a sound once',
	subject: 'entity',
	fields: {
		entity: entityField('Entity it came from; null: it came from everywhere').nullable(),
		clip: text('Hash of the asset', 400),
		position: vec3('Position of the sound').nullable(),
		volume: number("Loudness, as a factor of the file's own", { unit: 'factor' }),
		pitch: number('Playback speed, as a factor', { unit: 'factor' }),
		max_distance: number('Distance beyond which it was silent', { unit: 'm' }),
		falloff: z.enum(FALLOFFS).describe('How its loudness fell with distance'),
		bus: z.enum(BUSES).describe('Bus it played on'),
		priority: z.int().describe('Priority when too many played: lower numbers were heard first'),
	},
});
