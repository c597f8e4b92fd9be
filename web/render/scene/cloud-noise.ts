/**
 * Noise for clouds, the Milky Way and the moon: a small picture that repeats without a seam.
 * Owns: its bytes, the same on every machine. Never: depends on a world; a seed only shifts the clouds.
 */

import { DataTexture, LinearFilter, LinearMipmapLinearFilter, RepeatWrapping } from 'three/webgpu';

/** Edge in texels, a power of 2. */
export const NOISE_SIZE = 256;
const TEXELS = NOISE_SIZE * NOISE_SIZE;

/** Returns a number from 0 to 1 for a point of a lattice. */
function hashPoint(x: number, y: number, salt: number): number {
	let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(salt, 0x9e3779b1);
	h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
	h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
	return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}

const smoothStep = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);

/** Returns numbers from 0 to 1 for a lattice, row by row. */
const latticeOf = (columns: number, rows: number, salt: number): Float32Array =>
	Float32Array.from({ length: columns * rows }, (_, i) =>
		hashPoint(i % columns, Math.floor(i / columns), salt),
	);

/** Adds smooth noise with `columns` by `rows` cells, times `weight`, to all texels. */
function addNoise(texels: Float32Array, columns: number, rows: number, salt: number, weight: number): void {
	const lattice = latticeOf(columns, rows, salt);
	for (let y = 0; y < NOISE_SIZE; y++) {
		const v = (y * rows) / NOISE_SIZE;
		const row = Math.floor(v);
		const [above, below] = [row * columns, ((row + 1) % rows) * columns];
		const rowShare = smoothStep(v - row);
		for (let x = 0; x < NOISE_SIZE; x++) {
			const u = (x * columns) / NOISE_SIZE;
			const left = Math.floor(u);
			const right = (left + 1) % columns;
			const columnShare = smoothStep(u - left);
			const top = lattice[above + left]! * (1 - columnShare) + lattice[above + right]! * columnShare;
			const bottom = lattice[below + left]! * (1 - columnShare) + lattice[below + right]! * columnShare;
			texels[y * NOISE_SIZE + x]! += (top * (1 - rowShare) + bottom * rowShare) * weight;
		}
	}
}

/** Adds round bumps, one in each of `cells` x `cells` cells, times `weight`, to all texels. */
function addBumps(texels: Float32Array, cells: number, salt: number, weight: number): void {
	const [offsetsX, offsetsY] = [latticeOf(cells, cells, salt), latticeOf(cells, cells, salt + 1)];
	for (let y = 0; y < NOISE_SIZE; y++) {
		const v = (y * cells) / NOISE_SIZE;
		const row = Math.floor(v);
		for (let x = 0; x < NOISE_SIZE; x++) {
			const u = (x * cells) / NOISE_SIZE;
			const column = Math.floor(u);
			let nearest = 2;
			for (let j = row - 1; j <= row + 1; j++)
				for (let i = column - 1; i <= column + 1; i++) {
					const cell = ((j + cells) % cells) * cells + ((i + cells) % cells);
					const dx = i + offsetsX[cell]! - u;
					const dy = j + offsetsY[cell]! - v;
					const squaredDistance = dx * dx + dy * dy;
					if (squaredDistance < nearest) nearest = squaredDistance;
				}
			texels[y * NOISE_SIZE + x]! += Math.max(0, 1 - Math.sqrt(nearest)) * weight;
		}
	}
}

/** Replaces values from 0 to 4 by their ranks, so that a share of the texels is above 1 - share. */
function rank(values: Float32Array): void {
	const steps = 1 << 14;
	const binOf = (value: number): number => Math.min(steps - 1, Math.floor((value * steps) / 4));
	const counts = new Uint32Array(steps + 1);
	for (const value of values) counts[binOf(value) + 1]!++;
	for (let i = 1; i <= steps; i++) counts[i]! += counts[i - 1]!;
	for (let i = 0; i < TEXELS; i++) values[i] = counts[binOf(values[i]!)]! / TEXELS;
}

/**
 * Returns the texels. Red: cover of clouds, in ranks. Green: their edges. Blue: high streaks, in ranks.
 * Alpha: plain noise.
 */
export function noiseBytes(): Uint8Array {
	const channels = [0, 1, 2, 3].map(() => new Float32Array(TEXELS)) as [
		Float32Array,
		Float32Array,
		Float32Array,
		Float32Array,
	];
	const [cover, edge, streaks, plain] = channels;
	addNoise(cover, 3, 3, 1, 0.9);
	addNoise(cover, 6, 6, 2, 0.6);
	addBumps(cover, 9, 3, 0.75);
	addBumps(cover, 19, 5, 0.35);
	addNoise(cover, 32, 32, 7, 0.16);
	rank(cover);
	addBumps(edge, 12, 11, 0.5);
	addBumps(edge, 27, 13, 0.3);
	addNoise(edge, 48, 48, 15, 0.2);
	addNoise(edge, 96, 96, 16, 0.12);
	addNoise(streaks, 2, 5, 21, 0.6);
	addNoise(streaks, 4, 18, 22, 0.45);
	addNoise(streaks, 9, 44, 23, 0.3);
	addNoise(streaks, 22, 90, 24, 0.15);
	rank(streaks);
	for (const [octave, weight] of [0.5, 0.25, 0.13, 0.07, 0.05].entries())
		addNoise(plain, 4 << octave, 4 << octave, 31 + octave, weight);
	const bytes = new Uint8Array(TEXELS * 4);
	for (const [channel, values] of channels.entries())
		for (let i = 0; i < TEXELS; i++) bytes[i * 4 + channel] = Math.round(Math.min(1, values[i]!) * 255);
	return bytes;
}

/** The noise as a texture. The first `fill` computes its bytes, because most worlds have no sky. */
export class CloudNoise {
	readonly texture = new DataTexture(new Uint8Array(TEXELS * 4), NOISE_SIZE, NOISE_SIZE);
	#isFilled = false;

	constructor() {
		const { texture } = this;
		texture.wrapS = texture.wrapT = RepeatWrapping;
		texture.magFilter = LinearFilter;
		texture.minFilter = LinearMipmapLinearFilter;
		texture.generateMipmaps = true;
		texture.needsUpdate = true;
	}

	fill(): void {
		if (this.#isFilled) return;
		this.#isFilled = true;
		(this.texture.image.data as Uint8Array).set(noiseBytes());
		this.texture.needsUpdate = true;
	}
}
