/** POST /history/replay and GET /history?bodies=true: the past with other calls, compared with worlds that are built by hand. */

import { expect, test } from 'vitest';
import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { createEngine } from '../../../../web/host/engine.ts';
import { clientOf } from '../../../support/engine.ts';
import { fighter, playing } from '../../../support/playing.ts';

const { call, get, post, must } = playing({ seed: 3 });

const calls = [
	['/spawn', fighter(1, 0, { combat_damage: 30 })],
	['/spawn', fighter(2, 1, { combat_damage: 5 })],
	['/entity/damage', { entity_id: 1, amount: 40 }],
	['/step', { ticks: 90 }],
	['/entity/heal', { entity_id: 1, amount: 20 }],
	['/step', { ticks: 30 }],
] as const;

/** Returns the digest and tick of a new world after some calls. */
async function byHand(requests: readonly (readonly [string, object])[]) {
	const engine = await createEngine({ seed: 3 });
	const client = clientOf((request) => engine.handle(request));
	for (const [path, body] of requests) await client.post(path, body);
	const { tick, state_digest } = await client.get('/digest');
	await engine.close();
	return { tick, state_digest };
}

async function makeAll(): Promise<void> {
	for (const [path, body] of calls) await must('POST', path, body);
}

test('a replay without a call equals a world that was built without the call', async () => {
	await makeAll();
	const before = await get('/digest?future=true');
	const answer = await must('POST', '/history/replay', {
		without: 2,
		conditions: ['entity:1 & field:health<50'],
		fields: ['health'],
	});
	expect(answer).toMatchObject({
		equal: false,
		from: 2,
		to: 5,
		original: await byHand(calls),
		replayed: await byHand(calls.filter((_, i) => i !== 2)),
		calls: [],
		fork_id: null,
	});
	const { rows } = answer.replayed as { rows: unknown[] };
	expect(rows).toHaveLength(2);
	expect(answer.first_difference).toEqual({ tick: 0, entry: 2 });
	expect(await get('/digest?future=true')).toEqual(before);
	expect((await get('/fork/list')).count).toBe(0);
});

test('a replay with a replaced or added request gives a fork that continues equally', async () => {
	await makeAll();
	const other = ['/entity/damage', { entity_id: 1, amount: 10 }] as const;
	const replace = { seq: 4, request: { path: other[0], body: other[1] } };
	const replaced = await must('POST', '/history/replay', { replace, fork_id: 'other' });
	const hand = await byHand([...calls.slice(0, 4), other, calls[5]!]);
	expect(replaced.replayed).toMatchObject(hand);
	expect(replaced.first_difference).toMatchObject({ entry: 4 });
	expect(replaced.calls).toEqual([
		{ entry: 4, call: 'POST /entity/damage', was: null, status: 200, fix: null },
	]);
	expect(await get('/digest?world=other')).toMatchObject(hand);
	const insert = { before: 3, request: { path: '/spawn', body: { health: 'many' } } };
	const refused = await must('POST', '/history/replay', { insert });
	expect(refused).toMatchObject({ equal: true, first_difference: null });
	expect(refused.calls).toEqual([expect.objectContaining({ was: null, status: 422 })]);
});

test('later calls that are refused are listed, and undone calls stay undone', async () => {
	await post('/spawn', { health: 50 });
	await post('/spawn', { health: 60 });
	await post('/undo');
	await post('/step', { ticks: 5 });
	await post('/entities/0/components', { team: 3 });
	const answer = await must('POST', '/history/replay', { without: [0] });
	expect(answer.calls).toEqual([expect.objectContaining({ entry: 4, was: 200, status: 404 })]);
	expect(answer.replayed).toMatchObject(await byHand([['/step', { ticks: 5 }]]));
});

test('a call that cannot be replayed is refused with a fix', async () => {
	await makeAll();
	for (const [body, code] of [
		[{}, 'invalid_body'],
		[{ without: 99 }, 'no_moment'],
		[{ without: 4, to: 2 }, 'no_moment'],
		[{ without: 2, conditions: ['nonsense'] }, 'invalid_assertion'],
		[{ without: 2, fields: ['helth'] }, 'invalid_body'],
		[{ replace: { seq: 2, request: { path: '/undo', body: {} } } }, 'invalid_body'],
		[{ without: 2, of: 'nowhere' }, 'no_moment'],
	] as const) {
		const { body: answer } = await call('POST', '/history/replay', body);
		expect([body, answer.code]).toEqual([body, code]);
	}
});

test('the fork exists after a restart', async () => {
	const memory = new JournalMemory(2 ** 24);
	const first = await createEngine({ seed: 3, journal: new MemoryJournal(memory) });
	const before = clientOf((request) => first.handle(request));
	for (const [path, body] of calls) await before.post(path, body);
	await before.must('POST', '/history/replay', { without: 2, fork_id: 'kept' });
	const digest = await before.digest('kept');
	await first.close();
	const second = await createEngine({ journal: new MemoryJournal(memory) });
	expect(await clientOf((request) => second.handle(request)).digest('kept')).toBe(digest);
	await second.close();
});

test('GET /history?bodies=true shows bodies, and pages by size', async () => {
	await makeAll();
	await post('/scenario', {
		name: 'x'.repeat(100),
		entities: Array.from({ length: 100 }, () => ({ health: 1 })),
	});
	const { lines, next } = await get('/history?bodies=true&bytes=1024');
	expect(lines.slice(0, 6).map(({ body }: { body: object }) => body)).toEqual(calls.map(([, body]) => body));
	expect(lines[6].body).toBeUndefined();
	expect(lines[6].body_bytes).toBeGreaterThan(1024);
	expect(next).toBe(null);
	for (let i = 0; i < 20; i++) await post('/spawn', { tags: ['x'.repeat(90)] });
	const page = await get('/history?bodies=true&bytes=1024&from=7');
	expect(page.count).toBeLessThan(20);
	expect(page.next).toBe(7 + page.count);
	expect((await get('/history?from=0&limit=1')).lines[0].body).toBeUndefined();
});
