/** Snapshots that are taken once, when they are needed, and kept small when they are not. */

import { afterEach, describe, expect, test } from 'vitest';
import { LazySnapshot, plainSnapshots } from '../../../../web/sim/core/lazy-snapshot.ts';

const { maxBytes: room } = plainSnapshots;
afterEach(() => {
	plainSnapshots.maxBytes = room;
});

/** Something that changes, with how often it was asked for its bytes. */
function source() {
	const one = { value: 1, taken: 0 };
	const take = () => {
		one.taken++;
		return new Uint8Array(1000).fill(one.value);
	};
	return { one, snapshot: new LazySnapshot(take) };
}

describe('a lazy snapshot', () => {
	test('is never taken without a user', () => {
		const { one, snapshot } = source();
		snapshot.share().release();
		snapshot.detachSource();
		expect([one.taken, snapshot.weight]).toEqual([0, 0]);
		expect(() => snapshot.read()).toThrow('released');
	});

	test('is taken once for all users, before its source moves on', () => {
		const { one, snapshot } = source();
		for (let i = 0; i < 3; i++) snapshot.share();
		expect(one.taken).toBe(0);
		snapshot.detachSource();
		one.value = 2;
		for (let i = 0; i < 3; i++) expect(snapshot.read()[0]).toBe(1);
		expect([one.taken, snapshot.weight]).toEqual([1, 1000]);
	});

	test('is dropped with its last user', () => {
		const { snapshot } = source();
		const before = plainSnapshots.weight;
		snapshot.share().share();
		snapshot.detachSource();
		snapshot.release();
		expect(plainSnapshots.weight - before).toBe(1000);
		snapshot.release();
		expect([plainSnapshots.weight - before, snapshot.weight]).toEqual([0, 0]);
	});

	test('without users is read and not kept', () => {
		const { one, snapshot } = source();
		const before = plainSnapshots.weight;
		expect(snapshot.read()[0]).toBe(1);
		expect([plainSnapshots.weight - before, snapshot.weight, one.taken]).toEqual([0, 0, 1]);
		snapshot.detachSource();
		expect([plainSnapshots.weight - before, snapshot.weight]).toEqual([0, 0]);
	});

	test('is kept deflated beyond the limit of memory, and read back unchanged', () => {
		plainSnapshots.maxBytes = 2500;
		const bytes = [1, 2, 3, 4].map((seed) => Uint8Array.from({ length: 1000 }, (_, i) => (i * seed) % 50));
		const all = bytes.map((byte) => LazySnapshot.of(byte.slice()).share());
		expect(plainSnapshots.weight).toBeLessThanOrEqual(2500);
		expect(all[0]!.weight).toBeLessThan(500);
		expect(all[3]!.weight).toBe(1000);
		for (let round = 0; round < 3; round++)
			for (const [i, snapshot] of all.entries()) {
				expect(snapshot.read()).toEqual(bytes[i]);
				expect(snapshot.length).toBe(1000);
			}
		const weights = all.map(({ weight }) => weight);
		for (const [i, snapshot] of all.entries()) expect(snapshot.readOnce()).toEqual(bytes[i]);
		expect(
			all.map(({ weight }) => weight),
			'what only looks leaves them as they were',
		).toEqual(weights);
		for (const snapshot of all) snapshot.release();
		expect(all.map(({ weight }) => weight)).toEqual([0, 0, 0, 0]);
	});
});
