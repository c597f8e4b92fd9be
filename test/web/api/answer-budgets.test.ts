/** Answers on a budget: chosen fields, the nearest first, what changed, pages, and one word per request. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { JournalMemory, MemoryJournal } from '../../../shared/transport/memory-journal.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine({ journal: new MemoryJournal(new JournalMemory()) });
});
afterEach(() => engine.engine.close());

const observe = (body: object) => engine.must('POST', '/observe', body);
const idsOf = ({ entities }: { entities?: unknown }) => (entities as { id: number }[]).map(({ id }) => id);

/** Five entities along x, of which one moves. */
async function row(): Promise<void> {
	for (const x of [4, 1, 3, 0, 2])
		await engine.spawn({ position: [x, 0, 0], health: 10 + x, tags: [`at-${x}`], team: x % 2 });
	await engine.must('POST', '/entities/2/components', {
		velocity: { linear: [0, 1, 0] },
		physics_body: 'Kinematic',
	});
}

describe('POST /observe', () => {
	test('lists chosen fields as a table', async () => {
		await row();
		const { columns, rows, entities } = await observe({
			fields: ['health', 'health.percent', 'position', 'tags', 'transform.rotation', 'gold'],
			filter: 'team:1',
		});
		expect(columns).toEqual([
			'id',
			'health',
			'health.percent',
			'position',
			'tags',
			'transform.rotation',
			'gold',
		]);
		expect(rows).toEqual([
			[1, 11, 100, [1, 0, 0], ['at-1'], [0, 0, 0, 1], null],
			[2, 13, 100, [3, 0, 0], ['at-3'], [0, 0, 0, 1], null],
		]);
		expect(entities).toEqual([]);
		expect(await engine.post('/observe', { fields: ['heath'] })).toMatchObject({
			code: 'invalid_body',
			path: 'fields[0]',
			fix: 'Did you mean "health"?',
		});
	});

	test('lists the nearest first, to a point or to an entity', async () => {
		await row();
		expect(idsOf(await observe({ near: [0, 0, 0] }))).toEqual([3, 1, 4, 2, 0]);
		expect(idsOf(await observe({ near: 0, limit: 2 }))).toEqual([0, 2]);
		expect(await engine.post('/observe', { near: 77 })).toMatchObject({ code: 'entity_not_found' });
	});

	test('pages with a cursor through one state, and refuses the cursor of another', async () => {
		await row();
		const first = await observe({ near: [0, 0, 0], limit: 2 });
		expect(first).toMatchObject({ left_out: 3, next: expect.any(String) });
		const second = await observe({ near: [0, 0, 0], limit: 2, cursor: first.next });
		const third = await observe({ near: [0, 0, 0], limit: 2, cursor: second.next });
		expect([first, second, third].map(idsOf)).toEqual([[3, 1], [4, 2], [0]]);
		expect(third).not.toHaveProperty('next');
		await engine.step(1);
		expect(await engine.post('/observe', { limit: 2, cursor: first.next })).toMatchObject({
			code: 'invalid_body',
			path: 'cursor',
		});
	});

	test('lists differences from an earlier tick', async () => {
		await row();
		await engine.step(5);
		await engine.must('POST', '/entity/heal', { entity_id: 4, amount: 1 });
		expect(idsOf(await observe({ since: 3 }))).toEqual([2]);
		expect(idsOf(await observe({ since: 5 }))).toEqual([]);
		await engine.step(2);
		await engine.spawn({});
		expect(idsOf(await observe({ since: 5 }))).toEqual([2, 5]);
		expect(await engine.post('/observe', { since: 99 })).toMatchObject({ code: 'no_moment' });
	});

	test('never exceeds its budget, and reports omitted parts', async () => {
		await row();
		await engine.step(2);
		const seen: number[] = [];
		for (let budget = 60; budget < 900; budget += 7) {
			const answer = await observe({ budget });
			expect(JSON.stringify(answer).length, `${budget}`).toBeLessThanOrEqual(budget * 4);
			const ids = idsOf(answer);
			expect(ids.length + ((answer.left_out as number | undefined) ?? 0)).toBe(5);
			// What moves comes before what does not.
			if (ids.length > 0) expect(ids[0]).toBe(2);
			seen.push(ids.length);
		}
		expect(new Set(seen)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
		const { rows, left_out } = await observe({ budget: 80, fields: ['health'], near: [0, 0, 0] });
		expect(rows).toEqual(
			[
				[3, 10],
				[1, 11],
				[4, 12],
				[2, 13],
				[0, 14],
			].slice(0, 5 - (Number(left_out) || 0)),
		);
		expect(await engine.post('/observe', { budget: 5 })).toMatchObject({
			code: 'invalid_body',
			path: 'budget',
			fix: expect.stringMatching(/^Send a budget of at least \d+\.$/),
		});
	});
});

describe('POST /step', () => {
	test('with trace "draws" lists only ticks with draws', async () => {
		await engine.must('POST', '/rule/create', {
			when: { kind: 'tick', every: 4 },
			outcomes: [
				{ label: 'a', weight: 1 },
				{ label: 'b', weight: 1 },
			],
		});
		await engine.must('POST', '/fork', { fork_id: 'f' });
		const { trace: all } = await engine.must('POST', '/step?world=f', { ticks: 12, trace: true });
		const { trace: draws } = await engine.must('POST', '/step', { ticks: 12, trace: 'draws' });
		expect(all).toHaveLength(12);
		expect(draws).toEqual((all as { sampled: unknown[] }[]).filter(({ sampled }) => sampled.length > 0));
		expect((draws as unknown[]).length).toBe(3);
	});

	test('records chosen fields as one table', async () => {
		await row();
		const { recorded } = await engine.must('POST', '/step', {
			ticks: 6,
			record: { fields: ['position.y', 'health'], filter: 'tag:at-3', every: 3 },
		});
		const at = (ticks: number) => expect.closeTo(ticks / 60, 5);
		expect(recorded).toEqual({
			columns: ['tick', 'id', 'position.y', 'health'],
			rows: [
				[3, 2, at(3), 13],
				[6, 2, at(6), 13],
			],
		});
		const before = await engine.digest();
		expect(await engine.post('/step', { record: { fields: ['nonsense'] } })).toMatchObject({
			code: 'invalid_body',
			path: 'record.fields[0]',
		});
		expect(await engine.digest()).toBe(before);
	});
});

test('a batch returns a word per variant', async () => {
	await engine.spawn({ health: 5 });
	const requests = Array.from({ length: 20 }, (_, at) => [
		{ path: '/fork', body: { fork_id: `f${at}` }, answer: [] },
		{ path: `/step?world=f${at}`, body: { ticks: 2 }, answer: ['state_digest'] },
		{ path: '/spawn', body: {}, as: `s${at}`, answer: ['id', 'entities.0'] },
		{ path: '/despawn', body: { entity_id: `$s${at}.id` }, answer: ['ok'] },
		{ path: '/despawn', body: { entity_id: 999 }, answer: ['ok'] },
	]).flat();
	const answer = await engine.must('POST', '/batch', { requests });
	const results = answer.results as { ok: boolean; body: unknown; code?: string }[];
	expect(results.slice(0, 4)).toEqual([
		{ ok: true, body: [] },
		{ ok: true, body: [expect.stringMatching(/^[0-9a-f]{16}$/)] },
		{ as: 's0', ok: true, body: [1, null] },
		{ ok: true, body: [true] },
	]);
	expect(results[4]).toMatchObject({ method: 'POST', ok: false, body: { code: 'entity_not_found' } });
	const words = JSON.stringify(results.filter(({ ok }) => ok)).length;
	expect(words / results.length).toBeLessThan(40);
});
