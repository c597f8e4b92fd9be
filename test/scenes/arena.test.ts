/** The arena ends with a winner, and its score is what its events say. */

import { expect, test } from 'vitest';
import { call } from '../support/play.ts';
import { openScene } from '../support/scenes.ts';

interface Score {
	readonly entity: number;
	readonly generation: number;
	readonly team: number | null;
	readonly score: number;
}
interface Event {
	readonly type: string;
	readonly entity: number;
	readonly points: number;
	readonly killer: number | null;
	readonly phase: string;
	readonly winner_team: number | null;
}

test('every point of the score was an event, and the match ends with the fall of an ancient', {
	timeout: 90_000,
}, async () => {
	const engine = await openScene('arena', 1);
	const get = async (path: string) => (await call(engine, 'GET', path)).body;
	const { entities } = (await call(engine, 'POST', '/observe')).body;
	const ancients = new Map<number, number>(
		entities
			.filter(({ tags }: { tags?: string[] }) => tags?.includes('ancient'))
			.map(({ id, team }: { id: number; team: number }) => [id, team]),
	);
	expect(ancients.size).toBe(2);

	let points = 0;
	let kills = 0;
	let fallen = -1;
	let winner: number | null = null;
	for (let tick = 1; tick <= 20_000 && winner === null; tick++) {
		await call(engine, 'POST', '/step', {});
		for (const event of (await get('/events')).events as Event[]) {
			if (event.type === 'ScoreEvent') points += event.points;
			if (event.type === 'DeathEvent' && event.killer !== null) kills++;
			if (event.type === 'DeathEvent' && ancients.has(event.entity)) fallen = event.entity;
			if (event.type === 'MatchEvent' && event.phase === 'post_match') winner = event.winner_team;
		}
	}
	const state = await get('/game/state');
	const total = (state.scores as Score[]).reduce((sum, { score }) => sum + score, 0);
	engine.close();
	expect(state.phase).toBe('post_match');
	expect(state.winner.team).toBe(winner);
	expect(ancients.get(fallen)).toBe(winner === 1 ? 2 : 1);
	expect(total).toBe(points);
	// One for every kill, and more for heroes, towers and the ancient.
	expect(points).toBeGreaterThan(kills);
	expect(kills).toBeGreaterThan(50);
});
