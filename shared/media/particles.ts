/**
 * Emitters of particles.
 * Owns: the description of an emitter, the presets, and the computation of particles. Particles depend only on the
 * emitter, its seed and the tick, so they are never stored.
 */

import * as z from 'zod';
import { namesAsset } from '../contract/asset-mark.ts';
import { pastTick } from '../contract/tick.ts';
import { TICKS_PER_SECOND } from '../contract/ticks.ts';
import {
	flag,
	hasLength,
	integer,
	number,
	optional,
	someLengthSchema,
	text,
	vec3,
	word,
} from '../contract/values.ts';

export const MAX_PARTICLES = 10_000;
export const MAX_EMITTERS = 1000;
const MAX_BURSTS = 16;
/** Maximum number of a burst in a document. It leaves room for the numbers of later bursts. */
const MAX_BURST_NUMBER = 1e9;

export const EMITTER_SHAPES = ['point', 'sphere', 'box', 'disc'] as const;
const part = z.number().min(0).max(1);

export const emitterFields = {
	rate: number('Particles per second', { unit: '1/s', min: 0, max: 10_000 }),
	lifetime: number('Lifetime of a particle', { unit: 's', min: 0.02, max: 60 }),
	lifetime_spread: number('Largest share by which a lifetime is shortened at random', {
		unit: 'share',
		min: 0,
		max: 1,
	}),
	max: integer('Largest number of particles at a time', { min: 1, max: MAX_PARTICLES }),
	duration: number('Time it emits after its start; 0: unlimited', {
		unit: 's',
		min: 0,
		max: 1e5,
	}),
	shape: word(EMITTER_SHAPES, 'Region where particles start: a point, a sphere, a box or a horizontal disc'),
	size: vec3('Diameters of that region', { min: 0, max: 1000 }),
	direction: z
		.tuple([z.number().min(-1e6).max(1e6), z.number().min(-1e6).max(1e6), z.number().min(-1e6).max(1e6)])
		.refine(hasLength, 'a direction must have a length above 0')
		.describe('Direction of flight, rotated with the entity [x, y, z]')
		.meta({ unit: 'direction', ...someLengthSchema }),
	spread: number('Largest angle from that direction; 180: all directions', {
		unit: 'deg',
		min: 0,
		max: 180,
	}),
	speed: z
		.tuple([z.number().min(0).max(1000), z.number().min(0).max(1000)])
		.describe('Lowest and highest speed [low, high] (m/s)')
		.meta({ unit: 'm/s' }),
	gravity: vec3('Acceleration', { unit: 'm/s^2', min: -1000, max: 1000 }),
	drag: number('Share of its speed that a particle loses per second, at first', {
		unit: '1/s',
		min: 0,
		max: 100,
	}),
	turbulence: number('Strength of the turbulence', { unit: 'm', min: 0, max: 100 }),
	spin: number('Rotation speed in the picture', { unit: 'deg/s', min: -3600, max: 3600 }),
	sizes: z
		.array(z.number().min(0).max(100))
		.min(1)
		.max(8)
		.describe('Diameter over the lifetime, evenly spaced (m)')
		.meta({ unit: 'm' }),
	colors: z
		.array(z.tuple([part, part, part, part]))
		.min(1)
		.max(8)
		.describe('Colour over the lifetime, evenly spaced: sRGB red, green, blue and alpha [r, g, b, a]'),
	glow: number('Brightness of its own; above 1 it glows with bloom', {
		unit: 'factor',
		min: 0,
		max: 100,
	}),
	lit: flag('Lit by the world: smoke is dark at night, fire is not'),
	additive: flag('Adds its light to the background instead of covering it'),
	stretch: number('Length along its path, as of rain', { unit: 's', min: 0, max: 1 }),
	trail: flag('Particles stay behind when the entity moves by its velocity'),
	texture: text('Picture of a particle: SHA-256, name or path of an asset; null: a soft disc', 400)
		.meta(namesAsset('texture'))
		.nullable(),
};

export const emitterSchema = z.strictObject(emitterFields);
export type Emitter = Readonly<z.output<typeof emitterSchema>>;

export const DEFAULT_EMITTER: Emitter = {
	rate: 50,
	lifetime: 2,
	lifetime_spread: 0.3,
	max: 1000,
	duration: 0,
	shape: 'point',
	size: [1, 1, 1],
	direction: [0, 1, 0],
	spread: 25,
	speed: [2, 5],
	gravity: [0, -9.81, 0],
	drag: 0,
	turbulence: 0,
	spin: 0,
	sizes: [0.3, 0.1],
	colors: [
		[1, 0.8, 0.2, 1],
		[1, 0.2, 0, 0],
	],
	glow: 1,
	lit: false,
	additive: false,
	stretch: 0,
	trail: false,
	texture: null,
};

/** Differences of a preset from the defaults. */
export const EMITTER_PRESETS = {
	fire: {
		rate: 60,
		lifetime: 1.2,
		lifetime_spread: 0.5,
		shape: 'disc',
		size: [0.7, 0, 0.7],
		spread: 8,
		speed: [1.2, 2.4],
		gravity: [0, 0.6, 0],
		turbulence: 0.1,
		spin: 60,
		sizes: [0.5, 0.75, 0.5, 0.12],
		colors: [
			[1, 0.6, 0.15, 0],
			[1, 0.5, 0.1, 0.42],
			[0.9, 0.22, 0.03, 0.32],
			[0.4, 0.05, 0.01, 0],
		],
		glow: 1.4,
		additive: true,
	},
	smoke: {
		rate: 16,
		lifetime: 5,
		shape: 'disc',
		size: [0.3, 0, 0.3],
		spread: 10,
		speed: [0.8, 1.3],
		gravity: [0.12, 0.05, 0],
		drag: 0.2,
		turbulence: 0.35,
		spin: 25,
		sizes: [0.35, 1, 1.7, 2.3],
		colors: [
			[0.55, 0.54, 0.53, 0],
			[0.6, 0.59, 0.58, 0.34],
			[0.66, 0.66, 0.66, 0.2],
			[0.72, 0.72, 0.72, 0],
		],
		lit: true,
	},
	sparks: {
		rate: 60,
		lifetime: 0.9,
		lifetime_spread: 0.6,
		spread: 60,
		speed: [2, 6],
		drag: 0.6,
		sizes: [0.11, 0.08, 0.03],
		colors: [
			[1, 0.85, 0.5, 1],
			[1, 0.55, 0.15, 1],
			[1, 0.3, 0.05, 0],
		],
		glow: 1.6,
		additive: true,
		stretch: 0.03,
	},
	magic: {
		rate: 45,
		lifetime: 1.8,
		shape: 'sphere',
		size: [1, 1, 1],
		spread: 60,
		speed: [0.2, 0.8],
		gravity: [0, 0.5, 0],
		turbulence: 0.25,
		sizes: [0.02, 0.16, 0.1, 0.01],
		colors: [
			[0.5, 0.8, 1, 0],
			[0.3, 0.4, 1, 0.9],
			[0.7, 0.2, 1, 0.8],
			[0.9, 0.3, 0.9, 0],
		],
		glow: 1.2,
		additive: true,
	},
	rain: {
		rate: 900,
		lifetime: 1.2,
		lifetime_spread: 0,
		max: 1200,
		shape: 'box',
		size: [24, 0.5, 24],
		direction: [0.06, -1, 0],
		spread: 1,
		speed: [11, 13],
		gravity: [0, 0, 0],
		sizes: [0.02],
		colors: [[0.72, 0.8, 0.9, 0.5]],
		lit: true,
		stretch: 0.045,
	},
	snow: {
		rate: 220,
		lifetime: 9,
		lifetime_spread: 0.1,
		max: 2000,
		shape: 'box',
		size: [24, 0.5, 24],
		direction: [0.15, -1, 0.05],
		spread: 8,
		speed: [0.9, 1.5],
		gravity: [0, 0, 0],
		turbulence: 0.4,
		sizes: [0.07],
		colors: [
			[1, 1, 1, 0],
			[1, 1, 1, 0.95],
			[1, 1, 1, 0.95],
			[1, 1, 1, 0],
		],
		lit: true,
	},
} as const satisfies Record<string, { readonly [K in keyof Emitter]?: unknown }>;

export const PRESET_NAMES = ['fire', 'smoke', 'sparks', 'magic', 'rain', 'snow'] as const;
export type EmitterPreset = (typeof PRESET_NAMES)[number];

/** Returns the emitter of a preset, or the default one, with some changed values. */
export function emitterOf(preset: EmitterPreset | null, changes: Partial<Emitter> = {}): Emitter {
	const presetValues = preset === null ? {} : (EMITTER_PRESETS[preset] as unknown as Partial<Emitter>);
	return { ...DEFAULT_EMITTER, ...presetValues, ...changes };
}

const { texture, ...otherFields } = emitterFields;

/** Fields of an emitter in a document: its preset, and the differences from it. */
export const emitterDocument = {
	preset: optional(word(PRESET_NAMES, 'Preset that the other fields change')),
	start: optional(flag('false: nothing is emitted until /particle/emit')),
	...(Object.fromEntries(
		Object.entries({ ...otherFields, texture: texture.unwrap() }).map(([key, field]) => [
			key,
			optional(field),
		]),
	) as { [K in keyof typeof otherFields]: z.ZodOptional<z.ZodNullable<(typeof otherFields)[K]>> } & {
		texture: z.ZodOptional<z.ZodNullable<z.ZodString>>;
	}),
};
type EmitterDocument = {
	readonly [K in keyof typeof emitterDocument]?: z.output<(typeof emitterDocument)[K]>;
};

/** Returns the emitter that a document describes. */
export function emitterOfDocument({ preset, start: _, ...changes }: EmitterDocument): Emitter {
	return emitterOf(
		preset ?? null,
		Object.fromEntries(Object.entries(changes).filter(([, value]) => value != null)) as Partial<Emitter>,
	);
}

/** State of an emitter, from which its particles are computed. */
export const emitterRun = z.strictObject({
	seed: integer('Seed of its randomness'),
	since: pastTick('Tick of its last start; null: it only bursts').nullable(),
	until: pastTick('Tick of its stop').nullable(),
	bursts: z
		.array(
			z.strictObject({
				tick: pastTick('Tick of a burst'),
				count: integer('Particles in it', { min: 1, max: MAX_PARTICLES }),
				number: integer('Number of the burst within this emitter', { max: MAX_BURST_NUMBER }),
			}),
		)
		.max(MAX_BURSTS),
	burst_count: integer('Bursts so far', { max: MAX_BURST_NUMBER }),
});
export type EmitterRun = Readonly<z.output<typeof emitterRun>>;

/** Returns true if an emitter creates particles at a tick, apart from bursts. */
export function isEmitting({ rate, duration }: Emitter, { since, until }: EmitterRun, tick: number): boolean {
	if (since === null || until !== null || rate === 0) return false;
	return duration === 0 || tick < since + duration * TICKS_PER_SECOND;
}

/**
 * Returns a run with one more burst. Bursts without remaining particles are removed, and the oldest ones beyond the
 * limit.
 */
export function withBurst(emitter: Emitter, run: EmitterRun, tick: number, count: number): EmitterRun {
	const oldest = tick - emitter.lifetime * TICKS_PER_SECOND;
	const bursts = run.bursts.filter((burst) => burst.tick > oldest).slice(-(MAX_BURSTS - 1));
	const number = run.burst_count + 1;
	return { ...run, bursts: [...bursts, { tick, count, number }], burst_count: number };
}

/** Returns a pseudorandom number below 2^32 for a value: one round of PCG (O'Neill 2014). */
export function scramble(value: number): number {
	const state = (Math.imul(value, 747796405) + 2891336453) >>> 0;
	const mixed = Math.imul(((state >>> ((state >>> 28) + 4)) ^ state) >>> 0, 277803737) >>> 0;
	return ((mixed >>> 22) ^ mixed) >>> 0;
}

/** Receives a particle: its age (s), its age as a share of its lifetime (0 to 1), and 24 random bits of its own. */
export type ParticleVisitor = (age: number, share: number, chance: number) => void;

/**
 * Calls `visit` for the particles of an emitter at a time; `ticks` may have a fraction. The youngest come first, at most
 * `max`.
 */
export function visitParticles(
	{ rate, lifetime, lifetime_spread, duration, max }: Emitter,
	{ seed, since, until, bursts }: EmitterRun,
	ticks: number,
	visit: ParticleVisitor,
): void {
	let remaining = max;
	const seriesStart = (series: number): number => scramble((seed + Math.imul(series, 0x9e3779b9)) >>> 0);
	const visitOne = (age: number, from: number, index: number): void => {
		const chance = scramble((from + index) >>> 0);
		const ownLifetime =
			lifetime_spread === 0 ? lifetime : lifetime * (1 - lifetime_spread * (scramble(chance) / 0x100000000));
		if (age >= ownLifetime) return;
		remaining--;
		visit(age, age / ownLifetime, chance >>> 8);
	};
	if (since !== null && rate > 0) {
		const durationEnd = duration === 0 ? Number.POSITIVE_INFINITY : since + duration * TICKS_PER_SECOND;
		const end = Math.min(ticks, until ?? ticks, durationEnd);
		const secondsEmitted = (end - since) / TICKS_PER_SECOND;
		const newest = secondsEmitted < 0 ? -1 : Math.floor(secondsEmitted * rate);
		const gap = TICKS_PER_SECOND / rate;
		const from = seriesStart(0);
		for (let index = newest; index >= 0 && remaining > 0; index--) {
			const age = (ticks - since - index * gap) / TICKS_PER_SECOND;
			if (age >= lifetime) break;
			visitOne(age, from, index);
		}
	}
	for (let burstIndex = bursts.length - 1; burstIndex >= 0; burstIndex--) {
		const { tick, count, number } = bursts[burstIndex]!;
		const age = (ticks - tick) / TICKS_PER_SECOND;
		if (age < 0 || age >= lifetime) continue;
		const from = seriesStart(number);
		for (let index = 0; index < count && remaining > 0; index++) visitOne(age, from, index);
	}
}

/** Returns the number of particles at a tick. */
export function particleCount(emitter: Emitter, run: EmitterRun, tick: number): number {
	let count = 0;
	visitParticles(emitter, run, tick, () => count++);
	return count;
}
