/**
 * `npm run sounds`: writes the sounds in public/sounds, which are part of the project.
 * Owns: the waveform of each sound. All sounds are synthesised, so no other rights apply.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { wavFile } from './wav.ts';

/** Samples per second, enough for sounds without high tones. */
const SAMPLE_RATE = 16_000;

type Wave = (seconds: number) => number;

/** Returns a generator of numbers from -1 to 1 that seem random, but are equal for the same seed (mulberry32). */
function createNoise(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * 2 - 1;
	};
}

/** Returns low-pass noise. `share`: weight of each new number. */
function softNoise(seed: number, share: number): Wave {
	const nextNumber = createNoise(seed);
	let level = 0;
	return () => {
		level += share * (nextNumber() - level);
		return level / Math.sqrt(share);
	};
}

const sine =
	(hertz: number): Wave =>
	(t) =>
		Math.sin(2 * Math.PI * hertz * t);
/** Returns a tone that slides from one pitch (Hz) to another within `length` seconds. */
const slide =
	(from: number, to: number, length: number): Wave =>
	(t) => {
		const share = Math.min(1, t / length);
		return Math.sin(2 * Math.PI * t * (from + ((to - from) * share) / 2));
	};
/** Returns the volume of a sound that starts within 5 ms and fades with a time constant (s). */
const fadingVolume = (t: number, decay: number): number => Math.min(1, t / 0.005) * Math.exp(-t / decay);
const delayed = (t: number, start: number, wave: Wave): number => (t < start ? 0 : wave(t - start));

const bell = (hertz: number, decay: number): Wave => {
	const [low, high, top] = [sine(hertz), sine(hertz * 2.01), sine(hertz * 3.93)];
	return (t) => fadingVolume(t, decay) * (0.6 * low(t) + 0.3 * high(t) + 0.1 * top(t));
};

interface Sound {
	readonly seconds: number;
	readonly wave: Wave;
	/** True for a sound that repeats; its end is blended into its beginning. */
	readonly loop?: boolean;
}

function hit(): Wave {
	const [crack, thump] = [softNoise(1, 0.5), slide(180, 60, 0.15)];
	return (t) => fadingVolume(t, 0.03) * crack(t) * 0.6 + fadingVolume(t, 0.08) * thump(t) * 0.7;
}

function shot(): Wave {
	const [air, tone] = [softNoise(2, 0.8), slide(900, 250, 0.15)];
	return (t) => fadingVolume(t, 0.05) * (0.4 * air(t) + 0.5 * tone(t));
}

function death(): Wave {
	const [tone, dust] = [slide(320, 70, 0.5), softNoise(3, 0.2)];
	return (t) => fadingVolume(t, 0.22) * (0.6 * tone(t) + 0.4 * dust(t));
}

function wind(): Wave {
	const [low, high] = [softNoise(4, 0.02), softNoise(5, 0.15)];
	return (t) =>
		low(t) * (0.5 + 0.2 * Math.sin((2 * Math.PI * t) / 4)) +
		0.15 * high(t) * (0.5 + 0.5 * Math.sin((2 * Math.PI * t) / 2));
}

function fire(): Wave {
	const [roar, crackle] = [softNoise(6, 0.05), createNoise(7)];
	let spark = 0;
	return (t) => {
		const next = crackle();
		if (next > 0.9985) spark = 1;
		spark *= 0.995;
		return 0.35 * roar(t) + spark * next * 0.8;
	};
}

function birds(): Wave {
	// Start, pitch at the start, pitch at the end, and length of each call.
	const calls = [
		[0.2, 2600, 3400, 0.12],
		[0.4, 3300, 2700, 0.1],
		[0.55, 2700, 3500, 0.14],
		[1.7, 2100, 2500, 0.2],
		[2.0, 2500, 2000, 0.18],
		[3.1, 3000, 3600, 0.08],
		[3.22, 3000, 3600, 0.08],
		[3.34, 3000, 3700, 0.1],
	] as const;
	return (t) =>
		calls.reduce((sum, [start, from, to, length]) => {
			if (t < start || t > start + length) return sum;
			const elapsed = t - start;
			return sum + 0.3 * Math.sin((Math.PI * elapsed) / length) * slide(from, to, length)(elapsed);
		}, 0);
}

const notes =
	(pitches: readonly number[], interval: number, decay: number): Wave =>
	(t) =>
		pitches.reduce((sum, pitch, i) => sum + 0.6 * delayed(t, i * interval, bell(pitch, decay)), 0);

const SOUNDS: Readonly<Record<string, Sound>> = {
	chime: { seconds: 1.2, wave: bell(880, 0.35) },
	click: { seconds: 0.06, wave: (t) => fadingVolume(t, 0.012) * sine(1400)(t) },
	coin: { seconds: 0.5, wave: notes([1319, 1760], 0.07, 0.12) },
	death: { seconds: 0.8, wave: death() },
	hit: { seconds: 0.3, wave: hit() },
	level_up: { seconds: 1.1, wave: notes([523, 659, 784, 1047], 0.12, 0.25) },
	shot: { seconds: 0.25, wave: shot() },
	birds: { seconds: 4, wave: birds(), loop: true },
	fire: { seconds: 3, wave: fire(), loop: true },
	wind: { seconds: 4, wave: wind(), loop: true },
};

/** Time of the blend from the end of a looped sound into its beginning (s). */
const SEAM_SECONDS = 0.25;

function samplesOf({ seconds, wave, loop = false }: Sound): Float64Array {
	const length = Math.round(seconds * SAMPLE_RATE);
	const seam = loop ? Math.round(SEAM_SECONDS * SAMPLE_RATE) : 0;
	const rawSamples = Float64Array.from({ length: length + seam }, (_, i) => wave(i / SAMPLE_RATE));
	for (let i = 0; i < seam; i++) {
		const share = i / seam;
		// The squares of the weights of unrelated sounds must add up to one to keep the volume.
		rawSamples[i] = rawSamples[i]! * Math.sqrt(share) + rawSamples[length + i]! * Math.sqrt(1 - share);
	}
	const samples = rawSamples.subarray(0, length);
	const highest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
	return samples.map((sample) => (sample / highest) * 0.8);
}

const folder = resolve('public/sounds');
await mkdir(folder, { recursive: true });
for (const [name, sound] of Object.entries(SOUNDS))
	await writeFile(join(folder, `${name}.wav`), wavFile(samplesOf(sound), SAMPLE_RATE));
console.log(`Wrote ${Object.keys(SOUNDS).length} sounds to ${folder}`);
