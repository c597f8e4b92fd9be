/** System that counts kills, ends the countdown, and ends the match at its limits. */

import { Death } from '../../../shared/events/death.ts';
import { toTicks } from '../core/clock.ts';
import { drain } from '../core/events.ts';
import type { System } from '../core/system.ts';
import { maxEvents } from '../core/tick-maximum.ts';
import type { World } from '../core/world.ts';
import { tuning } from '../tuning/tuning.ts';
import { addScore, beginPlay, finishMatch, leaderOf, Match, matchState, teamOf } from './match.ts';
import { causeOf } from './match-cause.ts';

export const updateMatch: System = {
	name: 'update-match',
	awaits: [Death, Match],
	access: {
		reads: ['match', 'team.team', 'tuning'],
		writes: ['match', 'match_cause'],
		emits: ['match', 'score'],
		drains: ['death'],
	},
	maximum: (world, before) => ({
		sent: matchState(world) === null ? 0 : maxEvents(world, 'death', before) + 2,
	}),
	run,
};

function run(world: World): void {
	const deaths = drain(world, Death, 'update-match');
	const match = matchState(world);
	if (match === null) return;
	const { kills } = tuning(world);
	for (const { entity, killer } of deaths) {
		if (killer === null || (killer.id === entity.id && killer.generation === entity.generation)) continue;
		const team = teamOf(world, killer);
		const points = team !== null && team === teamOf(world, entity) ? kills.team_score : kills.score;
		if (points !== 0) addScore(world, killer, points, entity);
	}
	if (match.phase === 'countdown') {
		// Play lasts at least one tick, so that waiting calls see it.
		if (world.tick + 1 >= match.starts_at!) beginPlay(world);
	} else checkLimits(world);
}

function checkLimits(world: World): void {
	const match = matchState(world)!;
	if (match.phase !== 'playing') return;
	const { score_limit, time_limit, scores, starts_at } = match;
	const isScoreReached = score_limit > 0 && scores.some(({ points }) => points >= score_limit);
	const isTimeOver = time_limit > 0 && world.tick + 1 - starts_at! >= Math.max(1, toTicks(time_limit));
	if (isScoreReached || isTimeOver)
		finishMatch(world, causeOf(isScoreReached ? 'score_limit' : 'time_limit'), leaderOf(scores));
}
