/** A rule played a sound once. Who listens hears it; nothing of it stays in the world. */

import * as z from 'zod';
import { event, someone } from '../contract/event.ts';
import { BUSES, FALLOFFS } from '../contract/sound.ts';
import { number, text, vec3 } from '../contract/values.ts';

export const SoundPlayed = event({
	kind: 'sound_played',
	summary: 'A rule played a sound once',
	subject: 'entity',
	fields: {
		entity: someone('Entity that it came from; null: it came from everywhere').nullable(),
		clip: text('Hash of the asset', 400),
		position: vec3('Where it was played').nullable(),
		volume: number("Loudness, as a factor of the file's own", { unit: 'factor' }),
		pitch: number('Speed at which it was played', { unit: 'factor' }),
		max_distance: number('Distance from which on it was not heard', { unit: 'm' }),
		falloff: z.enum(FALLOFFS).describe('How it got softer with the distance'),
		bus: z.enum(BUSES).describe('Bus that it played on'),
		priority: z.int().describe('Which were heard when too many played: 0 came first'),
	},
});
