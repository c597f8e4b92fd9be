/**
 * The match in texts and numbers: clock, sides, and the winner with the reason.
 * Owns: interpreting GET /game/state. Never: calls the engine.
 */

import type { Answer } from '../../../shared/contract/route.ts';
import type { getGame } from '../../../shared/routes/match.ts';
import type { listRules } from '../../../shared/routes/rules.ts';
import { type Entity, teamName } from '../entities/entity.ts';
import { formatNumber } from '../numbers.ts';
import { isHero, isPlayed, unitName } from './units.ts';

/** Answer of GET /game/state. */
export type Match = Answer<typeof getGame>;

/** A number of an entity that wins the match, by a rule of the world. */
export interface Goal {
	readonly field: string;
	readonly value: number;
}

type Rules = Answer<typeof listRules>['rules'];

/** Returns the goal of rules that end the match for one number of an entity; null for other rules. */
export function goalOf(rules: Rules): Goal | null {
	const goals = rules.flatMap(({ when, ...rule }): Goal[] => {
		const ends = JSON.stringify(rule).includes('"action":"endgame"');
		const { kind, field, op, value } = when as Readonly<Record<string, unknown>>;
		const isNumber =
			kind === 'field' && op === 'greater_equal' && typeof field === 'string' && typeof value === 'number';
		return ends && isNumber ? [{ field, value }] : [];
	});
	const [first] = goals;
	const isOne = goals.every(({ field, value }) => field === first?.field && value === first.value);
	return first !== undefined && isOne ? first : null;
}

export interface Side {
	readonly team: number;
	/** Name of its team, or of its only hero if more than two sides play. */
	readonly name: string;
	readonly score: number;
	/** Text below its name: its agents, or its number of towers. */
	readonly note: string;
}

/** Returns minutes and seconds, such as `12:04`. */
export function clockText(seconds: number): string {
	const whole = Math.max(0, Math.floor(seconds));
	return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Returns the text below the clock: the limit or goal of the match. */
export function limitText({ score_limit, time_limit }: Match, goal: Goal | null = null): string {
	if (goal !== null) return `first to ${formatNumber(goal.value)} ${goal.field.replaceAll('_', ' ')}`;
	if (score_limit > 0) return `first to ${formatNumber(score_limit)}`;
	return time_limit > 0 ? `at most ${clockText(time_limit)}` : '';
}

/** Returns a sentence if a unit does not return after its death before the match ends; empty otherwise. */
export function lifeText(unit: Entity, match: Match | null): string {
	const isLate = match !== null && match.time_limit > 0 && match.respawn_delay >= match.time_limit;
	return unit.health !== undefined && (unit.respawns === false || isLate) ? 'You have one life.' : '';
}

/** A playing agent, with the name of its calls, or its number. */
export interface OtherPlayer {
	readonly entity: Entity;
	readonly name: string;
}

/**
 * Returns the other players. An owned entity is played by its owner. If there is only one recent sender of input and one
 * other played entity, they belong together.
 */
export function otherPlayers(
	entities: readonly Entity[],
	mine: number | null,
	senders: readonly string[],
): readonly OtherPlayer[] {
	const others = entities.filter((entity) => isPlayed(entity) && entity.id !== mine);
	const [sender] = senders;
	return others.flatMap((entity) => {
		if (senders.length === 1 && others.length === 1) return [{ entity, name: sender! }];
		return entity.agent_id === undefined ? [] : [{ entity, name: `agent ${entity.agent_id}` }];
	});
}

/**
 * Returns the sides of a match in order: teams with heroes or structures, or else teams with scores. With a goal, the score is
 * the highest number of a hero of the side.
 */
export function sides(
	match: Match | null,
	entities: readonly Entity[],
	others: readonly OtherPlayer[],
	goal: Goal | null = null,
): readonly Side[] {
	const scores = new Map<number, number>();
	const heroes = new Map<number, Entity[]>();
	for (const entity of entities) {
		const { team, role } = entity;
		if (team === undefined) continue;
		if (isHero(entity)) heroes.set(team, [...(heroes.get(team) ?? []), entity]);
		if (isHero(entity) || role === 'Structure') scores.set(team, 0);
	}
	const isOpen = scores.size === 0;
	for (const { team, score } of match?.scores ?? [])
		if (team !== null && (isOpen || scores.has(team))) scores.set(team, (scores.get(team) ?? 0) + score);
	const reached = (team: number): number =>
		Math.max(0, ...(heroes.get(team) ?? []).map((hero) => Number(hero[goal!.field]) || 0));
	return [...scores]
		.sort(([a], [b]) => a - b)
		.map(([team, score]) => {
			const agents = others.filter(({ entity }) => entity.team === team).map(({ name }) => name);
			const [hero, second] = heroes.get(team) ?? [];
			const isAlone = scores.size > 2 && hero !== undefined && second === undefined;
			return {
				team,
				name: isAlone ? unitName(hero) : teamName(team),
				score: goal === null ? score : reached(team),
				note: agents.join(', ') || towersText(entities, team),
			};
		});
}

function towersText(entities: readonly Entity[], team: number): string {
	const towers = entities.filter((entity) => entity.team === team && entity.role === 'Tower');
	if (towers.length === 0) return '';
	const standing = towers.filter(({ dead }) => dead !== true).length;
	return `${formatNumber(standing)} ${standing === 1 ? 'tower' : 'towers'}`;
}

export interface Ending {
	readonly title: string;
	readonly why: string;
}

/**
 * Returns the winner of a finished match with the reason; null before its end. `mine` is the side that this person plays.
 */
export function ending(
	match: Match | null,
	mine: number | null,
	sides: readonly Pick<Side, 'team' | 'name'>[] = [],
): Ending | null {
	if (match === null || match.phase !== 'post_match') return null;
	const team = match.winner_team;
	const winner = sides.find((side) => side.team === team);
	const name = team === null ? '' : (winner?.name ?? teamName(team));
	const title =
		team === null
			? 'No team wins'
			: team === mine
				? `You win ${name === teamName(team) ? 'with' : 'as'} ${name}`
				: mine === null
					? `${name} wins`
					: sides.length === 0 || winner !== undefined
						? `You lose: ${name} wins`
						: // The winner is the world itself, which has no side.
							'You lose';
	return { title, why: `${whyOver(match)} It took ${clockText(match.elapsed)}.` };
}

function whyOver(match: Match): string {
	const { score_limit, winner_team, ended_by } = match;
	switch (ended_by?.kind) {
		case 'score_limit':
			return `The limit of ${formatNumber(score_limit)} points was reached.`;
		case 'time_limit':
			return winner_team === null
				? 'The time is up, and no team leads.'
				: 'The time is up, and the leading team wins.';
		case 'rule':
			return ruleWords(ended_by, winner_team) ?? 'A rule of this world ended the match.';
		case 'script':
			return 'A script of this world ended the match.';
		case 'call':
			return 'A call ended the match.';
		default:
			return 'The match is over.';
	}
}

/** Returns the text of the rule, or its name if the text only names the winner. */
function ruleWords({ rule, text }: NonNullable<Match['ended_by']>, winner: number | null): string | null {
	const sentences = [text, rule]
		.filter((words) => words !== null && words.trim() !== '')
		.map((words) => toSentence(words!));
	return (
		sentences.find((words) => winner === null || words !== toSentence(`${teamName(winner)} wins`)) ?? null
	);
}

/** Returns a text as a sentence, without capitals throughout. */
function toSentence(words: string): string {
	const calm = words === words.toUpperCase() ? words.toLowerCase() : words;
	return `${calm.slice(0, 1).toUpperCase()}${calm.slice(1).replace(/[.!]*$/, '')}.`;
}
