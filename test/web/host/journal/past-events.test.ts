/** Events and numbers of the past from the journal, also those of an earlier engine. */

import { afterEach, expect, test } from 'vitest';
import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { startEngine, type TestEngine } from '../../../support/engine.ts';

let engine: TestEngine;
afterEach(() => engine.engine.close());

const past = (query: string) => engine.get(`/history/events?${query}`);

test('a restarted engine has the events and numbers of the world from its first tick on', async () => {
	const memory = new JournalMemory();
	const start = () => startEngine({ journal: new MemoryJournal(memory), stateEvery: { entries: 3 } });
	engine = await start();
	await engine.spawn({ health: 30, gold: 0, name: 'Oak' });
	await engine.must('POST', '/reset', { fresh: true });
	const oak = await engine.spawn({ health: 30, gold: 0, name: 'Elm' });
	await engine.must('POST', '/rule/create', { when: 'tick:10', do: [`add_field entity:${oak} gold 1`] });
	for (let step = 0; step < 6; step++) {
		await engine.must('POST', '/entity/damage', { entity_id: oak, amount: 5 });
		await engine.step(10);
	}
	const { events } = await engine.get('/events/stream?since=0&events=damage,death');
	await engine.engine.close();
	engine = await start();

	const all = await past('events=damage,death&fields=gold,health&filter=name:Elm&every=20');
	expect(all.events).toEqual(events.map(({ id: _, ...event }: { id: string }) => event));
	expect(all).toMatchObject({ finished: true, next: null, since: 0, count: 7 });
	expect(all.rows.map(([tick, , gold]: number[]) => [tick, gold])).toEqual([
		[20, 2],
		[40, 4],
		[60, 6],
	]);
	const part = await past('events=damage&from_tick=15&to_tick=45');
	expect(part.events.map(({ tick }: { tick: number }) => tick)).toEqual([20, 30, 40]);
	// The next answer has the remaining events.
	const found: unknown[] = [];
	for (let query = 'events=damage,death&limit=2', pieces = 0; ; pieces++) {
		const { events: some, next, finished } = await past(query);
		found.push(...some);
		if (finished) {
			expect(pieces).toBeGreaterThan(1);
			break;
		}
		query = `events=damage,death&limit=2&from_tick=${next}`;
	}
	expect(found).toEqual(all.events);
});

test('a missing event or number is refused with the existing ones', async () => {
	engine = await startEngine({ journal: new MemoryJournal() });
	expect(await past('events=deth')).toMatchObject({
		code: 'bad_query',
		fix: expect.stringContaining('death'),
	});
	expect(await past('fields=golt')).toMatchObject({
		code: 'bad_query',
		fix: expect.stringContaining('gold'),
	});
	expect(await past('fields=gold&filter=nothing')).toMatchObject({ code: 'invalid_assertion' });
	expect(await past('of=nowhere')).toMatchObject({ ok: true, events: [], rows: [], since: null });
});
