/**
 * The story of a match: scores over time, who fell, and the moment it turned.
 * Owns: what it is made of, which are the events that the engine keeps, and the words about it. Never: draws.
 */

import { clockText, type Side } from './match.ts';

/** An event as GET /events/stream lists it. */
export interface KeptEvent {
	readonly type: string;
	readonly tick: number;
	readonly [field: string]: unknown;
}

/** Kinds of events that a story is made of. */
export const STORY_KINDS = ['death', 'score'] as const;

/** Scores of the sides at a tick. */
export interface Sample {
	readonly tick: number;
	/** Score by team. */
	readonly scores: ReadonlyMap<number, number>;
}

/** A unit that fell. */
export interface Deed {
	readonly tick: number;
	/** Side of the unit that did it; null: none. */
	readonly team: number | null;
	readonly fallen: 'hero' | 'building' | 'unit';
	/** True if the unit that is played here did it. */
	readonly byMine: boolean;
	/** True if the unit that is played here fell. */
	readonly ofMine: boolean;
	/** Words about it; null: too small to tell. */
	readonly words: string | null;
}

/** Progress of a match so far. */
export interface Chronicle {
	readonly samples: readonly Sample[];
	readonly deeds: readonly Deed[];
}

/** Records of a match: its events and, if a number of an entity wins, that number over time. */
export interface MatchRecords {
	readonly events: readonly KeptEvent[];
	/** Tick, entity, and its number. */
	readonly rows: readonly (readonly unknown[])[];
}

/** Returns the progress of a match that began at a tick. `mine`: the unit that is played here. */
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
	// The score of a side is the best that an entity of it has.
	for (const [tick, best] of bestOf(rows, teamOf)) for (const [team, score] of best) add(tick, team, score);
	const every = Math.ceil(samples.length / MAX_SAMPLES);
	return {
		samples: samples.filter((_, at) => at % every === 0),
		deeds: events.filter(({ type }) => type === 'DeathEvent').map((event) => deedOf(event, mine)),
	};
}

/** Returns the best number of each team, by tick. */
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

/** Returns the fall that an event reports. It has properties of units that may no longer exist. */
function deedOf(event: KeptEvent, mine: number | null): Deed {
	const { tick, entity, entity_role: role, killer, killer_team: team } = event;
	const nameOf = (whom: 'entity' | 'killer'): string =>
		String(event[`${whom}_name`] ?? event[`${whom}_role`] ?? `unit ${String(event[whom])}`);
	const fallen = role === 'Hero' ? 'hero' : role === 'Tower' || role === 'Structure' ? 'building' : 'unit';
	const verb = fallen === 'hero' ? 'killed' : 'destroyed';
	return {
		tick,
		team: typeof team === 'number' ? team : null,
		fallen,
		byMine: killer != null && killer === mine && entity !== mine,
		ofMine: entity === mine,
		// Minions fall all the time.
		words:
			fallen === 'unit'
				? null
				: killer == null
					? `${nameOf('entity')} has fallen`
					: `${nameOf('killer')} ${verb} ${nameOf('entity')}`,
	};
}

/** Largest number of samples: with more, every other one is left out. */
const MAX_SAMPLES = 400;
/** Ticks around the turn in which its cause is looked for. */
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
	/** Tick at which it turned, and its share of the time; null without one. */
	readonly turn: { readonly tick: number; readonly time: number } | null;
	/** Sentences about it, the most important first. */
	readonly words: readonly string[];
	/** Kills of each side. */
	readonly kills: readonly {
		readonly team: number;
		readonly name: string;
		readonly heroes: number;
		readonly buildings: number;
	}[];
	/** The part of the unit that is played here. */
	readonly own: { readonly kills: number; readonly falls: number };
}

/** Team that leads alone; null if none does. */
function leader(scores: ReadonlyMap<number, number>): number | null {
	const [first, second] = [...scores].sort(([, a], [, b]) => b - a);
	if (first === undefined || first[1] <= 0) return null;
	return second === undefined || first[1] > second[1] ? first[0] : null;
}

/** Tells a match that ended at a tick. `started`: first tick of play; `since`: first tick whose events are kept. */
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
	// The first sample after the end is of the end; the world may continue.
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
	const count = (team: number, fallen: Deed['fallen']): number =>
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
 * Returns the sample from which on the winner led to the end; null if it did not lead. `isFirst`: no other side had
 * led before.
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

/** Words of the greatest deed of the winner around a tick; null without one. */
function causeOf(deeds: readonly Deed[], tick: number, winner: number): string | null {
	const near = deeds.filter(
		(deed) =>
			deed.team === winner && deed.words !== null && deed.tick >= tick - BEFORE && deed.tick <= tick + AFTER,
	);
	return near.sort((a, b) => Math.abs(a.tick - tick) - Math.abs(b.tick - tick))[0]?.words ?? null;
}
