/**
 * Contents of each way of saving, for any world: rows are worlds, columns are ways.
 * Owns: the claims that hold for every world. The other files beside this one have what is special about one way.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dispose } from '../../../web/sim/core/clone.ts';
import { histories, relive } from '../../support/arbitraries.ts';
import { type Json, startEngine, type TestEngine, testEngine } from '../../support/engine.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';
import { check, claim, SEED, times } from '../../support/property.ts';
import { scatter } from '../../support/scatter.ts';

interface SavePlace {
	readonly t: TestEngine;
	readonly disk: ReturnType<typeof createMemoryFiles>;
}

async function openPlace(seed: number): Promise<SavePlace> {
	const disk = createMemoryFiles();
	const { engine } = await startEngine({ seed, files: disk.files });
	return { t: testEngine(engine), disk };
}

function closePlace({ t: { engine } }: SavePlace): void {
	for (const { world, snapshots } of engine.worlds.all()) {
		dispose(world);
		for (const snapshot of snapshots) dispose(snapshot.world);
	}
	engine.close();
}

let here: SavePlace;
let there: SavePlace;
const open = async () => {
	here = await openPlace(5);
	there = await openPlace(6);
};
const close = () => {
	closePlace(here);
	closePlace(there);
};

const idsOf = (text: string) => (JSON.parse(text).entities ?? []).map(({ id }: { id: number }) => id);

interface SaveMethod {
	/** Saves the world of a place; the text that was saved, empty if it stays in the engine. */
	save(place: SavePlace): Promise<string>;
	/** Brings the world back and checks the answer. The result is where it is now. */
	load(saved: string, digest: string): Promise<{ readonly place: SavePlace; readonly world: string }>;
	/** True if every byte of the world and its future come back, or only what the text says. */
	readonly exact: boolean;
}

const MAIN = { world: 'main' };

const scenario = (exact: boolean): SaveMethod => ({
	exact,
	save: async ({ t }) => JSON.stringify(await t.must('GET', `/scenario?exact=${exact}`)),
	async load(saved, state_digest) {
		const applied = await there.t.must('POST', '/scenario', JSON.parse(saved));
		expect(applied).toMatchObject({ exact, ...(exact ? { state_digest } : { entity_ids: idsOf(saved) }) });
		return { place: there, ...MAIN };
	},
});

const file = (
	kind: 'scene' | 'level',
	checkAnswer: (answer: Json, saved: string, digest: string) => void,
) => ({
	async save({ t, disk }: SavePlace) {
		await t.must('POST', `/${kind}/save`, { path: `${kind}.json` });
		return disk.readText(`${kind}.json`);
	},
	async load(saved: string, digest: string) {
		there.disk.writeJson(`${kind}.json`, JSON.parse(saved));
		checkAnswer(await there.t.must('POST', `/${kind}/load`, { path: `${kind}.json` }), saved, digest);
		return { place: there, ...MAIN };
	},
});

const kept = (path: string, body: object) => async (place: SavePlace) => {
	await place.t.must('POST', path, body);
	return '';
};

/** A level is added to what is there, so it comes first. The others replace what the ones before them left. */
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
		save: kept('/fork', { fork_id: 'twin' }),
		load: async () => ({ place: here, world: 'twin' }),
	},
	'a snapshot': {
		exact: true,
		save: kept('/snapshot', { label: 'here' }),
		async load(_, state_digest) {
			await here.t.must('POST', '/reset');
			const restored = await here.t.must('POST', '/snapshot/here/restore');
			expect(restored).toMatchObject({ state_digest });
			return { place: here, ...MAIN };
		},
	},
	'a snapshot, restored in a fork that was made after it': {
		exact: true,
		save: kept('/fork', { fork_id: 'other' }),
		async load(_, state_digest) {
			await here.t.must('POST', '/step?world=other', { ticks: 3 });
			const restored = await here.t.must('POST', '/snapshot/here/restore?world=other');
			expect(restored).toMatchObject({ state_digest });
			return { place: here, world: 'other' };
		},
	},
};

/** Every way keeps what it promises of the world that is here. */
async function everyWayKeeps(ticks: number): Promise<void> {
	const [bytes, digest] = [here.t.bytes(), await here.t.digest()];
	const saved = new Map<string, string>();
	for (const [name, way] of Object.entries(WAYS)) saved.set(name, await way.save(here));
	const future = await here.t.future(ticks);
	// Documents name assets and do not contain them.
	for (const asset of here.t.engine.assets.all()) await there.t.engine.assets.restore(asset);
	for (const [name, { save, load, exact }] of Object.entries(WAYS))
		await claim(name, async () => {
			const text = saved.get(name)!;
			const { place, world } = await load(text, digest);
			if (text !== '') expect(await save(place)).toBe(text);
			if (!exact) return;
			expect(place.t.bytes(world)).toBe(bytes);
			expect(await place.t.future(ticks, world)).toEqual(future);
		});
}

const FIGHTER = { team: 1, health: 100, combat: true };
const MEND = { slot: 'Q', name: 'Mend', cooldown: 2, mana_cost: 0, effect: { Heal: { amount: 1 } } };

/** A world of 2,000 ticks, with cooldowns, an effect, a projectile and the dead. */
async function growOld({ t }: SavePlace): Promise<void> {
	for (const document of [
		{ ...FIGHTER, combat_cooldown: 2, abilities: [MEND] },
		{ team: 2, health: 1000, position: [1, 0, 0] },
		{ ...FIGHTER, position: [0, 50, 0], role: 'minion' },
		{ ...FIGHTER, position: [0, 90, 0], combat: false },
	])
		await t.spawn(document);
	await t.step(2000);
	await t.must('POST', '/ability/use', { entity_id: 0, slot: 'Q' });
	await t.must('POST', '/effect/apply', { entity_id: 1, tag: 'burn', duration: 2, tick_effect: 'dps:6' });
	for (const id of [2, 3]) await t.kill(id);
	await t.must('POST', '/projectile/spawn', {
		from: [0, 20, 0],
		direction: [1, 0, 0],
		speed: 1,
		lifetime: 2,
	});
	await t.step(30);
}

/** An item that changed for entities that already wear it. */
async function redefineItem({ t }: SavePlace): Promise<void> {
	await t.must('POST', '/item/define', { id: 1, name: 'Mail', properties: { armor: 5 } });
	await t.spawn({ health: 5, equipment: { body: 1 } });
	await t.step(2);
	const unset = { stack_max: null, recipe: null, stock: null, teams: null };
	const items = [{ id: 1, name: 'Mail', properties: { armor: 50 }, ...unset }];
	await t.must('POST', '/level/load', { level: { resources: { items } } });
	expect((await t.entity(0)).stats).toEqual({ armor: 50 });
}

type Row = [name: string, make: (place: SavePlace) => Promise<void>, ticks: number];

const scattered = (seed: number): Row => [`scattered world ${seed}`, ({ t }) => scatter(t.engine, seed), 100];

describe('every way of saving keeps its promises', () => {
	beforeEach(open);
	afterEach(close);

	test.each<Row>([
		...Array.from({ length: times(2) }, (_, i) => scattered(i + 1)),
		['an old world', growOld, 100],
		['an item that a level defined anew', redefineItem, 3],
	])('%s', async (_, make, ticks) => {
		await make(here);
		await everyWayKeeps(ticks);
	});

	test('an old world loaded into a young one: a plain scenario resumes cooldowns, effects and timers', async () => {
		await growOld(here);
		const applied = await there.t.must(
			'POST',
			'/scenario',
			await here.t.must('GET', '/scenario?exact=false'),
		);
		expect(applied.tick).toBe(0);
		const later = async ({ t }: SavePlace) => {
			await t.step(100);
			const { entities } = await t.post('/observe');
			return entities.map(({ id, health, dead }: Json) => [id, health, dead]);
		};
		expect(await later(there)).toEqual(await later(here));
		const { abilities } = await there.t.get('/ability/list/0');
		expect(abilities[0]).toMatchObject({ cooldown_remaining: 0, ready_at: 90 });
	});
});

test(`every way of saving keeps its promises for any history (seed ${SEED})`, () =>
	check(2, [histories(24)], async (history) => {
		await open();
		try {
			await relive(here.t, history);
			await everyWayKeeps(6);
		} finally {
			close();
		}
	}));
