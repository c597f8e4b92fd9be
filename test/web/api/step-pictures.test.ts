/** A step whose pictures fail: its answer lists the finished ticks, now and in a replay. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { errorBodySchema } from '../../../shared/contract/api-documents.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { JournalMemory, MemoryJournal } from '../../../shared/transport/memory-journal.ts';
import { verifyJournal } from '../../../web/host/journal/verify.ts';
import type { ViewLink } from '../../../web/host/view-link.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { faulty } from '../../support/faulty-system.ts';

// If an entity has gold, the seventh tick fails.
faulty(({ tick }) => {
	if (tick === 6) throw new ApiError('too_many_actions', 'Too much is done.');
	return 1;
});

let memory: JournalMemory;
let engine: TestEngine;

beforeEach(async () => {
	memory = new JournalMemory();
	engine = await startEngine({
		journal: new MemoryJournal(memory),
		stateEvery: { entries: 4 },
		now: () => 0,
	});
	await engine.spawn({ position: [0, 9, 0], physics_body: 'Dynamic' });
});
afterEach(async () => {
	await engine.engine.close();
	expect((await verifyJournal(new MemoryJournal(memory))).difference).toBeNull();
});

/** Draws only at these ticks, and fails at the others. */
function drawAt(...ticks: number[]): void {
	engine.engine.setView({
		gpu: null,
		capture: async ({ world: { tick } }: Parameters<ViewLink['capture']>[0]) => {
			if (!ticks.includes(tick)) throw new ApiError('picture_failed', 'The picture failed: no device.');
			return { bytes: Uint8Array.of(137, 80, 78, 71), tick, digest: '0'.repeat(16) };
		},
	} as unknown as ViewLink);
}

const pictures = (ticks: number, ...at: number[]) => ({
	ticks,
	capture: at.map((tick) => ({ at: tick, picture: {} })),
});

describe('without a renderer', () => {
	test('a step with pictures is refused before its first tick, together with its inputs', async () => {
		const before = engine.bytes();
		const sent = { ...pictures(5, 3), inputs: [{ action: 'jump' }] };
		const { status, body } = await engine.call('POST', '/step', sent);
		expect({ status, ...body }).toMatchObject({ status: 503, ok: false, code: 'no_picture' });
		expect(body).not.toHaveProperty('ticks_advanced');
		expect(engine.bytes()).toBe(before);
		await engine.must('POST', '/fork', { fork_id: 'twin' });
		const digest = await engine.digest('twin');
		expect(await engine.post('/fork/twin/step', pictures(5, 3))).toMatchObject({ code: 'no_picture' });
		expect(await engine.digest('twin')).toBe(digest);
	});

	test('a replayed step is refused too, between calls with an effect', async () => {
		const step = { path: '/step', body: pictures(5, 3) };
		const spawn = { path: '/spawn', body: { gold: 1 } };
		const { results } = await engine.must('POST', '/batch', { requests: [spawn, step, spawn] });
		expect((results as { status: number }[]).map(({ status }) => status)).toEqual([201, 503, 201]);
		expect((await engine.get('/')).tick).toBe(0);
	});
});

describe('with a picture that fails', () => {
	test('the answer has the number of completed ticks, and the others can run later', async () => {
		drawAt(2);
		const { status, body } = await engine.call('POST', '/step', pictures(9, 4, 2));
		expect({ status, ...body }).toMatchObject({
			status: 500,
			ok: false,
			code: 'picture_failed',
			message: 'The picture failed: no device. 4 of 9 ticks were completed before that.',
			fix: expect.stringContaining('send only the rest'),
			ticks_advanced: 4,
			new_tick: 4,
			state_digest: await engine.digest(),
		});
		expect(errorBodySchema.safeParse(body).error).toBeUndefined();
		expect(await engine.post('/step', { ticks: 5 })).toMatchObject({ ok: true, new_tick: 9 });
	});

	test('a tick whose picture fails is reported with all earlier pictures', async () => {
		drawAt(2, 4);
		await engine.spawn({ gold: 1 });
		expect(await engine.post('/step', pictures(9, 2, 4))).toMatchObject({
			code: 'too_many_actions',
			message: 'Too much is done. 6 of 9 ticks were completed before that.',
			ticks_advanced: 6,
			new_tick: 6,
		});
	});

	test('before the first tick, no tick runs', async () => {
		drawAt();
		const refused = await engine.post('/step', pictures(9, 0));
		expect(refused).toMatchObject({ code: 'picture_failed', ticks_advanced: 0, new_tick: 0 });
		expect(refused.fix).not.toContain('left');
	});
});
