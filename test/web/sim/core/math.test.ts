/**
 * The functions of web/sim/core/math.ts: accurate, and equal in every bit on all platforms.
 * Owns: the known hashes. A new hash changes every recorded digest of a world that uses the function.
 */

import { describe, expect, test } from 'vitest';
import { fnv1a } from '../../../../web/sim/core/fnv.ts';
import * as math from '../../../../web/sim/core/math.ts';
import { philox } from '../../../../web/sim/core/random.ts';

type Name = keyof typeof math;
type MathArguments = readonly number[];
const ownMath = math as Record<Name, (...given: MathArguments) => number>;
const native = Math as unknown as Record<Name, (...given: MathArguments) => number>;

const SAMPLES = 20_000;
const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
const bits = new BigInt64Array(double.buffer);

/** Returns the distance of two numbers in steps of 64-bit numbers. */
function ulps(a: number, b: number): number {
	if (Object.is(a, b)) return 0;
	if (Number.isNaN(a) || Number.isNaN(b)) return Number.POSITIVE_INFINITY;
	const [first, second] = [a, b].map((x) => {
		double[0] = x;
		const pattern = bits[0]!;
		return pattern < 0n ? -(pattern & 0x7fffffffffffffffn) : pattern;
	});
	const gap = first! - second!;
	return Number(gap < 0n ? -gap : gap);
}

/** Random numbers of one sample: evenly from 0 to 1, or with any finite bit pattern. */
interface Draw {
	unit(): number;
	any(): number;
}

function draws(sample: number): Draw {
	const block = [...philox([sample, 0, 0, 0], [2024, 7]), ...philox([sample, 1, 0, 0], [2024, 7])];
	const next = () => block.shift()!;
	return {
		unit: () => next() / 2 ** 32,
		any: () => {
			words[0] = next();
			words[1] = next();
			if ((words[1] & 0x7ff00000) === 0x7ff00000) words[1] ^= 0x40000000;
			return double[0]!;
		},
	};
}

const drawTurns = (d: Draw) => [(d.unit() - 0.5) * 20];
const drawFar = (d: Draw) => [(d.unit() - 0.5) * 1e7];
const drawAny = (d: Draw) => [d.any()];
const drawSine = (d: Draw) => [(d.unit() - 0.5) * 2];

const CASES: Record<Name, { from: ((d: Draw) => MathArguments)[]; hash: string }> = {
	sin: { from: [drawTurns, drawFar, drawAny], hash: 'df79b26bfe1a49fb' },
	cos: { from: [drawTurns, drawFar, drawAny], hash: '2e8e3316642fb3d7' },
	tan: { from: [drawTurns, drawFar, drawAny], hash: '622109ae51637f4a' },
	asin: { from: [drawSine], hash: 'c5523d551ecba00a' },
	acos: { from: [drawSine], hash: 'e3b25cd1eb0d3191' },
	atan: { from: [drawTurns, drawAny], hash: 'ecdc7eabd170015' },
	atan2: {
		from: [(d) => [d.unit() - 0.5, d.unit() - 0.5], (d) => [d.any(), d.any()]],
		hash: 'e374abf008f03f81',
	},
	exp: { from: [drawTurns, (d) => [(d.unit() - 0.5) * 1600]], hash: '1c27c4f72474fd3b' },
	log: { from: [(d) => [d.unit() * 10], (d) => [Math.abs(d.any())]], hash: '2dd8873550ca3ff3' },
	pow: {
		from: [
			(d) => [d.unit() * 20, (d.unit() - 0.5) * 40],
			(d) => [(d.unit() - 0.5) * 20, Math.round((d.unit() - 0.5) * 100)],
			(d) => [d.any(), (d.unit() - 0.5) * 4],
		],
		hash: '83f51657af62bb1f',
	},
};

const SPECIAL = [
	...[0, -0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, 1024, -1075, 1e20, -1e20, 5e-324, -5e-324, 1e308, -1e308],
	...[Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, Math.PI, Math.PI / 2, -Math.PI / 4],
	...[2 ** 53 - 1, 2 ** 52 + 0.5, 709.78, 709.79, -745.13, -745.14, 1.3e-310],
];

describe.each(Object.keys(CASES) as Name[])('%s', (name) => {
	const { from, hash } = CASES[name];
	const samples = from.flatMap((draw) => Array.from({ length: SAMPLES }, (_, i) => draw(draws(i))));

	test('differs from Math by at most 1 ulp', () => {
		let worst: { gap: number; at: MathArguments } = { gap: 0, at: [] };
		for (const args of samples) {
			const gap = ulps(ownMath[name](...args), native[name](...args));
			if (gap > worst.gap) worst = { gap, at: args };
		}
		expect(worst.gap, `${name}(${worst.at.join(', ')})`).toBeLessThanOrEqual(1);
	});

	test('returns the known bits', () => {
		const results = Float64Array.from(samples, (at) => ownMath[name](...at));
		// The bits of NaN differ between JavaScript engines.
		const plain = results.map((x) => (Number.isNaN(x) ? 0 : x));
		expect(fnv1a(new Uint8Array(plain.buffer)).toString(16)).toBe(hash);
	});

	test('treats zeros, infinities, NaN and limits like Math', () => {
		const arity = name === 'pow' || name === 'atan2' ? 2 : 1;
		const inputs = arity === 1 ? SPECIAL.map((x) => [x]) : SPECIAL.flatMap((x) => SPECIAL.map((y) => [x, y]));
		for (const args of inputs)
			expect(
				ulps(ownMath[name](...args), native[name](...args)),
				`${name}(${args.join(', ')})`,
			).toBeLessThanOrEqual(1);
	});
});

test('huge angles are reduced exactly', () => {
	// The 64-bit number nearest to a multiple of pi/2 (Muller, Elementary Functions): its cosine is known.
	expect(math.cos(6381956970095103 * 2 ** 797)).toBe(-4.687165924254628e-19);
	expect(math.sin(1e22)).toBe(-0.8522008497671888);
});
