/**
 * Claims about worlds of colliding bodies. Physics has its own state, which every kind of copy must include.
 * Owns: the claims over piles and random histories of bodies. A failure prints the claim, the seed and the shortest history.
 */

import { describe, expect, test } from 'vitest';
import { clone, dispose } from '../../../web/sim/core/clone.ts';
import { encodeWorld } from '../../../web/sim/core/codec.ts';
import { digest, futureDigest } from '../../../web/sim/core/digest.ts';
import type { World } from '../../../web/sim/core/world.ts';
import { loadWorld } from '../../../web/sim/create-world.ts';
import { observe } from '../../../web/sim/observe/read-out.ts';
import { schedule } from '../../../web/sim/schedule.ts';
import { step } from '../../../web/sim/step.ts';
import { bodyDocuments, bodyHistories, perform, relive } from '../../support/arbitraries.ts';
import { future, inEngine } from '../../support/futures.ts';
import { cases, check, claim, SEED, times } from '../../support/property.ts';

describe(`a pile of bodies (seed ${SEED})`, () => {
	test('on every tick: snapshot, restore and step equals step', () =>
		inEngine(async (engine) => {
			const floor = { shape: 'Aabb', hx: 6, hy: 0.5, hz: 6 };
			await engine.must('POST', '/spawn', { position: [0, -1, 0], physics_body: 'Static', collider: floor });
			for (const document of cases(bodyDocuments, 24))
				await perform(engine, { path: '/spawn', body: document });
			const { world } = engine.engine.worlds.main;
			let restored: World | null = null;
			const settled = new Set<string>();
			const ticks = times(20);
			for (let tick = 0; tick < ticks; tick++) {
				const bytes = encodeWorld(world);
				const copy = loadWorld(bytes);
				expect(Buffer.compare(encodeWorld(copy), bytes), `tick ${tick}: saved again`).toBe(0);
				// A chain of restored worlds, each from the previous one, must not drift, either.
				const next = loadWorld(encodeWorld(restored ?? world));
				const fork = clone(world);
				const all = [world, copy, next, fork];
				for (const world of all) step(world);
				const expected = digest(world);
				const later = futureDigest(world);
				expect(all.map(digest), `tick ${tick}`).toEqual(all.map(() => expected));
				expect(all.map(futureDigest), `tick ${tick}`).toEqual(all.map(() => later));
				settled.add(expected);
				dispose(copy);
				dispose(fork);
				if (restored !== null) dispose(restored);
				restored = next;
			}
			expect(settled.size).toBe(ticks);
			expect(observe(restored!)).toEqual(observe(world));
		}));
});

describe(`a few bodies under random changes (seed ${SEED})`, () => {
	const numbers = (world: World) =>
		world.tables.flatMap((table) =>
			Object.values(table?.columns ?? {}).flatMap(({ data }) =>
				data instanceof Float32Array ? [...data] : [],
			),
		);
	const interrupted = {
		beginTick: () => {},
		endSystem: (index: number) => {
			if (schedule[index]!.name === 'propagate-transforms') throw new Error('interrupted');
		},
	};

	test('every copy has the same future to the last bit, and a failed tick changes nothing', () =>
		check(8, [bodyHistories], (history) =>
			inEngine(async (engine) => {
				await relive(engine, history);
				const { world } = engine.engine.worlds.main;
				await claim('a tick that fails in the middle changes nothing that can be seen', () => {
					const failing = clone(world);
					const [before, entityViews] = [digest(failing), observe(failing)];
					expect(() => step(failing, interrupted)).toThrow('interrupted');
					failing.digest = null;
					expect(digest(failing)).toBe(before);
					expect(observe(failing)).toEqual(entityViews);
					const copy = loadWorld(encodeWorld(failing));
					expect(future(copy, 3)).toEqual(future(failing, 3));
					dispose(copy);
					dispose(failing);
				});
				await engine.must('POST', '/fork', { fork_id: 'twin' });
				await engine.must('POST', '/scenario?world=twin', await engine.must('GET', '/scenario?exact=true'));
				const twin = engine.engine.worlds.fork('twin').world;
				const others = { imported: twin, saved: loadWorld(encodeWorld(world)), cloned: clone(world) };
				for (let tick = 0; tick < 4; tick++) {
					const [now, later] = [digest(world), futureDigest(world)];
					for (const [how, other] of Object.entries(others))
						await claim(`${how} exactly, they have the same future to the last bit`, () =>
							expect([digest(other), futureDigest(other)]).toEqual([now, later]),
						);
					await claim('every number is finite', () =>
						expect(numbers(world).every(Number.isFinite)).toBe(true),
					);
					for (const each of [world, ...Object.values(others)]) step(each);
				}
				dispose(others.saved);
				dispose(others.cloned);
			}),
		));
});

describe(`hundreds of forks with bodies (seed ${SEED})`, () => {
	test('each fork steps as main did, from any tick and in any order', () =>
		inEngine(async (engine) => {
			const floor = { shape: 'Aabb', hx: 6, hy: 0.5, hz: 6 };
			await engine.must('POST', '/spawn', { position: [0, -1, 0], physics_body: 'Static', collider: floor });
			for (const document of cases(bodyDocuments, 12))
				await perform(engine, { path: '/spawn', body: document });
			const { world } = engine.engine.worlds.main;
			const forks: [tick: number, fork: World][] = [];
			const digests: string[] = [];
			for (let tick = 0; tick < 30; tick++) {
				digests.push(digest(world));
				for (let i = 0; i < 10; i++) forks.push([tick, clone(world)]);
				step(world);
			}
			digests.push(digest(world));
			// Newest first, but every third fork after all others.
			const order = [...forks.keys()].sort((a, b) => Number(a % 3 === 0) - Number(b % 3 === 0) || b - a);
			for (const at of order) {
				const [tick, fork] = forks[at]!;
				expect(digest(fork)).toBe(digests[tick]);
				step(fork);
				expect(digest(fork)).toBe(digests[tick + 1]);
			}
			for (const [, fork] of forks) dispose(fork);
		}));
});
