/**
 * Feedback in the picture: flashes, damage numbers, bursts and trails.
 * Owns: the settings in calls and saved worlds, and the stored moments, which are shown for some ticks. The picture of a
 * moment depends only on the moment and the tick.
 */

import * as z from 'zod';
import { handle } from '../contract/handle.ts';
import { pastTick } from '../contract/tick.ts';
import { flag, integer, number, vec3 } from '../contract/values.ts';

export const feedbackFields = {
	enabled: flag('Shows feedback'),
	flashes: flag('Hurt entities flash'),
	numbers: flag('Damage rises as a number above its target'),
	bursts: flag(
		'Particles burst when an entity is hurt, dies, appears or levels up. New entities grow to their size, and corpses sink before they vanish',
	),
	trails: flag('Projectiles and ranged hits leave a trail of light'),
	sounds: flag('Hits are heard at their target'),
};

/** Settings in worlds. Older worlds lack `sounds`, so they play no sounds of hits. */
export const feedbackSettings = z.strictObject({
	...feedbackFields,
	sounds: feedbackFields.sounds.default(false),
});
export type FeedbackSettings = Readonly<z.output<typeof feedbackSettings>>;

/**
 * Settings of feedback that is switched on without other settings. Sounds of hits are off, because the rules of a world
 * may play their own.
 */
export const DEFAULT_FEEDBACK: FeedbackSettings = {
	enabled: true,
	flashes: true,
	numbers: true,
	bursts: true,
	trails: true,
	sounds: false,
};

/** Ticks for which a moment of each kind is shown. */
export const MOMENT_TICKS = { hurt: 48, death: 66, appear: 48, level: 72 } as const;
export type MomentKind = keyof typeof MOMENT_TICKS;

/** Maximum number of moments that are shown at once. The newest are kept. */
export const MAX_MOMENTS = 256;

const moment = z.strictObject({
	kind: z.enum(Object.keys(MOMENT_TICKS) as [MomentKind, ...MomentKind[]]),
	tick: pastTick('First tick it is shown'),
	number: integer('Number of the event within the world'),
	entity: handle.describe('Entity it is about'),
	place: vec3('Middle of the entity at that time'),
	size: number('Largest edge of its bounding box', { unit: 'm', min: 0 }),
	team: z.int().nullable().describe('Its team, or null'),
	color: z.string().nullable().describe('Its colour, or null'),
	amount: number('Health it loses', { unit: 'HP', min: 0 }),
	share: number('The same as a share of its maximum health', { unit: 'share', min: 0 }),
	shooter: z
		.strictObject({ place: vec3('Position it comes from'), team: z.int().nullable() })
		.nullable()
		.describe('Attacker that hit it from a distance without a projectile'),
});
export type FeedbackMoment = Readonly<z.output<typeof moment>>;

export const momentsValue = z.strictObject({
	moments: z.array(moment).max(MAX_MOMENTS),
	flights: z
		.array(
			z.strictObject({
				entity: handle,
				owner: handle.nullable(),
				since: pastTick('First tick of its flight'),
			}),
		)
		.describe('Projectiles in flight'),
	waiting: z.array(handle).describe('Dead entities that will respawn'),
});
export type Moments = Readonly<z.output<typeof momentsValue>>;
