/** Shortest decimals of 32-bit numbers, compared with a search that tries every length. */

import { expect, test } from 'vitest';
import { shortestFloat32 } from '../../../../web/sim/core/float32.ts';
import { philox } from '../../../../web/sim/core/random.ts';
import { SEED } from '../../../support/property.ts';

/** Returns the shortest decimal that reads back to the same 32-bit number, by trying each length. */
function bruteForce(x: number): number {
	for (let digits = 1; digits <= 9; digits++) {
		const candidate = Number(x.toPrecision(digits));
		if (Math.fround(candidate) === x) return candidate;
	}
	throw new Error(`nine digits do not suffice for ${x}`);
}

const digitsOf = (x: number) =>
	x
		.toExponential()
		.replace(/e.*|[-.]/g, '')
		.replace(/0+$/, '').length;

function expectShortest(x: number): void {
	const printed = shortestFloat32(x);
	if (Math.fround(Number(String(printed))) !== x)
		throw new Error(`${x} printed as ${printed} reads back as another number`);
	const fewest = digitsOf(bruteForce(x));
	// A whole number below 2^24 prints all its digits, because JSON has no shorter form without an exponent.
	if (digitsOf(printed) !== fewest && !(Number.isInteger(x) && Math.abs(x) < 2 ** 24))
		throw new Error(`${x} printed as ${printed} with ${digitsOf(printed)} digits, ${fewest} suffice`);
}

test('well-known numbers', () => {
	for (const x of [
		0.1,
		0.2,
		0.3,
		1 / 3,
		9.81,
		3.14159274,
		1e-3,
		123456.789,
		16777216,
		1e9,
		1e-9,
		1e30,
		1e-30,
	]) {
		const stored = Math.fround(x);
		expectShortest(stored);
		expectShortest(-stored);
	}
	expect(shortestFloat32(Math.fround(0.1))).toBe(0.1);
	expect(shortestFloat32(Math.fround(-9.81))).toBe(-9.81);
	expect(shortestFloat32(Math.fround(1 / 3))).toBe(0.33333334);
	expect(shortestFloat32(0)).toBe(0);
	expect(shortestFloat32(16777217 - 1)).toBe(16777216);
});

test('the ends of the range, and one step to each side of every power of two and of ten', () => {
	const bits = new Uint32Array(1);
	const float = new Float32Array(bits.buffer);
	for (const word of [1, 2, 0x007fffff, 0x00800000, 0x7f7fffff]) {
		bits[0] = word;
		expectShortest(float[0]!);
	}
	for (let exponent = -126; exponent < 128; exponent++) {
		float[0] = 2 ** exponent;
		const center = bits[0]!;
		for (const word of [center - 1, center, center + 1]) {
			bits[0] = word;
			expectShortest(float[0]!);
		}
	}
	for (let exponent = -37; exponent <= 38; exponent++) {
		float[0] = Number(`1e${exponent}`);
		const center = bits[0]!;
		for (const word of [center - 1, center, center + 1]) {
			bits[0] = word;
			expectShortest(float[0]!);
		}
	}
});

test(`100 000 numbers of any size (seed ${SEED})`, () => {
	const bits = new Uint32Array(1);
	const float = new Float32Array(bits.buffer);
	for (let i = 0; i < 25_000; i++) {
		for (const word of philox([i, 0, 0, 0], [SEED, 1])) {
			bits[0] = word;
			if (Number.isFinite(float[0]!)) expectShortest(float[0]!);
		}
	}
});

test(`100 000 numbers as in worlds, within a few hundred metres (seed ${SEED})`, () => {
	for (let i = 0; i < 25_000; i++)
		for (const word of philox([i, 0, 0, 0], [SEED, 2]))
			expectShortest(Math.fround((word / 2 ** 31 - 1) * 300));
});
