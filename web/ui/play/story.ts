/**
 * The story of a match: scores over time, kills, and the turning point.
 * Owns: building the story from recorded events, and its texts. Never: draws.
 */

import { clockText, type Side } from './match.ts';

/** An event in the answer of GET /events/stream. */
export interface KeptEvent {
	readonly type: string;
	readonly tick: number;
	readonly [field: string]: unknown;
}

/** Kinds of events in a story. */
export const STORY_KINDS = ['death', 'score'] as const;

/** Scores of the sides at a tick. */
export interface Sample {
	readonly tick: number;
	/** Score by team. */
	readonly scores: ReadonlyMap<number, number>;
}

/** The death of a unit. */
export interface Kill {
	readonly tick: number;
	/** Team of the killer; null without one. */
	readonly team: number | null;
	readonly fallen: 'hero' | 'building' | 'unit';
	/** True if the killer is the unit that this person plays. */
	readonly byMine: boolean;
	/** True if the dead unit is the one that this person plays. */
	readonly ofMine: boolean;
	/** Description; null for an unimportant unit. */
	readonly words: string | null;
}

/** Scores and deaths of a match. */
export interface Chronicle {
	readonly samples: readonly Sample[];
	readonly deeds: readonly Kill[];
}

/** Records of a match: its events and, if a number of an entity wins, that number over time. */
export interface MatchRecords {
	readonly events: readonly KeptEvent[];
	/** Tick, entity and number of each row. */
	readonly rows: readonly (readonly unknown[])[];
}

/** Returns the chronicle of a match that started at a tick. `mine` is the unit that this person plays. */
export function chronicleOf(
	{ events, rows }: MatchRecords,
	sides: readonly Pick<Side, 'team'>[],
	teamOf: (id: number) => number | undefined,
	mine: number | null,
	started: number,
): Chronicle {
	let scores: ReadonlyMap<number, number> = new Map(sides.map(({ team }) => [team, 0]));
	const samples: Sample[] = [{ tick: started, scores }];
	const add = (tick: number, team: number, score: number): void => {
		scores = new Map([...scores, [team, score]]);
		if (samples.at(-1)!.tick === tick) samples.pop();
		samples.push({ tick, scores });
	};
	for (const { type, tick, team, points } of rows.length > 0 ? [] : events)
		if (type === 'ScoreEvent' && typeof team === 'number')
			add(tick, team, (scores.get(team) ?? 0) + Number(points));
	// The score of a side is the highest number of its entities.
	for (const [tick, best] of bestOf(rows, teamOf)) for (const [team, score] of best) add(tick, team, score);
	const every = Math.ceil(samples.length / MAX_SAMPLES);
	return {
		samples: samples.filter((_, at) => at % every === 0),
		deeds: events.filter(({ type }) => type === 'DeathEvent').map((event) => deedOf(event, mine)),
	};
}

/** Returns the highest number of each team, by tick. */
function bestOf(
	rows: MatchRecords['rows'],
	teamOf: (id: number) => number | undefined,
): ReadonlyMap<number, ReadonlyMap<number, number>> {
	const found = new Map<number, Map<number, number>>();
	for (const [tick, id, value] of rows) {
		const team = teamOf(Number(id));
		if (team === undefined || typeof value !== 'number') continue;
		const best = found.get(Number(tick)) ?? new Map<number, number>();
		found.set(Number(tick), best.set(team, Math.max(best.get(team) ?? 0, value)));
	}
	return found;
}

/** Returns the death in an event. The event has the properties of the units, which may no longer exist. */
function deedOf(event: KeptEvent, mine: number | null): Kill {
	const { tick, entity, entity_role: role, killer, killer_team: team } = event;
	const nameOf = (key: 'entity' | 'killer'): string =>
		String(event[`${key}_name`] ?? event[`${key}_role`] ?? `unit ${String(event[key])}`);
	const fallen = role === 'Hero' ? 'hero' : role === 'Tower' || role === 'Structure' ? 'building' : 'unit';
	const verb = fallen === 'hero' ? 'killed' : 'destroyed';
	return {
		tick,
		team: typeof team === 'number' ? team : null,
		fallen,
		byMine: killer != null && killer === mine && entity !== mine,
		ofMine: entity === mine,
		// Minions die too often for a description.
		words:
			fallen === 'unit'
				? null
				: killer == null
					? `${nameOf('entity')} has fallen`
					: `${nameOf('killer')} ${verb} ${nameOf('entity')}`,
	};
}

/** Maximum number of samples. Longer lists are thinned out. */
const MAX_SAMPLES = 400;
/** Numbers of ticks before and after the turning point in which its cause is searched. */
const BEFORE = 180;
const AFTER = 120;

/** Points of a side, as shares of the time and of the highest score. */
export interface Line {
	readonly team: number;
	readonly name: string;
	readonly score: number;
	readonly points: readonly (readonly [time: number, score: number])[];
}

export interface Story {
	readonly lines: readonly Line[];
	/** Tick of the turning point, and its share of the time; null without one. */
	readonly turn: { readonly tick: number; readonly time: number } | null;
	/** Sentences of the story, the most important first. */
	readonly words: readonly string[];
	/** Kills of each side. */
	readonly kills: readonly {
		readonly team: number;
		readonly name: string;
		readonly heroes: number;
		readonly buildings: number;
	}[];
	/** Kills and deaths of the unit that this person plays. */
	readonly own: { readonly kills: number; readonly falls: number };
}

/** Returns the only leading team; null without one. */
function leader(scores: ReadonlyMap<number, number>): number | null {
	const [first, second] = [...scores].sort(([, a], [, b]) => b - a);
	if (first === undefined || first[1] <= 0) return null;
	return second === undefined || first[1] > second[1] ? first[0] : null;
}

/** Returns the story of a match that ended at a tick. `since` is the first recorded tick. */
export function tellStory(
	{ samples, deeds }: Chronicle,
	sides: readonly Side[],
	{
		started,
		ended,
		winner,
		since = started,
	}: {
		readonly started: number;
		readonly ended: number;
		readonly winner: number | null;
		readonly since?: number;
	},
): Story {
	const now = new Map(sides.map(({ team, score }) => [team, score]));
	// The first sample after the end has the scores of the end, because the world may continue.
	const last = { tick: ended, scores: samples.find(({ tick }) => tick >= ended)?.scores ?? now };
	const played = [...samples.filter(({ tick }) => tick >= started && tick < ended), last];
	const length = Math.max(1, ended - started);
	const timeOf = (tick: number): number => Math.min(1, Math.max(0, (tick - started) / length));
	const most = Math.max(1, ...played.flatMap(({ scores }) => [...scores.values()]));
	const share = (score: number): number => Math.max(0, score) / most;
	const lines = sides.map(({ team, name, score }) => ({
		team,
		name,
		score: last.scores.get(team) ?? score,
		points: played.flatMap(({ tick, scores }) => {
			const then = scores.get(team);
			return then === undefined ? [] : [[timeOf(tick), share(then)] as const];
		}),
	}));
	const clock = (tick: number): string => clockText((tick - started) / 60);
	const nameOf = (team: number): string => sides.find((side) => side.team === team)?.name ?? '';
	const turned = winner === null || sides.length < 2 ? null : turnOf(played, winner);
	const words: string[] = [];
	if (turned !== null) {
		const cause = causeOf(deeds, turned.tick, winner!);
		const because = cause === null ? '' : `: ${cause}`;
		words.push(
			turned.isFirst
				? `${nameOf(winner!)} led from ${clock(turned.tick)} on${because}.`
				: `It turned at ${clock(turned.tick)}${because}.`,
		);
	} else if (winner !== null && sides.length > 1) {
		const ahead = leader(last.scores);
		if (ahead !== null && ahead !== winner) words.push(`${nameOf(ahead)} was ahead to the end.`);
	}
	if (since > started) words.push(`The time before ${clock(since)} is no longer kept.`);
	const own = {
		kills: deeds.filter(({ byMine }) => byMine).length,
		falls: deeds.filter(({ ofMine }) => ofMine).length,
	};
	const count = (team: number, fallen: Kill['fallen']): number =>
		deeds.filter((deed) => deed.team === team && deed.fallen === fallen).length;
	return {
		lines,
		turn: turned === null ? null : { tick: turned.tick, time: timeOf(turned.tick) },
		words,
		kills: sides.map(({ team, name }) => ({
			team,
			name,
			heroes: count(team, 'hero'),
			buildings: count(team, 'building'),
		})),
		own,
	};
}

/**
 * Returns the tick from which the winner led to the end; null if it did not lead. `isFirst` is true if no other side led
 * before.
 */
function turnOf(
	played: readonly Sample[],
	winner: number,
): { readonly tick: number; readonly isFirst: boolean } | null {
	const leaders = played.map(({ scores }) => leader(scores));
	let at = leaders.length;
	while (at > 0 && leaders[at - 1] === winner) at--;
	const sample = played[at];
	if (sample === undefined) return null;
	return {
		tick: sample.tick,
		isFirst: leaders.slice(0, at).every((team) => team === null || team === winner),
	};
}

/** Returns the description of the winner's kill closest to a tick; null without one. */
function causeOf(deeds: readonly Kill[], tick: number, winner: number): string | null {
	const near = deeds.filter(
		(deed) =>
			deed.team === winner && deed.words !== null && deed.tick >= tick - BEFORE && deed.tick <= tick + AFTER,
	);
	return near.sort((a, b) => Math.abs(a.tick - tick) - Math.abs(b.tick - tick))[0]?.words ?? null;
}
