/** Keys of calls: a call is applied only once, even if the journal no longer has its answer. */

import { expect, test } from 'vitest';
import { JournalMemory, MemoryJournal } from '../../../shared/transport/memory-journal.ts';
import { KEPT_MS, Keys } from '../../../web/store/keys.ts';
import { startEngine } from '../../support/engine.ts';

const keyed = (key: string) => ({ 'content-type': 'application/json', 'idempotency-key': key });

test('a call whose entry was dropped is refused, and known as applied', async () => {
	const memory = new JournalMemory(8000);
	const settings = { journal: new MemoryJournal(memory), stateEvery: { entries: 3 }, now: () => 0 };
	const engine = await startEngine(settings);
	const send = (tags: string[], key: string) => engine.call('POST', '/spawn', { tags }, keyed(key));
	const first = await send(['a'], 'first');
	expect((await send(['a'], 'first')).body).toEqual(first.body);
	expect((await send(['b'], 'first')).body).toMatchObject({ code: 'bad_key' });
	for (let i = 0; i < 100 && memory.first === 0; i++) {
		await send(['x'], `more-${memory.next}`);
		await engine.engine.rest();
	}
	expect(memory.first).toBeGreaterThan(0);
	const other = await startEngine({ ...settings, journal: new MemoryJournal(memory) });
	const reply = await other.call('POST', '/spawn', { tags: ['a'] }, keyed('first'));
	expect(reply).toMatchObject({ status: 409, body: { code: 'answer_gone', applied: true, entry: 0 } });
	expect((await other.get('/journal?key=first')).call).toMatchObject({ state: 'applied', entry: 0 });
	const last = `more-${memory.next - 1}`;
	expect((await other.get(`/journal?key=${last}`)).call).toMatchObject({
		state: 'applied',
		world: 'main',
		tick: 0,
	});
	await other.engine.close();
	await engine.engine.close();
});

test('a key is dropped after a day, and the oldest beyond the limit', () => {
	let now = 0;
	const keys = new Keys(new MemoryJournal(), () => now);
	for (let i = 0; i < 100_001; i++) keys.keepKey([`k${i}`, i, 0]);
	expect([keys.find('k0'), keys.find('k1')]).toEqual([undefined, ['k1', 1, 0]]);
	now = KEPT_MS + 1;
	expect(keys.find('k1')).toBeUndefined();
	keys.keepKey(['new', 100_001, now]);
	expect(keys.all()).toEqual([['new', 100_001, now]]);
});

test('keys of one agent displace no key of another', () => {
	const keys = new Keys(new MemoryJournal(), () => 0);
	keys.keepKey(['ada first', 0, 0]);
	keys.keepKey(['alone', 1, 0]);
	for (let i = 0; i < 10_001; i++) keys.keepKey([`bob the builder ${i}`, i, 0]);
	const restored = new Keys(new MemoryJournal(), () => 0, keys.all());
	for (const one of [keys, restored]) {
		for (const key of ['ada first', 'alone', 'bob the builder 10000'])
			expect(one.find(key), key).toBeDefined();
		expect(one.find('bob the builder 0')).toBeUndefined();
		expect(one.all()).toHaveLength(10_002);
	}
});
