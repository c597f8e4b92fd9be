/** Limits of room: how much of a thing is kept, and what is put away first. */

import { describe, expect, test } from 'vitest';
import { Shelf } from '../../../../web/sim/core/shelf.ts';

describe('a shelf', () => {
	const shelfOf = (room: number) => {
		const away: string[] = [];
		return { away, shelf: new Shelf<string>(room, (thing) => away.push(thing)) };
	};

	test('keeps what there is room for', () => {
		const { shelf, away } = shelfOf(30);
		for (const thing of ['a', 'b', 'c']) shelf.use(thing, 10);
		expect([away, shelf.weight, shelf.size]).toEqual([[], 30, 3]);
	});

	test('puts away what was not used for longest', () => {
		const { shelf, away } = shelfOf(30);
		for (const thing of ['a', 'b', 'c', 'a', 'd']) shelf.use(thing, 10);
		expect(away).toEqual(['b']);
		shelf.use('e', 20);
		expect(away).toEqual(['b', 'c', 'a']);
		expect([shelf.weight, shelf.size]).toEqual([30, 2]);
	});

	test('never puts away what is being used, whatever it weighs', () => {
		const { shelf, away } = shelfOf(30);
		shelf.use('a', 10);
		shelf.use('huge', 100);
		expect([away, shelf.weight]).toEqual([['a'], 100]);
		shelf.use('b', 10);
		expect([away, shelf.weight]).toEqual([['a', 'huge'], 10]);
	});

	test('takes the newest weight, and none of what was taken off', () => {
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
