/**
 * The match: its phase, limits, clock, scores and winner.
 * Owns: the start of a match, its scores, and its end. Points in time are ticks; durations are seconds.
 */

import * as z from 'zod';
import { Team } from '../../../shared/components/team.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { handle } from '../../../shared/contract/handle.ts';
import { type MatchCause, PHASES } from '../../../shared/documents/match.ts';
import { MatchPhase } from '../../../shared/events/match-phase.ts';
import { Scored } from '../../../shared/events/score.ts';
import { TICKS_PER_SECOND, toTicks } from '../core/clock.ts';
import { comingTick } from '../core/coming-tick.ts';
import { slotOf } from '../core/entities.ts';
import { emit } from '../core/events.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import { has, read, type World } from '../core/world.ts';
import { clearCause, setCause } from './match-cause.ts';

const matchSchema = z.strictObject({
	phase: z.enum(PHASES),
	mode: z.string(),
	/** Points of one entity that end the match; 0 or less: none. */
	score_limit: z.int(),
	/** Seconds of play; 0 or less: none. */
	time_limit: z.number(),
	/** Seconds until the dead return. */
	respawn_delay: z.number(),
	auto_start: z.boolean(),
	/** Seconds between the start and the first tick of play. */
	countdown: z.number(),
	/** First tick of play, once it is known. */
	starts_at: z.int().nullable(),
	/** First tick after play, once the match has ended. */
	ended_at: z.int().nullable(),
	/** In the order in which the entities first scored. `team` is the one they had when they last scored. */
	scores: z.array(z.strictObject({ entity: handle, team: z.int().nullable(), points: z.int() })),
	winner: z
		.strictObject({ team: z.int().nullable(), entity: handle.nullable() })
		.nullable()
		.describe('Null: none yet, or a draw'),
});

export type MatchState = Readonly<z.output<typeof matchSchema>>;
export type Score = MatchState['scores'][number];
export type Winner = MatchState['winner'];

export const Match: Resource<MatchState | null> = {
	name: 'match',
	scope: 'state',
	summary: 'The match: phase, limits, clock, scores and winner; null when there is none',
	schema: matchSchema.nullable(),
	initial: () => null,
};

/** Settings of a match; times in seconds. */
export interface MatchSettings {
	readonly mode: string;
	readonly score_limit: number;
	readonly time_limit: number;
	readonly respawn_delay: number;
	readonly auto_start: boolean;
	readonly countdown: number;
}

/** Returns the match, or null if there is none. */
export function matchState(world: World): MatchState | null {
	return resource(world, Match) ?? null;
}

/** Returns the match. Throws `no_match`. */
export function requireMatch(world: World): MatchState {
	const match = matchState(world);
	if (match === null) throw new ApiError('no_match', 'There is no match.');
	return match;
}

/** Starts a match, which replaces any other. It begins in the lobby; with `auto_start`, it leaves the lobby immediately. */
export function startMatch(world: World, settings: MatchSettings): MatchState {
	const { mode, score_limit, time_limit, respawn_delay, auto_start, countdown } = settings;
	const lobby: MatchState = {
		phase: 'lobby',
		mode,
		score_limit,
		time_limit,
		respawn_delay,
		auto_start,
		countdown,
		starts_at: null,
		ended_at: null,
		scores: [],
		winner: null,
	};
	clearCause(world);
	return auto_start ? leaveLobby(world, lobby) : replaceMatch(world, lobby);
}

/** Starts the match that waits in the lobby: its countdown, or play itself. Throws `no_match`, `match_running`. */
export function startLobby(world: World): MatchState {
	const match = requireMatch(world);
	if (match.phase !== 'lobby')
		throw new ApiError('match_running', `The match is in the phase ${match.phase}, not in the lobby.`);
	return leaveLobby(world, match);
}

function leaveLobby(world: World, match: MatchState): MatchState {
	const wait = Math.max(0, toTicks(match.countdown));
	const starts_at = comingTick(world) + wait;
	return replaceMatch(world, { ...match, phase: wait > 0 ? 'countdown' : 'playing', starts_at });
}

/** Stores a match that enters a phase, and sends the event of that phase. */
function replaceMatch(world: World, match: MatchState): MatchState {
	setResource(world, Match, match);
	emit(world, MatchPhase, {
		phase: match.phase,
		winner_team: match.winner?.team ?? null,
		winner: match.winner?.entity ?? null,
	});
	return match;
}

/** Ends the countdown: play begins. */
export function beginPlay(world: World): MatchState {
	return replaceMatch(world, { ...requireMatch(world), phase: 'playing' });
}

/** Returns the number of ticks played so far. */
export function elapsedTicks(world: World, { starts_at, ended_at }: MatchState): number {
	if (starts_at === null) return 0;
	return Math.max(0, (ended_at ?? world.tick) - starts_at);
}

/** Returns the number of seconds played so far. */
export function elapsedSeconds(world: World, match: MatchState): number {
	return elapsedTicks(world, match) / TICKS_PER_SECOND;
}

/** Returns the team of an entity; null if it has none or is gone. */
export function teamOf(world: World, entity: EntityHandle | null): number | null {
	const slot = slotOf(world, entity);
	return slot >= 0 && has(world, slot, Team) ? read(world, Team, 'team')[slot]! : null;
}

/**
 * Adds points, which may be negative, to the score of an entity in any phase. `victim`: the killed entity, for the event.
 * Returns false if there is no match.
 */
export function addScore(
	world: World,
	entity: EntityHandle,
	points: number,
	victim: EntityHandle | null = null,
): boolean {
	const match = matchState(world);
	if (match === null) return false;
	const index = match.scores.findIndex((row) => isSame(row.entity, entity));
	const oldPoints = index < 0 ? 0 : match.scores[index]!.points;
	const team = teamOf(world, entity) ?? (index < 0 ? null : match.scores[index]!.team);
	const row: Score = {
		entity: { id: entity.id, generation: entity.generation },
		team,
		points: oldPoints + points,
	};
	const scores = index < 0 ? [...match.scores, row] : match.scores.with(index, row);
	setResource(world, Match, { ...match, scores });
	emit(world, Scored, { entity: row.entity, points, total: row.points, team, victim });
	return true;
}

const isSame = (a: EntityHandle, b: EntityHandle) => a.id === b.id && a.generation === b.generation;

/**
 * Ends the match. `winnerTeam`: the winner, null for a draw, omitted for the leader. Returns false if there is no match,
 * or if it has ended.
 */
export function endMatch(world: World, cause: MatchCause, winnerTeam?: number | null): boolean {
	const winner = winnerTeam == null ? null : { team: winnerTeam, entity: null };
	return finishMatch(
		world,
		cause,
		winnerTeam === undefined ? leaderOf(matchState(world)?.scores ?? []) : winner,
	);
}

/** Ends the match with a winner; null for a draw. Returns false if there is no match, or if it has ended. */
export function finishMatch(world: World, cause: MatchCause, winner: Winner): boolean {
	const match = matchState(world);
	if (match === null || match.phase === 'post_match') return false;
	setCause(world, cause);
	replaceMatch(world, { ...match, phase: 'post_match', ended_at: comingTick(world), winner });
	return true;
}

/** Returns the leader by points. If several lead, returns their team if they share one, otherwise null for a draw. */
export function leaderOf(scores: readonly Score[]): Winner {
	if (scores.length === 0) return null;
	const maxPoints = Math.max(...scores.map(({ points }) => points));
	const [leading, ...others] = scores.filter(({ points }) => points === maxPoints);
	if (others.length === 0) return { team: leading!.team, entity: leading!.entity };
	const haveSameTeam = leading!.team !== null && others.every(({ team }) => team === leading!.team);
	return haveSameTeam ? { team: leading!.team, entity: null } : null;
}

/** Returns the scores, highest first. Equal scores are in the order of their entities. */
export function rankingOf(match: MatchState): readonly Score[] {
	return [...match.scores].sort(
		(a, b) => b.points - a.points || a.entity.id - b.entity.id || a.entity.generation - b.entity.generation,
	);
}

/** Removes the match. Returns false if there is none. */
export function removeMatch(world: World): boolean {
	if (matchState(world) === null) return false;
	setResource(world, Match, null);
	clearCause(world);
	return true;
}

/** Returns the `game` section of a scenario or level that starts such a match, or undefined if there is none. */
export function matchDocument(world: World): MatchSettings | undefined {
	const match = matchState(world);
	if (match === null) return undefined;
	const { mode, score_limit, time_limit, respawn_delay, auto_start, countdown } = match;
	return { mode, score_limit, time_limit, respawn_delay, auto_start, countdown };
}
