/**
 * What holds for any world, whatever was done to it: random histories of calls with a fixed seed.
 * Owns: the claims about clones, saves, forks, reads and repetition. A failure prints the seed and the shortest history.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { components } from '../../shared/components/index.ts';
import type { ExampleCall } from '../../shared/contract/route.ts';
import { EVENT_KINDS } from '../../shared/documents/event.ts';
import { routes } from '../../shared/routes/index.ts';
import { clone, dispose } from '../../web/sim/core/clone.ts';
import { encodeWorld } from '../../web/sim/core/codec.ts';
import { digest, futureDigest } from '../../web/sim/core/digest.ts';
import { eachEntity } from '../../web/sim/core/entities.ts';
import { pending } from '../../web/sim/core/events.ts';
import { count, has, type World } from '../../web/sim/core/world.ts';
import { loadWorld } from '../../web/sim/create-world.ts';
import { observe } from '../../web/sim/observe/read-out.ts';
import { schedule } from '../../web/sim/schedule.ts';
import { step } from '../../web/sim/step.ts';
import {
	bodyDocuments,
	bodyHistories,
	commands,
	forged,
	histories,
	make,
	perform,
	prepare,
	relive,
	spawnDocuments,
} from '../support/arbitraries.ts';
import { HEAVY, startEngine, type TestEngine } from '../support/engine.ts';
import { check, SEED } from '../support/property.ts';

async function inEngine(work: (engine: TestEngine) => Promise<void>): Promise<void> {
	const engine = await startEngine(HEAVY);
	try {
		await work(engine);
	} finally {
		for (const { world } of engine.engine.worlds.all()) dispose(world);
		engine.engine.close();
	}
}

/** Digests of a world now and after each of the next ticks. */
function future(world: World, ticks: number): string[] {
	const digests = [digest(world)];
	for (let i = 0; i < ticks; i++) {
		step(world);
		digests.push(digest(world));
	}
	return digests;
}

const saved = (world: World) => Buffer.from(encodeWorld(world)).toString('base64');

describe(`after any history (seed ${SEED})`, () => {
	test('a clone has the same digest and the same future, tick by tick', () =>
		check(60, [histories(30)], (history) =>
			inEngine(async (engine) => {
				await relive(engine, history);
				const { world } = engine.engine.worlds.main;
				const copy = clone(world);
				expect(observe(copy)).toEqual(observe(world));
				expect(future(copy, 12)).toEqual(future(world, 12));
				expect(observe(copy)).toEqual(observe(world));
				dispose(copy);
			}),
		));

	test('the original may move on first: its clone still follows the same path', () =>
		check(40, [histories(30)], (history) =>
			inEngine(async (engine) => {
				await relive(engine, history);
				const { world } = engine.engine.worlds.main;
				const first = clone(world);
				const second = clone(first);
				const original = future(world, 8);
				expect(future(first, 8)).toEqual(original);
				expect(future(second, 8)).toEqual(original);
				dispose(first);
				dispose(second);
			}),
		));

	test('saved and loaded, a world has the same digest, read-out and future', () =>
		check(60, [histories(30)], (history) =>
			inEngine(async (engine) => {
				await relive(engine, history);
				const { world } = engine.engine.worlds.main;
				const loaded = loadWorld(encodeWorld(world));
				expect(observe(loaded)).toEqual(observe(world));
				expect(loaded.entities.count).toBe(world.entities.count);
				expect(saved(loaded)).toBe(saved(world));
				expect(future(loaded, 12)).toEqual(future(world, 12));
				expect(observe(loaded)).toEqual(observe(world));
				dispose(loaded);
			}),
		));

	test('nothing that happens in a fork, or in a fork of it, changes its parent', () =>
		check(40, [histories(20), histories(15)], (history, later) =>
			inEngine(async (engine) => {
				await relive(engine, history);
				const { world } = engine.engine.worlds.main;
				const before = saved(world);
				const seen = JSON.stringify(observe(world));
				await engine.must('POST', '/fork', { fork_id: 'child' });
				await engine.must('POST', '/fork', { fork_id: 'grandchild', from: 'child' });
				await relive(engine, later, 'grandchild');
				await relive(engine, later, 'child');
				expect(digest(engine.engine.worlds.fork('child').world)).toBe(
					digest(engine.engine.worlds.fork('grandchild').world),
				);
				expect(JSON.stringify(observe(world))).toBe(seen);
				expect(saved(world)).toBe(before);
				// And the other way round: what the parent does then, its fork has done before it.
				await relive(engine, later);
				expect(digest(engine.engine.worlds.main.world)).toBe(
					digest(engine.engine.worlds.fork('child').world),
				);
			}),
		));

	test('a second run of the same calls gives the same digest after each', () =>
		check(40, [histories(30)], (history) =>
			inEngine((one) =>
				inEngine(async (other) => {
					for (const command of history) {
						const first = await perform(one, command);
						const second = await perform(other, command);
						expect(second.body).toEqual(first.body);
						expect(digest(other.engine.worlds.main.world)).toBe(digest(one.engine.worlds.main.world));
					}
				}),
			),
		));

	test('reading changes neither the digest nor the future', () => {
		// Whatever only looks, with the bodies of the examples; pictures need something that draws.
		const reads = routes.filter(
			({ effect, examples }) =>
				(effect === 'read' || effect === 'view') && examples.every(({ needs }) => needs !== 'view'),
		);
		const calls = reads.flatMap(({ method, path, examples }): ExampleCall[] =>
			method === 'GET'
				? [
						{
							method,
							path: path.replace('/fork/{id}', '/fork/twin').replaceAll(/\{\w+\}/g, '0'),
						},
					]
				: examples.map((example) => ({ method, path: example.path ?? path, body: example.body })),
		);
		return check(15, [histories(20)], (history) =>
			inEngine(async (engine) => {
				await relive(engine, history);
				const { world } = engine.engine.worlds.main;
				await engine.must('POST', '/fork', { fork_id: 'twin' });
				const twin = engine.engine.worlds.fork('twin').world;
				for (let i = 0; i < 4; i++) {
					const before = digest(world);
					for (const { method, path, body } of calls) await engine.call(method ?? 'GET', path, body);
					await engine.call('POST', '/observe', {});
					await engine.call('POST', '/observe?viewer=1', {});
					expect(digest(world)).toBe(before);
					expect(digest(world)).toBe(digest(twin));
					step(world);
					step(twin);
				}
				expect(digest(world)).toBe(digest(twin));
			}),
		);
	});

	test('the remembered digest is the one that is computed from nothing', () =>
		check(40, [histories(30)], (history) =>
			inEngine(async (engine) => {
				for (const command of history) {
					await perform(engine, command);
					const { world } = engine.engine.worlds.main;
					const remembered = digest(world);
					world.digest = null;
					for (const column of [
						world.entities.alive,
						...world.tables.flatMap((table) =>
							table ? [table.presence, ...Object.values(table.columns)] : [],
						),
					])
						column.hash = null;
					expect(digest(world)).toBe(remembered);
				}
			}),
		));

	test('a refused call leaves the world byte for byte as it was', () =>
		check(40, [histories(20), fc.array(commands, { minLength: 10, maxLength: 10 })], (history, more) =>
			inEngine(async (engine) => {
				await relive(engine, history);
				for (const command of more) {
					await prepare(engine, command);
					const before = saved(engine.engine.worlds.main.world);
					const { body } = await make(engine, command);
					if (body.ok === false) expect(saved(engine.engine.worlds.main.world)).toBe(before);
				}
			}),
		));
});

describe('the commands themselves', () => {
	test('every field of a spawn document occurs, and every component that spawning gives', () =>
		inEngine(async (engine) => {
			const fields = new Set<string>();
			const titles = new Set<string>();
			let spawned = 0;
			for (const command of forged) await perform(engine, command);
			for (const document of fc.sample(spawnDocuments, { seed: SEED, numRuns: 150 })) {
				for (const field of Object.keys(document)) fields.add(field);
				const { body } = await perform(engine, { path: '/spawn', body: document });
				if (body.ok === true) spawned++;
			}
			const { world } = engine.engine.worlds.main;
			eachEntity(world, (id) => {
				for (const component of components) if (has(world, id, component)) titles.add(component.title);
			});
			expect(spawned).toBeGreaterThan(100);
			const given = routes.find(({ id }) => id === 'world.spawn')!.body as unknown as { shape: object };
			expect([...fields].sort()).toEqual(Object.keys(given.shape).sort());
			// What calls and rules of the world give later.
			const later = new Set([
				...['Assertion', 'AssertionVerdict', 'CombatState', 'CorpseTimer', 'CrowdControl', 'Dead'],
				...['HeroName', 'LastAttacker', 'PlayerOrder', 'Projectile', 'RespawnTimer', 'Rule', 'RuleTally'],
				...['Spread', 'TriggerZone', 'ViewFilter', 'VisibleTo', 'ZoneEffect'],
			]);
			expect([...titles].sort()).toEqual(
				components
					.map(({ title }) => title)
					.filter((title) => !later.has(title))
					.sort(),
			);
		}));

	test('histories come to every component, and to events of every kind but the rarest', async () => {
		const titles = new Set<string>();
		const kinds = new Set<string>();
		for (const history of fc.sample(histories(30), { seed: SEED, numRuns: 180 })) {
			await inEngine(async (engine) => {
				for (const command of history) {
					await perform(engine, command);
					const { world } = engine.engine.worlds.main;
					for (const component of components) if (count(world, component) > 0) titles.add(component.title);
					for (const { kind } of pending(world)) kinds.add(kind);
				}
			});
		}
		expect([...titles].sort()).toEqual(components.map(({ title }) => title).sort());
		const often = EVENT_KINDS.filter(
			(kind) => !['action_failed', 'cast_failed', 'level_up', 'score', 'cast', 'sound_played'].includes(kind),
		);
		expect([...kinds]).toEqual(expect.arrayContaining(often));
	});
});

describe(`a pile of bodies (seed ${SEED})`, () => {
	test('on every tick: snapshot, restore and step equals step', () =>
		inEngine(async (engine) => {
			const floor = { shape: 'Aabb', hx: 6, hy: 0.5, hz: 6 };
			await engine.must('POST', '/spawn', { position: [0, -1, 0], physics_body: 'Static', collider: floor });
			for (const document of fc.sample(bodyDocuments, { seed: SEED, numRuns: 40 }))
				await perform(engine, { path: '/spawn', body: document });
			const { world } = engine.engine.worlds.main;
			let restored: World | null = null;
			const settled = new Set<string>();
			for (let tick = 0; tick < 120; tick++) {
				const bytes = encodeWorld(world);
				const copy = loadWorld(bytes);
				expect(Buffer.compare(encodeWorld(copy), bytes), `tick ${tick}: saved again`).toBe(0);
				// A chain of restored worlds, each from the one before, must not drift away either.
				const next = loadWorld(encodeWorld(restored ?? world));
				const fork = clone(world);
				step(copy);
				step(next);
				step(world);
				step(fork);
				const expected = digest(world);
				expect([digest(copy), digest(next), digest(fork)], `tick ${tick}`).toEqual([
					expected,
					expected,
					expected,
				]);
				const future = futureDigest(world);
				expect([futureDigest(copy), futureDigest(next), futureDigest(fork)], `tick ${tick}`).toEqual([
					future,
					future,
					future,
				]);
				settled.add(expected);
				dispose(copy);
				dispose(fork);
				if (restored !== null) dispose(restored);
				restored = next;
			}
			expect(settled.size).toBe(120);
			expect(observe(restored!)).toEqual(observe(world));
		}));
});

describe(`a few bodies to which anything happens (seed ${SEED})`, () => {
	const numbers = (world: World) =>
		world.tables.flatMap((table) =>
			Object.values(table?.columns ?? {}).flatMap(({ data }) =>
				data instanceof Float32Array ? [...data] : [],
			),
		);

	test('exported and imported exactly, saved, and cloned, they have the same future to the last bit; no number is none', () =>
		check(60, [bodyHistories], (history) =>
			inEngine(async (engine) => {
				await relive(engine, history);
				const { world } = engine.engine.worlds.main;
				await engine.must('POST', '/fork', { fork_id: 'twin' });
				await engine.must('POST', '/scenario?world=twin', await engine.must('GET', '/scenario?exact=true'));
				const others = [engine.engine.worlds.fork('twin').world, loadWorld(encodeWorld(world)), clone(world)];
				for (let tick = 0; tick < 4; tick++) {
					const [now, later] = [digest(world), futureDigest(world)];
					expect(others.map(digest)).toEqual([now, now, now]);
					expect(others.map(futureDigest)).toEqual([later, later, later]);
					expect(numbers(world).every(Number.isFinite)).toBe(true);
					for (const one of [world, ...others]) step(one);
				}
				for (const one of others.slice(1)) dispose(one);
			}),
		));

	test('a tick that fails in the middle changes nothing that can be seen, and they go on', () =>
		check(30, [bodyHistories], (history) =>
			inEngine(async (engine) => {
				await relive(engine, history);
				const { world } = engine.engine.worlds.main;
				const [before, seen] = [digest(world), observe(world)];
				const interrupted = {
					begins: () => {},
					ran: (index: number) => {
						if (schedule[index]!.name === 'propagate-transforms') throw new Error('interrupted');
					},
				};
				expect(() => step(world, interrupted)).toThrow('interrupted');
				world.digest = null;
				expect(digest(world)).toBe(before);
				expect(observe(world)).toEqual(seen);
				const copy = loadWorld(encodeWorld(world));
				expect(future(copy, 3)).toEqual(future(world, 3));
				dispose(copy);
			}),
		));
});

describe(`hundreds of forks with bodies (seed ${SEED})`, () => {
	test('each steps as main would, whenever it was taken and in whatever order they step', () =>
		inEngine(async (engine) => {
			const floor = { shape: 'Aabb', hx: 6, hy: 0.5, hz: 6 };
			await engine.must('POST', '/spawn', { position: [0, -1, 0], physics_body: 'Static', collider: floor });
			for (const document of fc.sample(bodyDocuments, { seed: SEED, numRuns: 12 }))
				await perform(engine, { path: '/spawn', body: document });
			const { world } = engine.engine.worlds.main;
			const taken: [tick: number, fork: World][] = [];
			const digests: string[] = [];
			for (let tick = 0; tick < 30; tick++) {
				digests.push(digest(world));
				for (let i = 0; i < 10; i++) taken.push([tick, clone(world)]);
				step(world);
			}
			digests.push(digest(world));
			// The youngest first, and every third after all others.
			const order = [...taken.keys()].sort((a, b) => Number(a % 3 === 0) - Number(b % 3 === 0) || b - a);
			for (const at of order) {
				const [tick, fork] = taken[at]!;
				expect(digest(fork)).toBe(digests[tick]);
				step(fork);
				expect(digest(fork)).toBe(digests[tick + 1]);
			}
			for (const [, fork] of taken) dispose(fork);
		}));
});
