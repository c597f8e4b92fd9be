/** The bounded cache: its limit, and the order of eviction. */

import { describe, expect, test } from 'vitest';
import { BoundedCache } from '../../../../web/sim/core/bounded-cache.ts';

describe('a bounded cache', () => {
	const createCache = (maxBytes: number) => {
		const evicted: string[] = [];
		return { away: evicted, cache: new BoundedCache<string>(maxBytes, (thing) => evicted.push(thing)) };
	};

	test('keeps values up to its limit', () => {
		const { cache, away } = createCache(30);
		for (const thing of ['a', 'b', 'c']) cache.use(thing, 10);
		expect([away, cache.weight, cache.size]).toEqual([[], 30, 3]);
	});

	test('drops the least recently used value', () => {
		const { cache, away } = createCache(30);
		for (const thing of ['a', 'b', 'c', 'a', 'd']) cache.use(thing, 10);
		expect(away).toEqual(['b']);
		cache.use('e', 20);
		expect(away).toEqual(['b', 'c', 'a']);
		expect([cache.weight, cache.size]).toEqual([30, 2]);
	});

	test('never drops a value in use, at any weight', () => {
		const { cache, away } = createCache(30);
		cache.use('a', 10);
		cache.use('huge', 100);
		expect([away, cache.weight]).toEqual([['a'], 100]);
		cache.use('b', 10);
		expect([away, cache.weight]).toEqual([['a', 'huge'], 10]);
	});

	test('uses the newest weight, and none of a removed value', () => {
		const { cache, away } = createCache(30);
		cache.use('a', 10);
		cache.use('a', 25);
		expect([cache.weight, cache.weightOf('a')]).toEqual([25, 25]);
		cache.drop('a');
		cache.drop('a');
		expect([cache.weight, cache.size, cache.weightOf('a')]).toEqual([0, 0, 0]);
		expect(away).toEqual([]);
	});
});
