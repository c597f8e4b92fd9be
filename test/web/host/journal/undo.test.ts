/** Undo and redo of a sender's writes. Later changes of others stay, or block the undo. */

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { verifyJournal } from '../../../../web/host/journal/verify.ts';
import { startEngine, type TestEngine } from '../../../support/engine.ts';
import { check } from '../../../support/property.ts';

let memory: JournalMemory;
let engine: TestEngine;

beforeEach(async () => {
	memory = new JournalMemory();
	engine = await startEngine({ journal: new MemoryJournal(memory), stateEvery: { entries: 6 } });
});
afterEach(async () => {
	await engine.engine.close();
	expect((await verifyJournal(new MemoryJournal(memory))).difference).toBeNull();
});

/** Calls of an agent. */
const by = (agent: string) => ({
	post: async (path: string, body: object = {}) =>
		(await engine.call('POST', path, body, { 'content-type': 'application/json', 'x-agent': agent })).body,
	undo: (world = 'main') => by(agent).post(`/undo?world=${world}`),
	redo: (world = 'main') => by(agent).post(`/redo?world=${world}`),
});
const [ada, bob] = [by('ada'), by('bob')];

const chest = (x: number, gold = 5) => ({ gold, position: [x, 0, 0] });
const refused = (code: string) => expect.objectContaining({ ok: false, code });

describe('one sender', () => {
	test('undoes and redoes call by call, bit for bit', async () => {
		const digests = [await engine.digest()];
		for (let i = 0; i < 4; i++) {
			await ada.post('/spawn', chest(i));
			digests.push(await engine.digest());
		}
		for (let i = 3; i >= 0; i--) {
			expect(await ada.undo()).toMatchObject({ ok: true, entry: i, call: 'POST /spawn' });
			expect(await engine.digest()).toBe(digests[i]);
		}
		expect(await ada.undo()).toEqual(refused('nothing_to_undo'));
		for (let i = 1; i <= 4; i++) {
			expect(await ada.redo()).toMatchObject({ ok: true, entry: i - 1 });
			expect(await engine.digest()).toBe(digests[i]);
		}
		expect(await ada.redo()).toEqual(refused('nothing_to_undo'));
	});

	test('has nothing to redo after another call', async () => {
		await ada.post('/spawn', chest(0));
		await ada.undo();
		await ada.post('/spawn', chest(1));
		expect(await ada.redo()).toEqual(refused('nothing_to_undo'));
		expect((await engine.get('/entities/0')).gold).toBe(5);
		await ada.undo();
		await ada.redo();
		await ada.undo();
		expect(await ada.undo()).toEqual(refused('nothing_to_undo'));
	});

	test('undoes ticks, a batch, and a restore, each as a whole', async () => {
		await ada.post('/spawn', { ...chest(0), position: [0, 9, 0], physics_body: 'Dynamic' });
		await ada.post('/step', { ticks: 30 });
		const at30 = await engine.digest();
		await ada.post('/snapshot', { label: 'a' });
		await ada.post('/batch', {
			requests: [
				{ method: 'POST', path: '/spawn', body: chest(3) },
				{ method: 'POST', path: '/step', body: { ticks: 5 } },
			],
		});
		const at35 = await engine.digest();
		await ada.post('/snapshot/a/restore');
		await ada.undo();
		expect(await engine.digest()).toBe(at35);
		await ada.undo();
		expect(await engine.digest()).toBe(at30);
		expect(await ada.undo()).toMatchObject({ call: 'POST /step', tick: 0, previous_tick: 30 });
	});

	test('undoes its calls in a fork, back to the beginning of the fork', async () => {
		await ada.post('/spawn', chest(0));
		const main = await engine.digest();
		await ada.post('/fork', { fork_id: 'plan' });
		await ada.post('/spawn?world=plan', chest(1));
		await ada.post('/spawn', chest(2));
		expect(await ada.undo('plan')).toMatchObject({ ok: true, call: 'POST /spawn' });
		expect(await engine.digest('plan')).toBe(main);
		expect(await ada.undo('plan')).toEqual(refused('nothing_to_undo'));
		await ada.redo('plan');
		await ada.post('/fork/plan/promote');
		await ada.undo();
		expect((await engine.get('/entities/1')).local_transform.position).toEqual([2, 0, 0]);
	});

	test('keeps its identity after the engine has ended', async () => {
		await ada.post('/spawn', chest(0));
		const one = await engine.digest();
		await ada.post('/spawn', chest(1));
		const two = await engine.digest();
		await ada.undo();
		await engine.engine.close();
		engine = await startEngine({ journal: new MemoryJournal(memory) });
		expect(await engine.digest()).toBe(one);
		await ada.redo();
		expect(await engine.digest()).toBe(two);
		await ada.undo();
		await ada.undo();
		expect(await engine.get('/history?path=/undo')).toMatchObject({ count: 3 });
	});

	test('undoes while the world plays: no tick is lost, and it still plays', async () => {
		const ball = { ...chest(0), position: [0, 30, 0], physics_body: 'Dynamic' };
		await ada.post('/spawn', ball);
		await ada.post('/spawn', { position: [0, 28, 0], mesh: 'cube', physics_body: 'Static' });
		const tick = async () => (await engine.get('/digest')).tick as number;
		await bob.post('/play', { speed: 8 });
		await expect.poll(tick).toBeGreaterThan(30);
		const back = await ada.undo();
		expect(back).toMatchObject({ ok: true, call: 'POST /spawn', entity_count: 1 });
		expect(back.tick).toBe(back.previous_tick);
		await expect.poll(tick).toBeGreaterThan(back.tick + 10);
		const forth = await ada.redo();
		expect(forth).toMatchObject({ ok: true, entity_count: 2 });
		expect(forth.tick).toBe(forth.previous_tick);
		await expect.poll(tick).toBeGreaterThan(forth.tick + 10);
		await ada.undo();
		await bob.post('/pause');
		const alone = await startEngine();
		await alone.spawn(ball);
		await alone.step(await tick());
		expect(await engine.digest()).toBe(await alone.digest());
		await alone.engine.close();
	});

	test('can undo from the first entry on, also with a journal in memory alone', async () => {
		const other = await startEngine();
		expect(await other.post('/undo')).toEqual(refused('nothing_to_undo'));
		await other.spawn();
		expect(await other.post('/undo')).toMatchObject({ ok: true });
		expect(await other.get('/journal')).toMatchObject({ stored: false, works: true, next: 2 });
		await other.engine.close();
	});
});

describe('several senders', () => {
	test('independent changes of others stay', async () => {
		for (const i of [0, 1]) await engine.spawn(chest(i));
		await ada.post('/entities/0/components', { gold: 50 });
		await bob.post('/entities/1/components', { gold: 60 });
		await engine.step(3);
		expect(await ada.undo()).toMatchObject({ ok: true, remade: 2, tick: 3 });
		expect([await engine.gold(0), await engine.gold(1)]).toEqual([5, 60]);
		await bob.undo();
		expect(await engine.gold(1)).toBe(5);
		await ada.redo();
		expect([await engine.gold(0), await engine.gold(1)]).toEqual([50, 5]);
	});

	test('changes that others built on it are named, and nothing changes until they undo those', async () => {
		await ada.post('/spawn', chest(0));
		await bob.post('/entities/0/components', { gold: 60 });
		const digest = await engine.digest();
		const answer = await ada.undo();
		expect(answer).toEqual(refused('depended_on'));
		expect(answer.error).toContain('POST /entities/0/components of "bob" (entry 1)');
		expect(answer).toMatchObject({ entry: 1, sender: 'bob' });
		expect(await engine.digest()).toBe(digest);
		await bob.undo();
		expect(await ada.undo()).toMatchObject({ ok: true });
		expect(await bob.redo()).toEqual(refused('depended_on'));
		await ada.redo();
		await bob.redo();
		expect(await engine.digest()).toBe(digest);
	});

	test('a sender without a name is reported as such', async () => {
		await ada.post('/spawn', chest(0));
		await engine.must('POST', '/entities/0/components', { gold: 60 });
		expect((await ada.undo()).error).toContain(
			'POST /entities/0/components of a sender without a name (entry 1)',
		);
	});

	test('an id that was used before blocks the undo', async () => {
		await ada.post('/spawn', chest(0));
		await bob.post('/spawn', chest(1));
		expect(await ada.undo()).toEqual(refused('depended_on'));
	});

	test('an equal value that both wrote blocks the undo', async () => {
		await engine.spawn(chest(0));
		await ada.post('/entities/0/components', { gold: 50 });
		await bob.post('/entities/0/components', { gold: 60 });
		expect(await ada.undo()).toEqual(refused('depended_on'));
	});

	test.each([
		['a snapshot', '/snapshot', { label: 'kept' }, '/snapshot/kept/restore'],
		['a fork', '/fork', { fork_id: 'kept' }, '/fork/kept/promote'],
	])('%s with it, which has replaced the world since, blocks the undo', async (_, keep, named, bring) => {
		for (const bringing of [
			() => bob.post(bring),
			() => bob.post('/batch', { requests: [{ path: bring, body: {} }] }),
		]) {
			await engine.post('/reset');
			await ada.post('/spawn', chest(0));
			await ada.post('/spawn', chest(1));
			await bob.post(keep, named);
			await ada.undo();
			expect(await bringing()).toMatchObject({ ok: true });
			const digest = await engine.digest();
			for (const answer of [await ada.undo(), await ada.redo()]) {
				expect(answer).toEqual(refused('depended_on'));
				expect(answer.sender).toBe('bob');
			}
			expect(await engine.digest()).toBe(digest);
			await ada.post('/spawn', chest(2));
			expect(await ada.undo()).toMatchObject({ ok: true });
			expect(await engine.digest()).toBe(digest);
		}
	});

	test('a snapshot from before all undone calls blocks nothing', async () => {
		await engine.spawn(chest(0));
		await ada.post('/snapshot', { label: 'kept' });
		await ada.post('/spawn', chest(1));
		await ada.post('/spawn', chest(2));
		await ada.undo();
		await ada.post('/snapshot/kept/restore');
		const digest = await engine.digest();
		for (const _ of ['restore', 'spawn']) expect(await ada.undo()).toMatchObject({ ok: true });
		for (const _ of ['spawn', 'restore']) expect(await ada.redo()).toMatchObject({ ok: true });
		expect(await engine.digest()).toBe(digest);
	});

	test('ticks are re-run with the changes, in the same number', async () => {
		await engine.spawn({ ...chest(0), position: [0, 9, 0], physics_body: 'Dynamic' });
		const alone = await startEngine();
		await alone.spawn({ ...chest(0), position: [0, 9, 0], physics_body: 'Dynamic' });
		await ada.post('/spawn', { position: [0, 5, 0], mesh: 'cube', physics_body: 'Static' });
		await bob.post('/step', { ticks: 60 });
		await alone.step(60);
		expect(await ada.undo()).toMatchObject({ ok: true, tick: 60 });
		expect((await engine.entity(0)).transform).toEqual((await alone.entity(0)).transform);
		await alone.engine.close();
	});

	test('a step of another sender with another result blocks the undo', async () => {
		await engine.spawn(chest(0));
		await ada.post('/entities/0/components', { gold: 50 });
		await bob.post('/probe', { ticks: 10, until: 'field gold >= 50' });
		expect(await engine.get('/history?sender=bob')).toMatchObject({ count: 0 });
		await bob.post('/probe', { ticks: 10, until: 'field gold < 50' });
		expect(await ada.undo()).toEqual(refused('depended_on'));
	});

	test('any mixture of calls undone and redone returns to the start', async () => {
		const who = fc.constantFrom(ada, bob);
		const call = fc.oneof(
			fc.record({ who, path: fc.constant('/spawn'), body: fc.constant(chest(0)) }),
			fc.record({
				who,
				path: fc.nat(2).map((id) => `/entities/${id}/components`),
				body: fc.nat(9).map((gold) => ({ gold })),
			}),
			fc.record({
				who,
				path: fc.constant('/step'),
				body: fc.record({ ticks: fc.integer({ min: 1, max: 4 }) }),
			}),
			fc.record({ who, path: fc.constantFrom('/undo', '/redo'), body: fc.constant({}) }),
		);
		await check(12, [fc.array(call, { minLength: 4, maxLength: 14 }), who], async (calls, last) => {
			await engine.post('/reset');
			for (const call of calls) await call.who.post(call.path, call.body);
			const digest = await engine.digest();
			const undone = await last.undo();
			if (!undone.ok) expect(['nothing_to_undo', 'depended_on']).toContain(undone.code);
			else expect(await last.redo()).toMatchObject({ ok: true, entry: undone.entry });
			expect(await engine.digest()).toBe(digest);
		});
	});
});

test('a person undoes the newest changes without a re-run, with the same bits', async () => {
	const you = by('you');
	for (const x of [0, 1, 2]) await you.post('/spawn', chest(x));
	expect(await you.undo()).toMatchObject({ entry: 2, remade: 0 });
	expect(await you.undo()).toMatchObject({ entry: 1, remade: 0 });
	expect(await you.redo()).toMatchObject({ entry: 1, remade: 0 });
	await bob.post('/spawn', chest(7));
	expect(await you.undo()).toEqual(refused('depended_on'));

	const edit = fc.oneof(
		fc.record({ path: fc.constant('/spawn'), body: fc.constant({ ...chest(0), physics_body: 'Dynamic' }) }),
		fc.record({
			path: fc.nat(2).map((id) => `/entities/${id}/components`),
			body: fc.nat(9).map((gold) => ({ gold })),
		}),
		fc.record({ path: fc.constant('/step'), body: fc.constant({ ticks: 1 }) }),
		fc.record({ path: fc.constantFrom('/undo', '/undo', '/redo'), body: fc.constant({}) }),
	);
	await check(8, [fc.array(edit, { minLength: 5, maxLength: 14 })], async (edits) => {
		const digestsByActor: string[][] = [];
		for (const who of [you, ada]) {
			await engine.post('/reset', { fresh: true });
			const digests: string[] = [];
			for (const { path, body } of edits) {
				await who.post(path, body);
				digests.push((await engine.get('/digest?future=true')).future_digest);
			}
			digestsByActor.push(digests);
		}
		expect(digestsByActor[0]).toEqual(digestsByActor[1]);
	});
});

test('a long undo is cancelled like every other call, and changes nothing', async () => {
	await ada.post('/spawn', chest(0));
	for (let i = 0; i < 20; i++)
		await engine.spawn({ ...chest(i), position: [i, 9, 0], physics_body: 'Dynamic' });
	await engine.step(3000);
	const digest = await engine.digest();
	const undoing = ada.undo();
	await expect.poll(async () => (await engine.get('/calls')).calls).toMatchObject([{ path: '/undo' }]);
	const [{ id }] = (await engine.get('/calls')).calls;
	await engine.remove(`/calls/${id}`);
	expect(await undoing).toEqual(refused('cancelled'));
	expect(await engine.digest()).toBe(digest);
});

describe('a deleted asset', () => {
	const points = [
		[0, 0, 0],
		[1, 0, 0],
		[0, 1, 0],
		[0, 0, 1],
	];
	let hash: string;
	beforeEach(async () => {
		const data = Buffer.from(JSON.stringify({ points })).toString('base64');
		({ hash } = await ada.post('/asset/upload?name=h.json', { data }));
	});
	const hull = () =>
		ada.post('/spawn', {
			position: [0, 5, 0],
			physics_body: 'Dynamic',
			collider: { shape: 'Hull', asset: hash },
		});
	const deleted = () => engine.must('DELETE', `/asset/${hash}`);

	test('is not referenced by an undo, until it exists again', async () => {
		const { id } = await hull();
		const before = await engine.digest();
		await ada.post('/despawn', { entity_id: id });
		await deleted();
		const without = await engine.digest();
		expect(await ada.undo()).toEqual(refused('asset_missing'));
		expect(await engine.digest()).toBe(without);
		const data = Buffer.from(JSON.stringify({ points })).toString('base64');
		await bob.post('/asset/upload', { data });
		expect(await ada.undo()).toMatchObject({ ok: true, call: 'POST /despawn' });
		expect(await engine.digest()).toBe(before);
	});

	test('nor by a redo', async () => {
		await hull();
		await ada.undo();
		await deleted();
		expect(await ada.redo()).toEqual(refused('asset_missing'));
	});

	test('a fork of the past that names it is not saved as complete', async () => {
		const { id } = await hull();
		await ada.post('/despawn', { entity_id: id });
		await deleted();
		await engine.must('POST', '/history/fork', { fork_id: 'then', entry: 1 });
		for (const path of ['/scene/save', '/level/save'])
			expect(await ada.post(`${path}?world=then`, { path: 'then.json' }), path).toEqual(
				refused('asset_missing'),
			);
		expect(await ada.post('/scene/save', { path: 'now.json' })).toMatchObject({ ok: true });
	});
});
