/**
 * Claims about worlds after random calls. Each random history runs twice, and every claim is checked on both runs.
 * Owns: the claims about clones, saves, repetition, digests and refused calls. A failure prints the claim, the seed and the
 * shortest history.
 */

import { describe, expect, test } from 'vitest';
import { components } from '../../../shared/components/index.ts';
import { EVENT_KINDS } from '../../../shared/documents/event.ts';
import { routes } from '../../../shared/routes/index.ts';
import { clone, dispose } from '../../../web/sim/core/clone.ts';
import { encodeWorld } from '../../../web/sim/core/codec.ts';
import { digest } from '../../../web/sim/core/digest.ts';
import { eachEntity } from '../../../web/sim/core/entities.ts';
import { pendingEvents } from '../../../web/sim/core/events.ts';
import { count, has, type World } from '../../../web/sim/core/world.ts';
import { loadWorld } from '../../../web/sim/create-world.ts';
import { observe } from '../../../web/sim/observe/read-out.ts';
import {
	histories,
	itemDefinitions,
	make,
	perform,
	prepare,
	spawnDocuments,
} from '../../support/arbitraries.ts';
import type { Json } from '../../support/engine.ts';
import { future, inEngine } from '../../support/futures.ts';
import { cases, check, claim, SEED, times } from '../../support/property.ts';

const TICKS = 8;

/** Returns an answer without the number of its journal entry, because the journal also gets entries by the clock. */
const withoutEntry = (body: Json): Json => ({ ...body, entry: undefined });

/** Clears all cached hashes, so that the world computes its whole digest again. */
function forgetDigests(world: World): void {
	world.digest = null;
	for (const column of [
		world.entities.alive,
		...world.tables.flatMap((table) => (table ? [table.presence, ...Object.values(table.columns)] : [])),
	])
		column.hash = null;
}

/** Checks that copies of a world, made in every way, are equal to it and have its future. */
async function checkCopies(world: World): Promise<void> {
	const bytes = encodeWorld(world);
	const entityViews = observe(world);
	const [early, late] = [clone(world), clone(world)];
	const [second, loaded] = [clone(late), loadWorld(bytes)];
	await claim('a clone reads as its original', () => expect(observe(early)).toEqual(entityViews));
	await claim('a world that was saved and loaded is equal to what was saved', () => {
		expect(observe(loaded)).toEqual(entityViews);
		expect(loaded.entities.count).toBe(world.entities.count);
		expect(Buffer.compare(encodeWorld(loaded), bytes)).toBe(0);
	});
	const ahead = future(early, TICKS);
	const original = future(world, TICKS);
	await claim('a clone has the same digest and the same future, tick by tick', () => {
		expect(ahead).toEqual(original);
		expect(observe(early)).toEqual(observe(world));
	});
	await claim('the original may move on first: its clones still follow the same path', () => {
		expect(future(late, TICKS)).toEqual(original);
		expect(future(second, TICKS)).toEqual(original);
	});
	await claim('a world that was saved and loaded has the same digest, future and read-out', () => {
		expect(future(loaded, TICKS)).toEqual(original);
		expect(observe(loaded)).toEqual(observe(world));
	});
	for (const copy of [early, late, second, loaded]) dispose(copy);
}

describe(`after any history (seed ${SEED})`, () => {
	test('every claim holds, over histories with every component and all common events', async () => {
		const titles = new Set<string>();
		const kinds = new Set<string>();
		let refused = 0;
		await check(16, [histories(24)], (history) =>
			inEngine((one) =>
				inEngine(async (other) => {
					for (const command of history) {
						const first = await perform(one, command);
						const { world } = one.engine.worlds.main;
						for (const component of components) if (count(world, component) > 0) titles.add(component.title);
						for (const { kind } of pendingEvents(world)) kinds.add(kind);
						const cachedDigest = digest(world);
						await claim('the cached digest equals a newly computed one', () => {
							forgetDigests(world);
							expect(digest(world)).toBe(cachedDigest);
						});

						await prepare(other, command);
						const before = clone(other.engine.worlds.main.world);
						const second = await make(other, command);
						await claim(
							'a second run of the same calls, not in heavy mode, gives the same after each',
							() => {
								expect(withoutEntry(second.body)).toEqual(withoutEntry(first.body));
								expect(digest(other.engine.worlds.main.world)).toBe(cachedDigest);
							},
						);
						if (second.body.ok === false) {
							refused++;
							await claim('a refused call leaves the world byte for byte as it was', () =>
								expect(Buffer.compare(encodeWorld(other.engine.worlds.main.world), encodeWorld(before))).toBe(
									0,
								),
							);
						}
						dispose(before);
					}
					await checkCopies(one.engine.worlds.main.world);
				}, {}),
			),
		);
		expect([...titles].sort()).toEqual(components.map(({ title }) => title).sort());
		const often = EVENT_KINDS.filter(
			(kind) => !['action_failed', 'cast_failed', 'level_up', 'score', 'cast', 'sound_played'].includes(kind),
		);
		expect([...kinds]).toEqual(expect.arrayContaining(often));
		expect(refused).toBeGreaterThan(times(16));
	});
});

test(`every field of a spawn document occurs, and every component of a spawn (seed ${SEED})`, () =>
	inEngine(async (engine) => {
		const fields = new Set<string>();
		const titles = new Set<string>();
		let spawned = 0;
		for (const command of itemDefinitions) await perform(engine, command);
		for (const document of cases(spawnDocuments, 100)) {
			for (const field of Object.keys(document)) fields.add(field);
			const { body } = await perform(engine, { path: '/spawn', body: document });
			if (body.ok === true) spawned++;
		}
		const { world } = engine.engine.worlds.main;
		eachEntity(world, (id) => {
			for (const component of components) if (has(world, id, component)) titles.add(component.title);
		});
		expect(spawned).toBeGreaterThan(times(66));
		const spawnBody = routes.find(({ id }) => id === 'world.spawn')!.body as unknown as { shape: object };
		expect([...fields].sort()).toEqual(Object.keys(spawnBody.shape).sort());
		// No spawn has these components. Other calls and rules add them later.
		const later = new Set([
			...['Assertion', 'AssertionVerdict', 'CombatState', 'CorpseTimer', 'CrowdControl', 'Dead'],
			...[
				'HeroName',
				'LastAttacker',
				'PlayerOrder',
				'Projectile',
				'RespawnTimer',
				'Rule',
				'RuleTally',
				'Spread',
			],
			...['TriggerZone', 'ViewFilter', 'VisibleTo', 'ZoneEffect'],
		]);
		expect([...titles].sort()).toEqual(
			components
				.map(({ title }) => title)
				.filter((title) => !later.has(title))
				.sort(),
		);
	}));
