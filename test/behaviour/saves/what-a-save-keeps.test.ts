/**
 * Each way of saving keeps its promise for each tested world.
 * Owns: the tests for all ways of saving. Special cases of one way are in the other files of this folder.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dispose } from '../../../web/sim/core/clone.ts';
import { histories, relive } from '../../support/arbitraries.ts';
import { type Json, startEngine, type TestEngine, testEngine } from '../../support/engine.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';
import { check, claim, SEED, times } from '../../support/property.ts';
import { scatter } from '../../support/scatter.ts';

interface SavePlace {
	readonly client: TestEngine;
	readonly disk: ReturnType<typeof createMemoryFiles>;
}

async function openPlace(seed: number): Promise<SavePlace> {
	const disk = createMemoryFiles();
	const { engine } = await startEngine({ seed, files: disk.files });
	return { client: testEngine(engine), disk };
}

function closePlace({ client: { engine } }: SavePlace): void {
	for (const { world, snapshots } of engine.worlds.all()) {
		dispose(world);
		for (const snapshot of snapshots) dispose(snapshot.world);
	}
	engine.close();
}

let sourcePlace: SavePlace;
let targetPlace: SavePlace;
const open = async () => {
	sourcePlace = await openPlace(5);
	targetPlace = await openPlace(6);
};
const close = () => {
	closePlace(sourcePlace);
	closePlace(targetPlace);
};

const idsOf = (text: string) => (JSON.parse(text).entities ?? []).map(({ id }: { id: number }) => id);

interface SaveMethod {
	/** Saves the world of a place. Returns the saved text; empty if the save stays in the engine. */
	save(place: SavePlace): Promise<string>;
	/** Restores the world and checks the answer. Returns the place and the name of the restored world. */
	load(saved: string, digest: string): Promise<{ readonly place: SavePlace; readonly world: string }>;
	/** True if every byte of the world and its future are restored. */
	readonly exact: boolean;
}

const MAIN = { world: 'main' };

const scenario = (exact: boolean): SaveMethod => ({
	exact,
	save: async ({ client }) => JSON.stringify(await client.must('GET', `/scenario?exact=${exact}`)),
	async load(saved, state_digest) {
		const applied = await targetPlace.client.must('POST', '/scenario', JSON.parse(saved));
		expect(applied).toMatchObject({ exact, ...(exact ? { state_digest } : { entity_ids: idsOf(saved) }) });
		return { place: targetPlace, ...MAIN };
	},
});

const file = (
	kind: 'scene' | 'level',
	checkAnswer: (answer: Json, saved: string, digest: string) => void,
) => ({
	async save({ client, disk }: SavePlace) {
		await client.must('POST', `/${kind}/save`, { path: `${kind}.json` });
		return disk.readText(`${kind}.json`);
	},
	async load(saved: string, digest: string) {
		targetPlace.disk.writeJson(`${kind}.json`, JSON.parse(saved));
		checkAnswer(
			await targetPlace.client.must('POST', `/${kind}/load`, { path: `${kind}.json` }),
			saved,
			digest,
		);
		return { place: targetPlace, ...MAIN };
	},
});

const saveByCall = (path: string, body: object) => async (place: SavePlace) => {
	await place.client.must('POST', path, body);
	return '';
};

/** A level is added to the current world, so it comes first. The other ways replace the world. */
const WAYS: Readonly<Record<string, SaveMethod>> = {
	'POST /level/save and /level/load': {
		exact: false,
		...file('level', ({ entity_ids }, saved) => expect(entity_ids).toEqual(idsOf(saved))),
	},
	'GET /scenario?exact=false and POST /scenario': scenario(false),
	'GET and POST /scenario': scenario(true),
	'POST /scene/save and /scene/load': {
		exact: true,
		...file('scene', (answer, _, state_digest) =>
			expect(answer).toMatchObject({ exact: true, state_digest }),
		),
	},
	'a fork': {
		exact: true,
		save: saveByCall('/fork', { fork_id: 'twin' }),
		load: async () => ({ place: sourcePlace, world: 'twin' }),
	},
	'a snapshot': {
		exact: true,
		save: saveByCall('/snapshot', { label: 'here' }),
		async load(_, state_digest) {
			await sourcePlace.client.must('POST', '/reset');
			const restored = await sourcePlace.client.must('POST', '/snapshot/here/restore');
			expect(restored).toMatchObject({ state_digest });
			return { place: sourcePlace, ...MAIN };
		},
	},
	'a snapshot, restored in a fork that was made after it': {
		exact: true,
		save: saveByCall('/fork', { fork_id: 'other' }),
		async load(_, state_digest) {
			await sourcePlace.client.must('POST', '/step?world=other', { ticks: 3 });
			const restored = await sourcePlace.client.must('POST', '/snapshot/here/restore?world=other');
			expect(restored).toMatchObject({ state_digest });
			return { place: sourcePlace, world: 'other' };
		},
	},
};

/** Saves the current world in every way, restores it, and checks each promise. */
async function checkAllWays(ticks: number): Promise<void> {
	const [bytes, digest] = [sourcePlace.client.bytes(), await sourcePlace.client.digest()];
	const saved = new Map<string, string>();
	for (const [name, way] of Object.entries(WAYS)) saved.set(name, await way.save(sourcePlace));
	const future = await sourcePlace.client.future(ticks);
	// Documents name assets and do not contain them.
	for (const asset of sourcePlace.client.engine.assets.all())
		await targetPlace.client.engine.assets.restore(asset);
	for (const [name, { save, load, exact }] of Object.entries(WAYS))
		await claim(name, async () => {
			const text = saved.get(name)!;
			const { place, world } = await load(text, digest);
			if (text !== '') expect(await save(place)).toBe(text);
			if (!exact) return;
			expect(place.client.bytes(world)).toBe(bytes);
			expect(await place.client.future(ticks, world)).toEqual(future);
		});
}

const FIGHTER = { team: 1, health: 100, combat: true };
const MEND = { slot: 'Q', name: 'Mend', cooldown: 2, mana_cost: 0, effect: { Heal: { amount: 1 } } };

/** Makes a world of 2,000 ticks, with cooldowns, an effect, a projectile and dead entities. */
async function growOld({ client }: SavePlace): Promise<void> {
	for (const document of [
		{ ...FIGHTER, combat_cooldown: 2, abilities: [MEND] },
		{ team: 2, health: 1000, position: [1, 0, 0] },
		{ ...FIGHTER, position: [0, 50, 0], role: 'minion' },
		{ ...FIGHTER, position: [0, 90, 0], combat: false },
	])
		await client.spawn(document);
	await client.step(2000);
	await client.must('POST', '/ability/use', { entity_id: 0, slot: 'Q' });
	await client.must('POST', '/effect/apply', {
		entity_id: 1,
		tag: 'burn',
		duration: 2,
		tick_effect: 'dps:6',
	});
	for (const id of [2, 3]) await client.kill(id);
	await client.must('POST', '/projectile/spawn', {
		from: [0, 20, 0],
		direction: [1, 0, 0],
		speed: 1,
		lifetime: 2,
	});
	await client.step(30);
}

/** Makes a world whose item was changed while an entity wears it. */
async function redefineItem({ client }: SavePlace): Promise<void> {
	await client.must('POST', '/item/define', { id: 1, name: 'Mail', properties: { armor: 5 } });
	await client.spawn({ health: 5, equipment: { body: 1 } });
	await client.step(2);
	const unset = { stack_max: null, recipe: null, stock: null, teams: null };
	const items = [{ id: 1, name: 'Mail', properties: { armor: 50 }, ...unset }];
	await client.must('POST', '/level/load', { level: { resources: { items } } });
	expect((await client.entity(0)).stats).toEqual({ armor: 50 });
}

type Row = [name: string, make: (place: SavePlace) => Promise<void>, ticks: number];

const scattered = (seed: number): Row => [
	`scattered world ${seed}`,
	({ client }) => scatter(client.engine, seed),
	100,
];

describe('every way of saving keeps its promises', () => {
	beforeEach(open);
	afterEach(close);

	test.each<Row>([
		...Array.from({ length: times(2) }, (_, i) => scattered(i + 1)),
		['an old world', growOld, 100],
		['an item that a level defined anew', redefineItem, 3],
	])('%s', async (_, make, ticks) => {
		await make(sourcePlace);
		await checkAllWays(ticks);
	});

	test('an old world loaded into a young one: a plain scenario resumes cooldowns, effects and timers', async () => {
		await growOld(sourcePlace);
		const applied = await targetPlace.client.must(
			'POST',
			'/scenario',
			await sourcePlace.client.must('GET', '/scenario?exact=false'),
		);
		expect(applied.tick).toBe(0);
		const later = async ({ client }: SavePlace) => {
			await client.step(100);
			const { entities } = await client.post('/observe');
			return entities.map(({ id, health, dead }: Json) => [id, health, dead]);
		};
		expect(await later(targetPlace)).toEqual(await later(sourcePlace));
		const { abilities } = await targetPlace.client.get('/ability/list/0');
		expect(abilities[0]).toMatchObject({ cooldown_remaining: 0, ready_at: 90 });
	});
});

test(`every way of saving keeps its promises for any history (seed ${SEED})`, () =>
	check(2, [histories(24)], async (history) => {
		await open();
		try {
			await relive(sourcePlace.client, history);
			await checkAllWays(6);
		} finally {
			close();
		}
	}));
