/** Snapshots that are taken once, when they are needed, and kept small when they are not. */

import { afterEach, describe, expect, test } from 'vitest';
import { LazySnapshot, plainSnapshots } from '../../../../web/sim/core/lazy-snapshot.ts';

const { maxBytes: initialMaxBytes } = plainSnapshots;
afterEach(() => {
	plainSnapshots.maxBytes = initialMaxBytes;
});

/** Returns a snapshot of a state that changes, and the state with the number of times that its bytes were taken. */
function createSource() {
	const state = { value: 1, taken: 0 };
	const take = () => {
		state.taken++;
		return new Uint8Array(1000).fill(state.value);
	};
	return { one: state, snapshot: new LazySnapshot(take) };
}

describe('a lazy snapshot', () => {
	test('is never taken without a user', () => {
		const { one: state, snapshot } = createSource();
		snapshot.share().release();
		snapshot.detachSource();
		expect([state.taken, snapshot.weight]).toEqual([0, 0]);
		expect(() => snapshot.read()).toThrow('released');
	});

	test('is taken once for all users, before its source changes', () => {
		const { one: state, snapshot } = createSource();
		for (let i = 0; i < 3; i++) snapshot.share();
		expect(state.taken).toBe(0);
		snapshot.detachSource();
		state.value = 2;
		for (let i = 0; i < 3; i++) expect(snapshot.read()[0]).toBe(1);
		expect([state.taken, snapshot.weight]).toEqual([1, 1000]);
	});

	test('is dropped with its last user', () => {
		const { snapshot } = createSource();
		const before = plainSnapshots.weight;
		snapshot.share().share();
		snapshot.detachSource();
		snapshot.release();
		expect(plainSnapshots.weight - before).toBe(1000);
		snapshot.release();
		expect([plainSnapshots.weight - before, snapshot.weight]).toEqual([0, 0]);
	});

	test('without users is read and not kept', () => {
		const { one: state, snapshot } = createSource();
		const before = plainSnapshots.weight;
		expect(snapshot.read()[0]).toBe(1);
		expect([plainSnapshots.weight - before, snapshot.weight, state.taken]).toEqual([0, 0, 1]);
		snapshot.detachSource();
		expect([plainSnapshots.weight - before, snapshot.weight]).toEqual([0, 0]);
	});

	test('is kept deflated beyond the limit of memory, and read back unchanged', () => {
		plainSnapshots.maxBytes = 2500;
		const bytes = [1, 2, 3, 4].map((seed) => Uint8Array.from({ length: 1000 }, (_, i) => (i * seed) % 50));
		const snapshots = bytes.map((byte) => LazySnapshot.of(byte.slice()).share());
		expect(plainSnapshots.weight).toBeLessThanOrEqual(2500);
		expect(snapshots[0]!.weight).toBeLessThan(500);
		expect(snapshots[3]!.weight).toBe(1000);
		for (let round = 0; round < 3; round++)
			for (const [i, snapshot] of snapshots.entries()) {
				expect(snapshot.read()).toEqual(bytes[i]);
				expect(snapshot.length).toBe(1000);
			}
		const weights = snapshots.map(({ weight }) => weight);
		for (const [i, snapshot] of snapshots.entries()) expect(snapshot.readOnce()).toEqual(bytes[i]);
		expect(
			snapshots.map(({ weight }) => weight),
			'a single read does not inflate a snapshot',
		).toEqual(weights);
		for (const snapshot of snapshots) snapshot.release();
		expect(snapshots.map(({ weight }) => weight)).toEqual([0, 0, 0, 0]);
	});
});
