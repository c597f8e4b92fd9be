/** Rules of the match: scoring, limits, countdown, lobby, winner. */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { post, get, remove, rule, spawn, step, gold } = playing();

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

	test('a kill in the own team counts and pays as any kill, unless tuning changes it', async () => {
		const killer = await spawn({ team: 1, health: 10, gold: 0 });
		const own = () => spawn({ team: 1, health: 10, gold_bounty: 10 });
		await post('/game/create');
		await kill(await own(), killer);
		await step();
		const once = { entity: killer, generation: 0, team: 1, score: 1 };
		expect((await get('/game/state')).scores).toEqual([once]);
		expect((await get(`/entities/${killer}`)).gold).toBe(10);
		await post('/tuning', { kills: { team_score: 0, team_rewards: false } });
		await kill(await own(), killer);
		await step();
		expect((await get('/game/state')).scores).toEqual([once]);
		expect((await get(`/entities/${killer}`)).gold).toBe(10);
	});

	test('a death before the match does not count', async () => {
		const killer = await spawn({ team: 1, health: 10 });
		const victim = await spawn({ team: 2, health: 10 });
		await kill(victim, killer);
		await post('/game/create');
		await step(3);
		expect((await get('/game/state')).scores).toEqual([]);
	});

	test('the score of a team is the sum over its members, removed ones included', async () => {
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

	test('a new entity in the slot of a scorer starts without points', async () => {
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

describe('scores', () => {
	const spawnOpponents = async () =>
		[await spawn({ team: 1, health: 10 }), await spawn({ team: 2, health: 10 })] as const;

	test('count in every phase, also after the end', async () => {
		const [killer, victim] = await spawnOpponents();
		await post('/game/create', { auto_start: false, respawn_delay: 0 });
		const score = async () => (await get('/game/state')).scores[0]?.score;
		await kill(victim, killer);
		expect([await score(), (await get('/game/state')).phase]).toEqual([1, 'lobby']);
		await post('/game/start');
		await kill(victim, killer);
		expect(await score()).toBe(2);
		await post('/game/end', {});
		await kill(victim, killer);
		expect([await score(), (await get('/game/state')).phase]).toEqual([3, 'post_match']);
	});

	test('go to killers without a team, but not to suicides and not to a missing killer', async () => {
		const [a, b] = await spawnOpponents();
		const loner = await spawn({ health: 10 });
		await post('/game/create', {});
		await kill(a, loner);
		await kill(b, b);
		const lone = await spawn({ health: 10 });
		await kill(lone, lone);
		await kill(loner);
		expect((await get('/game/state')).scores).toMatchObject([{ entity: loner, team: null, score: 1 }]);
	});

	test('two kills reach a limit of 2, one does not; highest first', async () => {
		const [killer, victim] = await spawnOpponents();
		const other = await spawn({ team: 3, health: 10, role: 'minion' });
		await post('/game/create', { score_limit: 2, respawn_delay: 0 });
		await kill(other, victim);
		await kill(victim, killer);
		expect((await get('/game/state')).phase).toBe('playing');
		await kill(victim, killer);
		const state = await get('/game/state');
		expect(state.phase).toBe('post_match');
		expect(state.scores.map((row: { entity: number; score: number }) => [row.entity, row.score])).toEqual([
			[killer, 2],
			[victim, 1],
		]);
	});

	test('limits of 0 or less are no limits', async () => {
		const [killer, victim] = await spawnOpponents();
		await post('/game/create', { score_limit: 0, time_limit: 0, respawn_delay: 0 });
		for (let i = 0; i < 5; i++) await kill(victim, killer);
		await step(1000);
		expect((await get('/game/state')).phase).toBe('playing');
	});

	test('a new match replaces the old one without its scores', async () => {
		const [killer, victim] = await spawnOpponents();
		await post('/game/create', { mode: 'first' });
		await kill(victim, killer);
		await post('/game/create', { mode: 'second' });
		expect(await get('/game/state')).toMatchObject({
			mode: 'second',
			scores: [],
			elapsed: 0,
			score_limit: 10,
			time_limit: 300,
			respawn_delay: 3,
			winner: null,
		});
	});
});

describe('the leader', () => {
	test.each([
		['one', [1], { team: 1 }],
		['of two teams that are equal', [1, 2], null],
		['several of one team', [1, 1], { team: 1, entity: null }],
	])('%s', async (_, teams, winner) => {
		await post('/game/create', { time_limit: 1 });
		const victim = await spawn({ team: 9, health: 10, role: 'hero' });
		await post('/game/create', { time_limit: 1, respawn_delay: 0 });
		for (const team of teams) await kill(victim, await spawn({ team, health: 10 }));
		await step(60);
		const state = await get('/game/state');
		expect(state.phase).toBe('post_match');
		if (winner === null) expect(state.winner).toBeNull();
		else expect(state.winner).toMatchObject(winner);
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

	test('a time limit of 2 s ends it after 120 ticks, and without a leader no team wins', async () => {
		await post('/game/create', { time_limit: 2 });
		await step(119);
		expect((await get('/game/state')).phase).toBe('playing');
		await step();
		expect(await get('/game/state')).toMatchObject({ phase: 'post_match', elapsed: 2, winner: null });
	});

	test('POST /game/end names the winner, and a second call is refused', async () => {
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
	test('a lobby waits until a start, then counts down 60 ticks', async () => {
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

	test('a level starts its match, and the settings are in answers', async () => {
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

test('a limit reached before play ends the match after one tick of play, which rules see', async () => {
	const purse = await spawn({ gold: 0 });
	await rule({
		when: 'phase:playing',
		actions: [{ action: 'add_field', target: { entity: purse }, field: 'gold', value: 1 }],
	});
	const [victim, killer] = [await spawn({ team: 1, health: 1 }), await spawn({ team: 2, health: 1 })];
	await post('/game/create', { countdown: 1, score_limit: 1 });
	await kill(victim, killer);
	await step(59);
	expect((await get('/game/state')).phase).toBe('playing');
	await step();
	expect(await get('/game/state')).toMatchObject({ phase: 'post_match', winner: { team: 2 } });
	expect(await gold(purse)).toBe(1);
});

describe('cause of the end', () => {
	const endedBy = async (fork = '') => (await get(`/game/state${fork}`)).ended_by;

	test('a limit, a call, or the rule with its words; forks and snapshots keep it, a new match does not', async () => {
		const hero = await spawn({ team: 1, health: 10 });
		const limit = { rule: null, text: null };
		await post('/game/create', { time_limit: 0.05 });
		expect(await endedBy()).toBeNull();
		await step(5);
		expect(await endedBy()).toEqual({ kind: 'time_limit', ...limit });
		await post('/game/create', { score_limit: 1 });
		expect(await endedBy()).toBeNull();
		await kill(await spawn({ team: 2, health: 10 }), hero);
		expect(await endedBy()).toEqual({ kind: 'score_limit', ...limit });
		await post('/game/create');
		await post('/game/end', {});
		expect(await endedBy()).toEqual({ kind: 'call', ...limit });
		await post('/game/create');
		await rule({
			name: 'the gate falls',
			when: 'death',
			filter: 'team:3',
			do: [
				{ action: 'show_text', text: '{tick}', y: 0.1 },
				{ action: 'endgame', winner_team: 2 },
				{ action: 'show_text', text: 'The gate has fallen', lifetime: 3 },
			],
		});
		await post('/entity/damage', { entity_id: await spawn({ team: 3, health: 10 }), amount: 1e6 });
		await post('/fork', { fork_id: 'ended' });
		await step(2);
		await post('/snapshot', { label: 'over' });
		const byRule = { kind: 'rule', rule: 'the gate falls', text: 'The gate has fallen' };
		expect(await endedBy()).toEqual(byRule);
		expect(await endedBy('?world=ended')).toBeNull();
		await post('/fork/ended/step', { ticks: 2 });
		expect(await endedBy('?world=ended')).toEqual(byRule);
		await post('/game/create');
		expect(await endedBy()).toBeNull();
		await post('/snapshot/over/restore', {});
		expect(await endedBy()).toEqual(byRule);
	});
});
