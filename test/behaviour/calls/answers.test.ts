/**
 * Answers that must not mislead: the kept parts of a reset, respawning entities, refused actions, repeated labels, and
 * names of entities.
 */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { call, post, get, spawn, step, kill, entity } = playing();

describe('reset', () => {
	const battle = [
		['/game/create', { mode: 'duel', score_limit: 3 }],
		['/spawn', { position: [0, 0, 0], team: 1, health: 60, combat: true, crit: { chance: '1/3' } }],
		['/spawn', { position: [2, 0, 0], team: 2, health: 60, combat: true, crit: { chance: '1/3' } }],
	] as const;
	const fight = async () => {
		for (const [path, body] of battle) await post(path, body);
		return (await post('/step', { ticks: 400 })).state_digest;
	};

	test('reports what it keeps', async () => {
		expect((await post('/reset')).kept).toEqual([]);
		await fight();
		await post('/tuning', { respawn: { delay: 9 } });
		await post('/item/define', { id: 1, name: 'Sword', properties: {} });
		expect((await post('/reset')).kept).toEqual(
			expect.arrayContaining(['tick', 'slots', 'match', 'tuning', 'items']),
		);
		expect((await get('/game/state')).mode).toBe('duel');
	});

	test('a fresh reset makes a new world: the same calls give the same digests, whatever came before', async () => {
		await post('/reset', { fresh: true, seed: 0 });
		const first = await fight();
		await post('/tuning', { respawn: { delay: 9 } });
		await post('/camera', { eye: [9, 9, 9], target: [0, 0, 0] });
		await post('/rule/create', { when: 'tick:1', actions: ['emit tock'] });
		await step(7);
		const fresh = await post('/reset', { fresh: true, seed: 0 });
		expect(fresh).toMatchObject({ kept: [], tick: 0, seed: 0 });
		expect((await call('GET', '/game/state')).body.code).toBe('no_match');
		expect(await fight()).toBe(first);
	});

	test('keeps the seed unless one is sent, and takes none without fresh', async () => {
		await post('/reset', { fresh: true, seed: 42 });
		expect((await post('/reset', { fresh: true })).seed).toBe(42);
		expect(await post('/reset', { seed: 1 })).toMatchObject({ ok: false, code: 'seed_needs_fresh' });
		expect((await get('/')).seed).toBe(42);
	});
});

describe('respawning', () => {
	test('a fighter without a match and a spawn point comes back with its feet on the ground', async () => {
		const id = await spawn({ position: [4, 0.5, 0], health: 50, team: 1, combat: true });
		await kill(id);
		await step(302);
		const back = await entity(id);
		expect(back.dead).toBeUndefined();
		expect(back.local_transform.position[1]).toBe(0.5);
	});

	test('respawns: false keeps an entity dead, true returns any role, and a document has both', async () => {
		const fallen = await spawn({ health: 50, team: 1, combat: true, respawns: false });
		const minion = await spawn({ health: 50, team: 1, role: 'minion', respawns: true });
		const alone = await spawn({ health: 50, respawns: true });
		for (const id of [fallen, minion, alone]) await kill(id);
		await step(302);
		expect(await entity(fallen)).toMatchObject({ dead: true, respawns: false });
		for (const id of [minion, alone]) expect((await entity(id)).dead).toBeUndefined();
		const { entities } = await get('/scenario?exact=false');
		expect(entities.map(({ respawns }: { respawns?: boolean }) => respawns)).toEqual([false, true, true]);
		await post(`/entities/${fallen}/components`, { respawns: true, health: 50 });
		await kill(fallen);
		await step(302);
		expect((await entity(fallen)).dead).toBeUndefined();
	});
});

describe('refused actions', () => {
	test('on_failure: stop skips the actions after a refused buy, and continue runs them', async () => {
		await post('/item/define', { id: 1, name: 'Sword', properties: { cost: 50 } });
		const poor = await spawn({ gold: 10, inventory: [] });
		const rich = await spawn({ gold: 60, inventory: [] });
		for (const id of [poor, rich]) {
			const actions = [`buy entity:${id} 1`, `emit sold-${id}`];
			await post('/rule/create', { when: 'tick:1', once: true, actions, on_failure: 'stop' });
		}
		const { body } = await call('POST', '/rule/create', {
			when: 'tick:1',
			once: true,
			actions: [`buy entity:${poor} 1`, 'emit anyway'],
		});
		expect(body.ok).toBe(true);
		const { events } = await post('/step', { ticks: 1, events: ['signal'] });
		expect(events.map(({ name }: { name: string }) => name)).toEqual([`sold-${rich}`, 'anyway']);
		const { rules } = await get('/scenario?exact=false');
		expect(rules.map(({ on_failure }: { on_failure?: string }) => on_failure)).toEqual([
			'stop',
			'stop',
			undefined,
		]);
	});

	test('a second endgame is refused because the match has ended', async () => {
		const lonely = await post('/rule/create', { when: 'tick:9', actions: ['endgame 1'] });
		expect(lonely.warnings).toEqual([expect.stringContaining('there is currently no match')]);
		await post('/game/create', {});
		const created = await post('/rule/create', {
			when: 'tick:1',
			once: true,
			actions: ['endgame 1', 'endgame 2'],
		});
		expect(created.warnings ?? []).toEqual([]);
		const { events } = await post('/step', { ticks: 1, events: ['action_failed', 'match'] });
		expect(events.slice(1)).toEqual([
			expect.objectContaining({ type: 'MatchEvent', phase: 'post_match', winner_team: 1 }),
			{ type: 'ActionFailedEvent', tick: 0, entity: null, action: 'endgame', reason: 'match_over' },
		]);
		const late = await post('/rule/create', { when: 'tick:1', actions: ['endgame 2'] });
		expect(late.warnings).toEqual([expect.stringContaining('the match is already over')]);
	});

	test('an atomic batch is refused with 409, and a batch that continues reports failures at its top', async () => {
		const requests = [
			{ path: '/spawn', body: { team: 1 } },
			{ path: '/despawn', body: { entity_id: 77 } },
			{ path: '/spawn', body: { team: 2 } },
		];
		const whole = await call('POST', '/batch', { requests, atomic: true });
		expect(whole.status).toBe(409);
		expect(whole.body).toMatchObject({
			ok: false,
			code: 'batch_failed',
			rolled_back: true,
			failed_at: 1,
			failed_request: { method: 'POST', path: '/despawn', code: 'entity_not_found' },
		});
		expect((await get('/')).entity_count).toBe(0);
		const continued = await call('POST', '/batch', { requests });
		expect(continued.body).toMatchObject({
			ok: true,
			all_ok: false,
			failed: 1,
			succeeded: 2,
			committed: true,
		});
		expect(continued.body.warnings).toEqual([expect.stringContaining('requests[1] (POST /despawn)')]);
		const refused = await call('POST', '/batch', { requests: [requests[1], { path: '/stepp' }] });
		expect(Object.keys(refused.body).slice(0, 3)).toEqual(['ok', 'all_ok', 'warnings']);
		expect(refused.body).toMatchObject({ all_ok: false, failed: 2, succeeded: 0 });
		expect(refused.body.warnings).toEqual([
			expect.stringMatching(/^2 of 2 requests were refused\. The first:/),
		]);
		const long = await call('POST', '/batch', { requests: [{ path: `/${'a'.repeat(3999)}` }] });
		expect(long.body.warnings[0].length).toBeLessThanOrEqual(3000);
		const fine = await call('POST', '/batch', { requests: requests.slice(0, 1) });
		expect(fine.body).toMatchObject({ all_ok: true });
		expect(fine.body).not.toHaveProperty('warnings');
	});

	test('the winning team has one form: in the state, in the answer and in the event', async () => {
		await post('/game/create', {});
		expect((await get('/game/state')).winner_team).toBeNull();
		expect((await post('/game/end', { winner_team: 2 })).winner_team).toBe(2);
		expect(await get('/game/state')).toMatchObject({ winner_team: 2, winner: { team: 2 } });
		const { events } = await get('/events');
		expect(events.at(-1)).toMatchObject({ type: 'MatchEvent', winner_team: 2 });
	});

	test('a feature with a failed assertion is not complete', async () => {
		await post('/assert/create', { name: 'two', condition: 'count any min=2' });
		await post('/manifest', {
			name: 'game',
			genre: 'test',
			description: '',
			features: [{ name: 'pair', description: '', status: 'complete', assertions: ['two'] }],
		});
		const feature = async () => (await get('/manifest')).manifest.features[0];
		expect(await feature()).toMatchObject({ status: 'complete', failing: [] });
		await post('/probe', { ticks: 1 });
		expect(await feature()).toMatchObject({
			status: 'in_progress',
			declared_status: 'complete',
			failing: ['two'],
		});
	});
});

test('a label means the newest of its snapshots, in a comparison and in a restore', async () => {
	await post('/snapshot', { label: 'a' });
	await spawn({});
	await post('/snapshot', { label: 'a' });
	await spawn({});
	await post('/snapshot', { label: 'b' });
	expect(await get('/snapshot/diff?from=a&to=b')).toMatchObject({ from_entities: 1, to_entities: 2 });
	await post('/snapshot/a/restore');
	expect((await get('/')).entity_count).toBe(1);
});

test('every route names an entity by entity_id and entity_generation', async () => {
	const id = await spawn({ health: 50, gold: 5, team: 1 });
	for (const [path, more] of [
		['/entity/damage', { amount: 1 }],
		['/entity/heal', { amount: 1 }],
		['/tag', { add: ['a'] }],
		['/camera/focus', {}],
		['/despawn', {}],
	] as const) {
		for (const name of ['entity_generation', 'generation']) {
			const stale = await call('POST', path, { entity_id: id, [name]: 3, ...more });
			expect(stale.body.code, `${path} ${name}`).toBe('stale_handle');
		}
		const two = { entity_id: id, entity_generation: 0, generation: 3, ...more };
		expect((await call('POST', path, two)).body.code).toBe('stale_handle');
		const { body } = await call('POST', path, { entity_id: id, entity_generation: 0, ...more });
		expect(body.ok, path).toBe(true);
	}
});
