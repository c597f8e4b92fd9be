/** Probes, which advance a world and check its assertions. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { clientOf, type TestClient } from '../../support/engine.ts';

let engine: Engine;
let client: TestClient;
beforeEach(async () => {
	engine = await createEngine({ seed: 11 });
	client = clientOf(engine.handle);
});

describe('probes', () => {
	test('until stops on the tick on which the condition first holds', async () => {
		const { id } = await client.post('/spawn', {
			physics_body: 'Kinematic',
			velocity: { linear: [6, 0, 0] },
			position: [0, 0, 0],
		});
		const before = await client.digest();
		const tried = await client.post('/probe', { ticks: 600, until: 'field position.x >= 0.95', fork: true });
		expect(tried).toMatchObject({ stopped: 'until', ticks_advanced: 10 });
		expect(await client.digest()).toBe(before);
		const real = await client.post('/probe', {
			ticks: 600,
			until: { type: 'field_check', filter: `entity:${id}`, field: 'x', op: '>=', value: 0.95 },
			snapshot_before: true,
			snapshot_after: true,
		});
		expect(real.state_digest).toBe(tried.state_digest);
		expect(real.before_snapshot).toMatchObject({ label: 'probe_before', tick: 0 });
		expect(real.after_snapshot).toMatchObject({ label: 'probe_after', tick: 10 });
		expect((await client.get('/snapshot/list')).count).toBe(0);
	});

	test('until without ticks is refused, and the fix says what to send', async () => {
		await client.post('/spawn', { health: 5 });
		const probed = await client.post('/probe', { until: 'field health < 5' });
		expect(probed).toMatchObject({ ticks_advanced: 0, stopped: 'ticks' });
		expect(probed.reason).toMatch(/^No tick ran: send "ticks", the maximum number to wait;/);
	});

	test('unknown names and conditions are errors and change nothing', async () => {
		await client.post('/assert/create', { name: 'alive', condition: 'alive' });
		expect(await client.post('/probe', { ticks: 5, assertions: ['alife'] })).toMatchObject({
			code: 'unknown_assertion',
			fix: 'Did you mean "alive"?',
		});
		for (const until of ['aliv', 'phase finished', 'field healht < 3', 'count team:300', 'budget'])
			expect(await client.post('/probe', { ticks: 5, until })).toMatchObject({
				ok: false,
				code: 'invalid_assertion',
			});
		expect((await clientOf(engine.handle).call('POST', '/probe', { ticks: 10_001 })).status).toBe(422);
		expect((await client.get('/')).tick).toBe(0);
	});

	test('verdicts are stored without changing the digest, and a probe of a fork leaves main unchanged', async () => {
		await client.post('/spawn', { health: 40, team: 1 });
		await client.post('/assert/create', {
			name: 'healthy',
			condition: 'field',
			field: 'health.percent',
			value: 50,
			op: '>',
		});
		await client.post('/assert/create', { name: 'two', condition: 'count', filter: 'team:1', min: 2 });
		const before = await client.digest();
		expect(await client.post('/assert/evaluate')).toMatchObject({ total: 2, passed: 1, failed: 1 });
		expect(await client.digest()).toBe(before);
		await client.post('/fork', { fork_id: 'f' });
		expect(await client.post('/fork/f/probe', { ticks: 3, assertions: ['two'] })).toMatchObject({
			fork_id: 'f',
			end_tick: 3,
			total_assertions: 1,
			failed: 1,
			all_passed: false,
		});
		expect((await client.get('/')).tick).toBe(0);
		const { assertions } = await client.get('/assert/results');
		expect(assertions[1].last_result).toMatchObject({ passed: false, tick: 0 });
	});

	test('comparisons need no blanks, and other spellings get advice', async () => {
		await client.post('/spawn', { health: 40, team: 1 });
		for (const until of ['field health<50 team:1', 'field health<= 40', 'field x==0 team:1'])
			expect(await client.post('/probe', { ticks: 5, until }), until).toMatchObject({
				stopped: 'until',
				ticks_advanced: 0,
			});
		for (const [until, fix] of [
			['health < 50', 'Write "field health < 50": the word field, a field, a comparison, a number.'],
			['count team:1 >= 3', 'Give the bounds as min=N and max=N.'],
			['count team:1 role:hero', 'Give one filter, its parts joined with +, as in team:2+role:hero.'],
		])
			expect(await client.post('/probe', { ticks: 5, until }), until).toMatchObject({ ok: false, fix });
	});

	test('a condition with a repeated or unknown part is refused', async () => {
		await client.post('/spawn', { team: 1 });
		for (const until of [
			'count team:1 team:2',
			'count min=1 min=2',
			'count min=1.5',
			'count min=3 max=2',
			'budget 3 max=4',
			'phase playing lobby',
			'alive max=3',
			'spawns team:1',
			'field health < 3 > 2',
			{ condition: 'alive', min: 3 },
			{ type: 'entity_count', filter: { type: 'any' }, min: 3, max: 2 },
		]) {
			const answer = await client.post('/probe', { ticks: 5, until });
			expect(answer, JSON.stringify(until)).toMatchObject({ ok: false, code: 'invalid_assertion' });
		}
		expect((await client.get('/')).tick).toBe(0);
		expect(await client.post('/probe', { ticks: 5, until: 'b' })).toMatchObject({ path: 'until' });
		expect(await client.post('/probe', { ticks: 5, until: 'phase plaing' })).toMatchObject({
			fix: 'Did you mean "playing"?',
		});
		expect(await client.post('/probe', { ticks: 5, until: 'overlap 0.5 team:1' })).toMatchObject({
			stopped: 'until',
			ticks_advanced: 0,
		});
	});
});
