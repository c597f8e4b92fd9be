/** Handlers of the match. */

import { Team } from '../../shared/components/team.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/match.ts';
import { lastVerdicts } from '../sim/assertions/assertion.ts';
import { TICKS_PER_SECOND } from '../sim/core/clock.ts';
import { count } from '../sim/core/world.ts';
import * as match from '../sim/match/match.ts';
import { causeOf, causeOfEnd } from '../sim/match/match-cause.ts';
import { summarize } from '../sim/summary/summarize.ts';
import { handler } from './handler.ts';

const winnerView = (winner: match.Winner) =>
	winner === null
		? null
		: {
				team: winner.team,
				entity: winner.entity?.id ?? null,
				generation: winner.entity?.generation ?? null,
			};

export const handlers = [
	handler(routes.getGame, ({ world }) => {
		const state = match.requireMatch(world);
		const { starts_at, phase } = state;
		return {
			phase,
			mode: state.mode,
			elapsed: match.elapsedSeconds(world, state),
			scores: match.rankingOf(state).map(({ entity, team, points }) => ({
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
			winner: winnerView(state.winner),
			winner_team: state.winner?.team ?? null,
			ended_by: causeOfEnd(world),
		};
	}),

	handler(routes.getSummary, ({ world }) => {
		const summary = summarize(world);
		return {
			summary: { ...summary, teams: [...summary.teams] },
			assertions: lastVerdicts(world),
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
		if (!match.endMatch(world, causeOf('call'), body.winner_team ?? undefined))
			throw new ApiError('match_over', 'The match is already over.');
		const { winner } = match.requireMatch(world);
		const winnerName =
			winner === null ? 'none' : winner.team === null ? `entity ${winner.entity?.id}` : `team ${winner.team}`;
		return {
			message: `The match is over. The winner is ${winnerName}.`,
			winner: winnerView(winner),
			winner_team: winner?.team ?? null,
		};
	}),

	handler(routes.removeGame, ({ world }) => {
		match.requireMatch(world);
		match.removeMatch(world);
		return { message: 'The match was removed.' };
	}),
];
