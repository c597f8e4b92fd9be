/** Limits of room: how much of a thing is kept, and what is put away first. */

import { describe, expect, test } from 'vitest';
import { BoundedCache } from '../../../../web/sim/core/bounded-cache.ts';

describe('a shelf', () => {
	const shelfOf = (room: number) => {
		const away: string[] = [];
		return { away, shelf: new BoundedCache<string>(room, (thing) => away.push(thing)) };
	};

	test('keeps values up to its limit', () => {
		const { shelf, away } = shelfOf(30);
		for (const thing of ['a', 'b', 'c']) shelf.use(thing, 10);
		expect([away, shelf.weight, shelf.size]).toEqual([[], 30, 3]);
	});

	test('drops the least recently used value', () => {
		const { shelf, away } = shelfOf(30);
		for (const thing of ['a', 'b', 'c', 'a', 'd']) shelf.use(thing, 10);
		expect(away).toEqual(['b']);
		shelf.use('e', 20);
		expect(away).toEqual(['b', 'c', 'a']);
		expect([shelf.weight, shelf.size]).toEqual([30, 2]);
	});

	test('never drops a value in use, at any weight', () => {
		const { shelf, away } = shelfOf(30);
		shelf.use('a', 10);
		shelf.use('huge', 100);
		expect([away, shelf.weight]).toEqual([['a'], 100]);
		shelf.use('b', 10);
		expect([away, shelf.weight]).toEqual([['a', 'huge'], 10]);
	});

	test('uses the newest weight, and none of a removed value', () => {
		const { shelf, away } = shelfOf(30);
		shelf.use('a', 10);
		shelf.use('a', 25);
		expect([shelf.weight, shelf.weightOf('a')]).toEqual([25, 25]);
		shelf.drop('a');
		shelf.drop('a');
		expect([shelf.weight, shelf.size, shelf.weightOf('a')]).toEqual([0, 0, 0]);
		expect(away).toEqual([]);
	});
});
