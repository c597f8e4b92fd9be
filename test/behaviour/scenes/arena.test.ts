/** The arena ends with a winner, and its score is what its events say. */

import { expect, test } from 'vitest';
import { clientOf } from '../../support/engine.ts';
import { openScene } from '../../support/scenes.ts';

interface Score {
	readonly entity: number;
	readonly generation: number;
	readonly team: number | null;
	readonly score: number;
}
interface Event {
	readonly type: string;
	readonly tick: number;
	readonly entity: number;
	readonly entity_generation: number;
	readonly points: number;
	readonly team: number | null;
	readonly victim: number | null;
	readonly victim_generation?: number;
	readonly killer: number | null;
	readonly phase: string;
	readonly winner_team: number | null;
}

test('every point of the score was an event, and the match ends with the fall of an ancient', async () => {
	const engine = await openScene('arena', 1);
	const get = async (path: string) => (await clientOf(engine.handle).call('GET', path)).body;
	const { entities } = (await clientOf(engine.handle).call('POST', '/observe')).body;
	const ancients = new Map<number, number>(
		entities
			.filter(({ tags }: { tags?: string[] }) => tags?.includes('ancient'))
			.map(({ id, team }: { id: number; team: number }) => [id, team]),
	);
	expect(ancients.size).toBe(2);

	const points = new Map<number | null, number>();
	const victims = new Set<string>();
	const killed = new Set<string>();
	let fallen = -1;
	let winner: number | null = null;
	for (let steps = 0; steps < 40 && winner === null; steps++) {
		const wanted = { ticks: 500, events: ['death', 'ScoreEvent', 'match'] };
		const { events, event_count } = (await clientOf(engine.handle).call('POST', '/step', wanted)).body;
		expect(events).toHaveLength(event_count);
		for (const event of events as Event[]) {
			if (event.type === 'ScoreEvent') {
				points.set(event.team, (points.get(event.team) ?? 0) + event.points);
				if (event.victim !== null) victims.add(`${event.victim}:${event.victim_generation} at ${event.tick}`);
			}
			if (event.type === 'DeathEvent' && event.killer !== null)
				killed.add(`${event.entity}:${event.entity_generation} at ${event.tick}`);
			if (event.type === 'DeathEvent' && ancients.has(event.entity)) fallen = event.entity;
			if (event.type === 'MatchEvent' && event.phase === 'post_match') winner = event.winner_team;
		}
	}
	const state = await get('/game/state');
	engine.close();
	expect(state.phase).toBe('post_match');
	expect(state.winner.team).toBe(winner);
	expect(ancients.get(fallen)).toBe(winner === 1 ? 2 : 1);
	const scored = new Map<number | null, number>();
	for (const { team, score } of state.scores as Score[]) scored.set(team, (scored.get(team) ?? 0) + score);
	expect([...points].sort()).toEqual([...scored].sort());
	// One for every kill, and more for heroes, towers and the ancient.
	expect(victims).toEqual(killed);
	expect(killed.size).toBeGreaterThan(50);
	expect([...points.values()].reduce((sum, team) => sum + team, 0)).toBeGreaterThan(killed.size);
});
