/** Sounds for tests. */

import { wavFile } from '../../web/content/wav.ts';

const RATE = 8000;

/** Returns a WAV file with a tone. `level` is its amplitude, from 0 to 1. */
export function wav({
	seconds,
	hertz = 440,
	level = 0.5,
}: {
	seconds: number;
	hertz?: number;
	level?: number;
}): Buffer {
	const wave = (_: unknown, i: number) => level * Math.sin((2 * Math.PI * hertz * i) / RATE);
	return wavFile(Array.from({ length: Math.round(seconds * RATE) }, wave), RATE);
}
