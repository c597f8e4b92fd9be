/**
 * Names of any length and of any kind: messages show a short form of them, and no name reaches a property that every
 * object has.
 */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nearest, suggestion } from '../../../shared/contract/nearest.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

const comparison = vi.hoisted(() => ({ characters: 0 }));
vi.mock('fastest-levenshtein', async (original) => {
	const { distance } = await original<typeof import('fastest-levenshtein')>();
	return {
		distance: (a: string, b: string) => {
			comparison.characters += a.length * b.length;
			return distance(a, b);
		},
	};
});

let testEngine: TestEngine;
beforeEach(async () => {
	testEngine = await startEngine();
	comparison.characters = 0;
});
afterEach(() => testEngine.engine.close());

const long = 'x'.repeat(2_000_000);

describe('a long name', () => {
	test('is not compared with others, and a refusal repeats only its beginning', async () => {
		const { status, body } = await testEngine.call('POST', '/scenario', { entities: [{ [long]: 1 }] });
		expect(status).toBe(422);
		expect(body.message).toMatch(/^entities\[0\] has an unknown key "x+\.\.\."\.$/);
		expect(JSON.stringify(body).length).toBeLessThan(3000);
		const spawnReply = await testEngine.call('POST', '/spawn', { [long.slice(0, 1_000_000)]: 1 });
		expect(spawnReply.status).toBe(422);
		expect(JSON.stringify(spawnReply.body).length).toBeLessThan(3000);
		expect(comparison.characters).toBeLessThan(1e6);
	});

	test('is not suggested either', () => {
		expect(nearest('posi', [`posi${long}`, 'position'])).toBe('position');
		expect(nearest(long, [long.slice(1)])).toBeUndefined();
		expect(suggestion(long, [long.slice(1)])!.length).toBeLessThan(100);
	});

	test('of usual length is compared as before', () => {
		expect(nearest('positon', ['rotation', 'position'])).toBe('position');
	});
});

describe('a name that every JavaScript object has', () => {
	const NAMES = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];

	test.each(NAMES)('%s as a key of a body is an unknown key', async (name) => {
		const { status, body } = await testEngine.call('POST', '/spawn', { [name]: 1 });
		expect(status).toBe(422);
		expect(body.fix).toMatch(/^Known keys: .*mesh/);
		const nestedReply = await testEngine.call('POST', '/tuning', { physics: { [name]: 1 } });
		expect(nestedReply.body.fix).toMatch(/^Known keys: gravity/);
	});

	test.each(NAMES)('%s as a property of an item is summed like any other', async (name) => {
		await testEngine.must('POST', '/item/define', { id: 1, name: 'hat', properties: { [name]: 5, cost: 1 } });
		await testEngine.must('POST', '/item/define', { id: 2, name: 'ring', properties: { [name]: 2 } });
		await testEngine.must('POST', '/spawn', {
			health: 10,
			inventory: [{ item_id: 1 }, { item_id: 2 }],
			equipment: { head: 1, hand: 2 },
		});
		const items = await testEngine.must('GET', '/item/list/0');
		expect(items).toMatchObject({ stat_modifiers: { [name]: 7 } });
		await testEngine.must('POST', '/step', {});
		expect(await testEngine.must('GET', '/entities/0')).toMatchObject({ stats: { [name]: 7 } });
	});

	test.each([...NAMES, '__proto__'])('%s is not a condition of an assertion', async (name) => {
		const { body } = await testEngine.call('POST', '/assert/create', { name: 'a', condition: name });
		expect(body).toMatchObject({ ok: false, code: 'invalid_assertion' });
		await testEngine.must('GET', '/scenario');
	});

	test.each(NAMES)('%s is a name like any other word', async (name) => {
		await testEngine.must('POST', '/template/create', { name, mesh: 'cube' });
		await testEngine.must('POST', '/template/spawn', { name });
		await testEngine.must('POST', '/prefab/register', { name, mesh: 'cube' });
		await testEngine.must('POST', '/hero/define', { name });
		await testEngine.must('POST', '/fork', { fork_id: name });
		await testEngine.must('POST', `/step?world=${name}`, {});
		await testEngine.must('POST', '/tag', { entity_id: 0, add: [name] });
		const scenario = await testEngine.must('GET', '/scenario?exact=true');
		const { state_digest } = await testEngine.must('GET', '/digest');
		await testEngine.must('POST', `/scenario?world=${name}`, scenario);
		expect(await testEngine.must('GET', `/digest?world=${name}`)).toMatchObject({ state_digest });
	});

	test.each(NAMES)('a rule about data.%s of a signal compares the value of the signal', async (name) => {
		await testEngine.must('POST', '/spawn', { health: 10 });
		await testEngine.must('POST', '/rule/create', {
			when: { kind: 'event', event: 'signal', where: [{ field: `data.${name}`, op: 'not_equal', value: 1 }] },
			do: [
				{ action: 'score', target: { entity: 0 }, points: 1 },
				{ action: 'emit', name: 'heard' },
			],
		});
		const sendSignal = async (data: unknown) => {
			await testEngine.must('POST', '/events', { type: 'SignalEvent', name: 'x', data });
			return testEngine.must('POST', '/step', { events: ['signal'] });
		};
		// A signal that fires the rule is followed by the signal that the rule emits.
		expect(await sendSignal({ [name]: 1 })).toMatchObject({ event_count: 1 });
		expect(await sendSignal({ [name]: 2 })).toMatchObject({ event_count: 2 });
	});

	test('__proto__ as a key is refused, and never ignored silently', async () => {
		const bytes = new TextEncoder().encode('{"id":1,"name":"hat","properties":{"__proto__":5,"cost":1}}');
		const { status, body } = await testEngine.call('POST', '/item/define', bytes, {
			'content-type': 'application/json',
		});
		expect(status).toBe(422);
		expect(body).toMatchObject({ ok: false, message: expect.stringContaining('__proto__') });
		for (const path of ['/template/create', '/prefab/register']) {
			const reply = await testEngine.call('POST', path, { name: '__proto__', mesh: 'cube' });
			expect(reply.body).toMatchObject({ ok: false, code: 'invalid_body' });
		}
	});
});

describe('a condition in short form', () => {
	test.each([
		['brackets', `${'('.repeat(1990)}death`],
		['exclamation marks', `${'!'.repeat(1990)}death`],
		['both', `${'!('.repeat(990)}death`],
	])('of too many %s is refused with a clear error', async (_, when) => {
		const { body } = await testEngine.call('POST', '/rule/create', { when, do: ['text hi'] });
		expect(body).toMatchObject({
			ok: false,
			code: 'invalid_rule',
			message: expect.stringContaining('at most 50'),
		});
	});

	test('of the allowed length is read', async () => {
		await testEngine.must('POST', '/rule/create', {
			when: `${'('.repeat(50)}death${')'.repeat(50)} & (${'('.repeat(40)}!tick:2${')'.repeat(40)})`,
			do: ['text hi'],
		});
	});
});
