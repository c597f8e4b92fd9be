/** Identity of a world: what answers name, what calls may name, and what keeps or changes it. */

import { expect, test } from 'vitest';
import { JournalMemory, MemoryJournal } from '../../../shared/transport/memory-journal.ts';
import { startEngine } from '../../support/engine.ts';

const HEADER = 'x-orrery-world';
const JSON_TYPE = { 'content-type': 'application/json' };

test('every answer and refusal names the world, and two worlds never share a name', async () => {
	const [one, two] = [await startEngine(), await startEngine()];
	const { identity } = one.engine;
	expect(identity).toMatch(/^[0-9a-z]{16}$/);
	expect(two.engine.identity).not.toBe(identity);
	const calls = [
		['GET', '/'],
		['POST', '/spawn', {}],
		['GET', '/no/such/route'],
		['POST', '/step', { ticks: -1 }],
		['HEAD', '/digest'],
	] as const;
	for (const [method, path, body] of calls)
		expect((await one.call(method, path, body)).headers[HEADER]).toBe(identity);
});

test('a call that names another world is refused and changes nothing, and one that names this world works', async () => {
	const { engine, call, must } = await startEngine();
	const reply = await call('POST', '/spawn', {}, { ...JSON_TYPE, [HEADER]: 'lost' });
	expect(reply.status).toBe(409);
	expect(reply.body).toMatchObject({ ok: false, code: 'other_world', world: engine.identity });
	expect(reply.body.fix).toContain('GET /');
	expect((await must('GET', '/')).entity_count).toBe(0);
	expect((await call('POST', '/spawn', {}, { ...JSON_TYPE, [HEADER]: engine.identity })).status).toBe(201);
});

test('a promote and a handover keep the identity', async () => {
	const memory = new JournalMemory();
	const { engine, call, must } = await startEngine({ journal: new MemoryJournal(memory) });
	await must('POST', '/fork', { fork_id: 'plan' });
	await must('POST', '/fork/plan/promote', {});
	expect((await call('GET', '/')).headers[HEADER]).toBe(engine.identity);
	await engine.release();
	const next = await startEngine({ journal: new MemoryJournal(memory) });
	expect(next.engine.identity).toBe(engine.identity);
});

test('GET / reports when and why the last world ended', async () => {
	expect((await (await startEngine()).must('GET', '/')).last_world).toBeNull();
	const last = { world: 'lost', ended_at: '2026-01-02T03:04:05.000Z', why: 'Its tab crashed.' };
	const { must } = await startEngine({ lastWorld: last });
	expect((await must('GET', '/')).last_world).toEqual(last);
});
