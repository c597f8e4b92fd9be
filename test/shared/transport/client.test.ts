/** The typed client sends what the routes accept, and returns what they answer. */

import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import type { ErrorCode } from '../../../shared/contract/errors.ts';
import { createFork } from '../../../shared/routes/forks.ts';
import { step } from '../../../shared/routes/simulation.ts';
import { getEntity, observe, patchComponents, spawn } from '../../../shared/routes/world.ts';
import { CallError, createClient, wireRequest } from '../../../shared/transport/client.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let testEngine: TestEngine;
beforeAll(async () => {
	testEngine = await startEngine();
});
afterAll(() => testEngine.engine.close());

describe('a wire request', () => {
	const text = (body: Uint8Array) => new TextDecoder().decode(body);

	test('has its parameters in the path, its query encoded and an object as body', () => {
		const request = wireRequest(patchComponents, { params: { id: 7 }, body: { team: 2 }, world: 'a&b=c' });
		expect(request).toMatchObject({
			method: 'POST',
			path: '/entities/7/components',
			query: 'world=a%26b%3Dc',
			headers: { accept: 'application/json', 'content-type': 'application/json' },
		});
		expect(text(request.body)).toBe('{"team":2}');
		expect(text(wireRequest(observe, { query: { viewer: undefined } }).body)).toBe('{}');
		expect(wireRequest(observe, { query: { viewer: 3 } }).query).toBe('viewer=3');
	});

	test('of a GET has no body', () => {
		const request = wireRequest(getEntity, { params: { id: 0 } });
		expect(request.body.length).toBe(0);
		expect(request.headers).toEqual({ accept: 'application/json' });
	});

	test('is refused without the parameters of its path', () => {
		expect(() => wireRequest(getEntity)).toThrow('/entities/{id} needs the parameter "id"');
	});
});

describe('a call', () => {
	test('is sent and answered, typed by its route', async () => {
		const client = createClient(testEngine.engine.handle);
		const result = await client.call(spawn, { body: { position: [1, 2, 3], role: 'HERO', tags: ['x'] } });
		expectTypeOf(result.id).toEqualTypeOf<number>();
		expect(result).toEqual({ ok: true, id: 0, generation: 0, entity_id: 0, entity_generation: 0 });
		await client.call(patchComponents, { params: { id: result.id }, body: { health: 12.5 } });
		const { new_tick } = await client.call(step, { body: { ticks: 2 } });
		expect(new_tick).toBe(2);
		const entity = await client.call(getEntity, { params: { id: 0 }, query: { generation: 0 } });
		expect(entity).toMatchObject({ health: [12.5, 12.5], role: 'Hero', transform: { position: [1, 2, 3] } });
		await client.call(createFork, { body: { fork_id: 'plan' } });
		const forkStep = await client.call(step, { body: { ticks: 5 }, world: 'plan' });
		expect([forkStep.new_tick, (await client.call(observe)).tick]).toEqual([7, 2]);
	});

	test("that is refused rejects with the answer's error, for any status", async () => {
		const client = createClient(testEngine.engine.handle);
		const refusal = await client.call(getEntity, { params: { id: 5 } }).catch((error: unknown) => error);
		expect(refusal).toBeInstanceOf(CallError);
		expect(refusal).toMatchObject({
			status: 404,
			code: 'entity_not_found',
			fix: expect.stringContaining('POST /observe'),
			body: { code: 'entity_not_found' },
		});
		const answer = await client
			.call(createFork, { body: { fork_id: 'plan' } })
			.catch((error: unknown) => error);
		expect(answer).toMatchObject({ status: 200, body: { code: 'fork_exists' } });
		const callError = answer as CallError;
		expectTypeOf(callError.code).toEqualTypeOf<ErrorCode>();
		expect(callError.message).toContain(callError.fix);
		expect(callError.fix).toContain('Choose another fork_id');
	});
});
