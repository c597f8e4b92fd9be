/** Draws with plain numbers equal those of the exact algorithm with bigints, in words and outcomes. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fraction } from '../../../../shared/contract/fraction.ts';
import { type ChanceOutcome, probabilitiesOf, sample } from '../../../../web/sim/core/chance.ts';
import { philox, SMALL_BOUND, smallUniformBelow, uniformBelow } from '../../../../web/sim/core/random.ts';
import { freshWorld } from '../../../support/engine.ts';
import { check, SEED } from '../../../support/property.ts';

const MAX_WORD = 0xffffffff;
/** Any 32-bit word, often one of the highest, which some bounds reject. */
const word = fc.oneof(
	fc.integer({ min: 0, max: MAX_WORD }),
	fc.constant(MAX_WORD),
	fc.integer({ min: 0, max: 100 }).map((n) => MAX_WORD - n),
);
const bound = fc.oneof(
	fc.integer({ min: 1, max: 1000 }),
	fc.integer({ min: 1, max: SMALL_BOUND }),
	fc.integer({ min: SMALL_BOUND - 100, max: SMALL_BOUND }),
);

test(`draws below small bounds equal the exact algorithm (seed ${SEED})`, () =>
	check(2000, [bound, fc.array(word, { maxLength: 6 })], (below, sent) => {
		// No bound rejects the last two words.
		const words = [...sent, ...(sent.length % 2 === 1 ? [0] : []), 1, 2];
		const wordReader = () => {
			let count = 0;
			return { next: () => words[count++]!, taken: () => count };
		};
		const [plain, exact] = [wordReader(), wordReader()];
		expect(smallUniformBelow(below, plain.next)).toBe(Number(uniformBelow(BigInt(below), exact.next)));
		expect(plain.taken()).toBe(exact.taken());
	}));

test('the highest words are rejected exactly above the last full multiple', () => {
	// 2^64 = 6 mod 10.
	const words = (...list: number[]) => {
		return () => list.shift()!;
	};
	expect(smallUniformBelow(10, words(MAX_WORD, MAX_WORD - 5, 0, 4))).toBe(4);
	expect(smallUniformBelow(10, words(MAX_WORD, MAX_WORD - 6))).toBe(9);
	expect(smallUniformBelow(10, words(MAX_WORD - 1, MAX_WORD))).toBe(
		Number((2n ** 64n - 2n ** 32n - 1n) % 10n),
	);
});

const weight = fc.oneof(
	fc.integer({ min: 0, max: 9 }).map((n) => fraction(BigInt(n))),
	fc
		.tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 1, max: 5000 }))
		.map(([num, den]) => fraction(BigInt(num), BigInt(den))),
	fc.bigInt({ min: 1n, max: 10n ** 25n }).map((num) => fraction(num, 10n ** 24n + 7n)),
);
const outcomes = fc
	.array(weight, { minLength: 1, maxLength: 6 })
	.filter((weights) => weights.some(({ num }) => num > 0n))
	.map((weights): ChanceOutcome[] => weights.map((own, i) => ({ label: `${i}`, weight: own })));

/**
 * Returns the outcome of a draw by its definition: a whole number below the common denominator. Each outcome has a range.
 */
function drawByDefinition(
	seed: number,
	tick: number,
	entity: number,
	list: readonly ChanceOutcome[],
): number {
	const shares = probabilitiesOf(list);
	const den = shares.reduce((product, share) => product * share.den, 1n);
	const common = shares.reduce((most, share) => {
		const width = (share.num * den) / share.den;
		return gcd(most, width);
	}, den);
	const words: number[] = [];
	let block = 0;
	const next32 = () => {
		if (words.length === 0) words.push(...philox([tick, 5, entity, (block++ << 20) >>> 0], [seed, 0]));
		return words.shift()!;
	};
	let remaining = uniformBelow(den / common, next32);
	for (let i = 0; i < shares.length; i++) {
		const width = (shares[i]!.num * den) / shares[i]!.den / common;
		if (remaining < width) return i;
		remaining -= width;
	}
	throw new Error('the shares do not sum to one');
}

function gcd(a: bigint, b: bigint): bigint {
	return b === 0n ? a : gcd(b, a % b);
}

test(`draws with all kinds of weights equal the definition (seed ${SEED})`, async () => {
	const world = await freshWorld(77);
	await check(500, [outcomes, fc.nat(1e6)], (list, tick) => {
		world.tick = tick;
		for (let entity = 0; entity < 8; entity++)
			expect(sample(world, { rule: 5, entity, draw: 0 }, list)).toBe(
				drawByDefinition(77, tick, entity, list),
			);
	});
});
