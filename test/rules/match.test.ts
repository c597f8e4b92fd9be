/** Rules of the match, as claims over calls: scoring, limits, countdown, lobby, winner. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { call } from '../support/play.ts';

let engine: Engine;
beforeEach(async () => {
	engine = await createEngine({ seed: 7 });
});

const post = async (path: string, body: unknown = {}) => (await call(engine, 'POST', path, body)).body;
const get = async (path: string) => (await call(engine, 'GET', path)).body;
const remove = async (path: string) => (await call(engine, 'DELETE', path)).body;
const spawn = async (document: object): Promise<number> => (await post('/spawn', document)).id;
const step = (ticks = 1) => post('/step', { ticks });

const kill = async (id: number, source?: number) => {
	await post('/entity/damage', { entity_id: id, amount: 1e6, source });
	return step();
};

describe('scoring', () => {
	test('a kill scores once, on the tick of the death', async () => {
		const killer = await spawn({ team: 1, health: 10 });
		const victim = await spawn({ team: 2, health: 10 });
		await post('/game/create', { score_limit: 5 });
		await kill(victim, killer);
		expect((await get('/game/state')).scores).toEqual([{ entity: killer, generation: 0, team: 1, score: 1 }]);
		await step(5);
		expect((await get('/game/state')).scores[0].score).toBe(1);
	});

	test('killing the own team scores nothing', async () => {
		const killer = await spawn({ team: 1, health: 10 });
		const victim = await spawn({ team: 1, health: 10, gold_bounty: 10 });
		await post('/game/create');
		await kill(victim, killer);
		expect((await get('/game/state')).scores).toEqual([]);
	});

	test('a death before the match was created does not count in it', async () => {
		const killer = await spawn({ team: 1, health: 10 });
		const victim = await spawn({ team: 2, health: 10 });
		await kill(victim, killer);
		await post('/game/create');
		await step(3);
		expect((await get('/game/state')).scores).toEqual([]);
	});

	test('the score of a team is the sum over its members, gone ones included', async () => {
		const first = await spawn({ team: 1, health: 10 });
		const second = await spawn({ team: 1, health: 10 });
		const victims = [];
		for (let i = 0; i < 3; i++) victims.push(await spawn({ team: 2, health: 10, role: 'minion' }));
		await post('/game/create');
		await kill(victims[0]!, first);
		await kill(victims[1]!, first);
		await kill(victims[2]!, second);
		await post('/despawn', { entity_id: first, entity_generation: 0 });
		const { summary } = await get('/game/summary');
		expect(summary.teams[0]).toMatchObject({ team: 1, entity_count: 1, score: 3 });
		expect(summary.total_dead).toBe(3);
		expect(summary.game_phase).toBe('playing');
	});

	test('a new entity in the slot of one that scored starts without points', async () => {
		const killer = await spawn({ team: 1, health: 10 });
		await post('/game/create');
		await kill(await spawn({ team: 2, health: 10 }), killer);
		await post('/despawn', { entity_id: killer, entity_generation: 0 });
		expect(await spawn({ team: 1, health: 10 })).toBe(killer);
		await kill(await spawn({ team: 2, health: 10 }), killer);
		const { scores } = await get('/game/state');
		expect(scores.map((row: { generation: number; score: number }) => [row.generation, row.score])).toEqual([
			[0, 1],
			[1, 1],
		]);
	});
});

describe('ending', () => {
	test('the score limit ends the match on the tick of the kill, for the killer and its team', async () => {
		const killer = await spawn({ team: 3, health: 10 });
		await post('/game/create', { score_limit: 1 });
		await kill(await spawn({ team: 2, health: 10 }), killer);
		const state = await get('/game/state');
		expect(state).toMatchObject({ phase: 'post_match', ended_at: 1 });
		expect(state.winner).toEqual({ team: 3, entity: killer, generation: 0 });
		await step(60);
		expect((await get('/game/state')).elapsed).toBe(state.elapsed);
	});

	test('a time limit of 2 s ends it after 120 ticks; nobody leads, so nobody wins', async () => {
		await post('/game/create', { time_limit: 2 });
		await step(119);
		expect((await get('/game/state')).phase).toBe('playing');
		await step();
		expect(await get('/game/state')).toMatchObject({ phase: 'post_match', elapsed: 2, winner: null });
	});

	test('POST /game/end names the winner; a second time it is refused', async () => {
		expect(await post('/game/end', { winner_team: 1 })).toMatchObject({ ok: false, code: 'no_match' });
		await post('/game/create');
		expect((await post('/game/end', { winner_team: 4 })).winner).toEqual({
			team: 4,
			entity: null,
			generation: null,
		});
		expect(await post('/game/end', {})).toMatchObject({ ok: false, code: 'match_over' });
		expect(await remove('/game/state')).toMatchObject({ ok: true });
		expect(await get('/game/state')).toMatchObject({ ok: false, code: 'no_match' });
	});
});

describe('starting', () => {
	test('a lobby waits until it is started, then counts down 60 ticks', async () => {
		await post('/game/create', { auto_start: false, countdown: 1 });
		await step(100);
		expect(await get('/game/state')).toMatchObject({ phase: 'lobby', elapsed: 0 });
		await post('/game/start');
		expect(await get('/game/state')).toMatchObject({ phase: 'countdown', countdown_remaining: 1 });
		await step(59);
		expect((await get('/game/state')).phase).toBe('countdown');
		await step();
		expect(await get('/game/state')).toMatchObject({ phase: 'playing', elapsed: 0, started_at: 160 });
		await step(30);
		expect((await get('/game/state')).elapsed).toBe(0.5);
		expect(await post('/game/start')).toMatchObject({ ok: false, code: 'match_running' });
	});

	test('a level starts its match, and the settings can be read back', async () => {
		await post('/level/load', { level: { game: { mode: 'arena', score_limit: 7, respawn_delay: 2 } } });
		expect(await get('/game/state')).toMatchObject({
			phase: 'playing',
			mode: 'arena',
			score_limit: 7,
			time_limit: 300,
			respawn_delay: 2,
		});
	});
});
