/**
 * Claims about forks and reads after random calls: they do not change the parent or the read world.
 * Owns: the claims over random histories. A failure prints the claim, the seed and the shortest history.
 */

import { describe, expect, test } from 'vitest';
import type { ExampleCall } from '../../../shared/contract/route.ts';
import { routes } from '../../../shared/routes/index.ts';
import { digest } from '../../../web/sim/core/digest.ts';
import { observe } from '../../../web/sim/observe/read-out.ts';
import { histories, relive } from '../../support/arbitraries.ts';
import { future, inEngine } from '../../support/futures.ts';
import { check, claim, SEED } from '../../support/property.ts';

/** Returns the body of a search with low limits, so that it ends soon in a world with many draws. */
const limitSearch = (body: unknown): unknown => {
	if (typeof body !== 'object' || body === null) return body;
	if ('seeds' in body) return { ...body, seeds: 2 };
	return 'until' in body ? { ...body, max_branches: 64, max_ticks: 200 } : body;
};

/** Every call that only reads, with the bodies of its examples. Routes that need a picture are excluded. */
const reads: readonly ExampleCall[] = [
	...routes
		.filter(
			({ effect, examples }) =>
				(effect === 'read' || effect === 'view') && examples.every(({ needs }) => needs !== 'view'),
		)
		.flatMap(({ method, path, query, examples }): ExampleCall[] =>
			method === 'GET'
				? [
						{
							method,
							path: `${path.replace('/fork/{id}', '/fork/twin').replaceAll(/\{\w+\}/g, '0')}${'tries' in (query?.shape ?? {}) ? '?tries=2' : ''}`,
						},
					]
				: examples.map(({ path: own = path, body }) => ({ method, path: own, body: limitSearch(body) })),
		),
	{ method: 'POST', path: '/observe', body: {} },
	{ method: 'POST', path: '/observe?viewer=1', body: {} },
];

describe(`after any history (seed ${SEED})`, () => {
	test('forks change nothing in their parent, and have the same future', () =>
		check(3, [histories(16), histories(10)], (history, later) =>
			inEngine(async (engine) => {
				await relive(engine, history);
				const { world } = engine.engine.worlds.main;
				const before = engine.bytes();
				const seen = JSON.stringify(observe(world));
				await engine.must('POST', '/fork', { fork_id: 'child' });
				await engine.must('POST', '/fork', { fork_id: 'grandchild', from: 'child' });
				await relive(engine, later, 'grandchild');
				await relive(engine, later, 'child');
				const child = digest(engine.engine.worlds.fork('child').world);
				await claim('the same calls bring a fork and a fork of it to the same state', () =>
					expect(digest(engine.engine.worlds.fork('grandchild').world)).toBe(child),
				);
				await claim('calls in a fork, or in a fork of it, do not change the parent', () => {
					expect(JSON.stringify(observe(world))).toBe(seen);
					expect(engine.bytes()).toBe(before);
				});
				// Now the parent makes the calls that its fork has made before.
				await relive(engine, later);
				await claim('the same calls bring the parent to the state of its fork', () =>
					expect(digest(engine.engine.worlds.main.world)).toBe(child),
				);
			}),
		));

	test('reads change neither the digest nor the future', () =>
		check(2, [histories(20)], (history) =>
			inEngine(async (engine) => {
				await relive(engine, history);
				const { world } = engine.engine.worlds.main;
				await engine.must('POST', '/fork', { fork_id: 'twin' });
				const twin = engine.engine.worlds.fork('twin').world;
				const before = digest(world);
				for (const { method, path, body } of reads) await engine.call(method ?? 'GET', path, body);
				expect(digest(world)).toBe(before);
				expect(future(world, 4)).toEqual(future(twin, 4));
			}),
		));
});
