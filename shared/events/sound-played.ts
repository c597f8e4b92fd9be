/** A rule played a sound once. Listeners hear it; the world keeps nothing of it. */

import * as z from 'zod';
import { event, someone } from '../contract/event.ts';
import { number, text, vec3 } from '../contract/values.ts';
import { BUSES, FALLOFFS } from '../media/sound.ts';

export const SoundPlayed = event({
	kind: 'sound_played',
	summary: 'A rule played a sound once',
	subject: 'entity',
	fields: {
		entity: someone('Entity it came from; null: it came from everywhere').nullable(),
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
