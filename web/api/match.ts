/** Handlers of the match. */

import { Dead } from '../../shared/components/dead.ts';
import { Role } from '../../shared/components/role.ts';
import { Team } from '../../shared/components/team.ts';
import { Fault } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/match.ts';
import { assertions } from '../sim/assertions/assertion.ts';
import { TICKS_PER_SECOND } from '../sim/core/clock.ts';
import { eachEntity } from '../sim/core/entities.ts';
import { count, get, has, type World } from '../sim/core/world.ts';
import * as match from '../sim/match/match.ts';
import { handler } from './handler.ts';

const showWinner = (winner: match.Winner) =>
	winner === null
		? null
		: {
				team: winner.team,
				entity: winner.entity?.id ?? null,
				generation: winner.entity?.generation ?? null,
			};

interface Tally {
	entity_count: number;
	heroes_alive: number;
	towers_alive: number;
	score: number;
}

function summarise(world: World) {
	const teams = new Map<number, Tally>();
	const of = (team: number): Tally => {
		const tally = teams.get(team) ?? { entity_count: 0, heroes_alive: 0, towers_alive: 0, score: 0 };
		teams.set(team, tally);
		return tally;
	};
	const roles: Record<string, number> = {};
	eachEntity(world, (slot) => {
		const role = get(world, slot, Role)?.role;
		if (role !== undefined) roles[role] = (roles[role] ?? 0) + 1;
		const team = get(world, slot, Team)?.team;
		if (team === undefined) return;
		const tally = of(team);
		tally.entity_count++;
		if (has(world, slot, Dead)) return;
		if (role === 'Hero') tally.heroes_alive++;
		if (role === 'Tower') tally.towers_alive++;
	});
	for (const { team, points } of match.matchState(world)?.scores ?? [])
		if (team !== null) of(team).score += points;
	return { teams: [...teams].sort(([a], [b]) => a - b).map(([team, tally]) => ({ team, ...tally })), roles };
}

export const handlers = [
	handler(routes.getGame, ({ world }) => {
		const state = match.requireMatch(world);
		const { starts_at, phase } = state;
		return {
			phase,
			mode: state.mode,
			elapsed: match.elapsed(world, state),
			scores: match.ranking(state).map(({ entity, team, points }) => ({
				entity: entity.id,
				generation: entity.generation,
				team,
				score: points,
			})),
			score_limit: state.score_limit,
			time_limit: state.time_limit,
			respawn_delay: state.respawn_delay,
			auto_start: state.auto_start,
			countdown: state.countdown,
			countdown_remaining: phase === 'countdown' ? (starts_at! - world.tick) / TICKS_PER_SECOND : 0,
			started_at: starts_at,
			ended_at: state.ended_at,
			winner: showWinner(state.winner),
		};
	}),

	handler(routes.getSummary, ({ world }) => {
		const state = match.matchState(world);
		const { teams, roles } = summarise(world);
		return {
			summary: {
				teams,
				entity_counts_by_role: roles,
				game_phase: state?.phase ?? 'none',
				match_time: state === null ? 0 : match.elapsed(world, state),
				total_dead: count(world, Dead),
			},
			assertions: assertions(world).flatMap(({ name, last }) =>
				last === null ? [] : [{ name, passed: last.passed, message: last.message }],
			),
			entity_count: count(world, Team),
		};
	}),

	handler(routes.createGame, ({ world }, { body }) => {
		const { phase } = match.startMatch(world, body);
		const limit = body.score_limit > 0 ? `${body.score_limit} points win` : 'no score limit';
		return { message: `${body.mode}: ${limit}, in the phase ${phase}.`, phase };
	}),

	handler(routes.startGame, ({ world }) => {
		const { phase, starts_at } = match.startLobby(world);
		return { message: `Play begins on tick ${starts_at}.`, phase };
	}),

	handler(routes.endGame, ({ world }, { body }) => {
		match.requireMatch(world);
		if (!match.endMatch(world, body.winner_team ?? undefined))
			throw new Fault('match_over', 'The match is over already.');
		const { winner } = match.requireMatch(world);
		const who =
			winner === null
				? 'nobody'
				: winner.team === null
					? `entity ${winner.entity?.id}`
					: `team ${winner.team}`;
		return { message: `The match is over; ${who} has won.`, winner: showWinner(winner) };
	}),

	handler(routes.removeGame, ({ world }) => {
		match.requireMatch(world);
		match.removeMatch(world);
		return { message: 'There is no match any more.' };
	}),
];
