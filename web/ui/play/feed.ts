/**
 * Past events, as short lines.
 * Owns: the texts, and the time of showing a line, in ticks, so that a paused world keeps its lines.
 */

import type { FrameEvent } from '../../frames/frames.ts';
import { type Entity, teamName } from '../entities/entity.ts';
import { unitName } from './units.ts';

/** Kinds of events with a line. */
export const FEED_KINDS = ['death', 'level_up', 'cast', 'cast_failed', 'match'] as const;

/** A part of a line, in the colour of a team or plain. */
export interface FeedPart {
	readonly text: string;
	readonly team?: number | undefined;
}

export interface FeedLine {
	readonly number: number;
	readonly tick: number;
	readonly parts: readonly FeedPart[];
}

/** Number of ticks for which a line is shown, and maximum number of lines. */
const SHOWN_TICKS = 420;
const MAX_LINES = 4;

/** Texts of the reasons of a failed cast. */
const REFUSED: Readonly<Record<string, string>> = {
	on_cooldown: 'is not ready yet',
	no_mana: 'needs more mana',
	not_enough_mana: 'needs more mana',
	no_ability: 'has no ability',
	silenced: 'is silenced',
	entity_dead: 'is dead',
};

const PHASES: Readonly<Record<string, string>> = {
	countdown: 'The match starts soon',
	playing: 'The match starts',
	post_match: 'The match is over',
};

/** Returns an entity in an event, which events name by its id or as `{id, generation}`. */
export function idOf(value: unknown): number | null {
	if (typeof value === 'number') return value;
	return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
		? value.id
		: null;
}

/** Returns the name of the unit that struck the last blow, with its side unless its own name has it; null if it is unknown. */
export function killerName({ data }: FrameEvent, units: ReadonlyMap<number, Entity>): string | null {
	const killer = units.get(idOf(data.killer) ?? -1);
	if (killer === undefined) return null;
	const name = unitName(killer, units.values());
	return killer.name !== undefined || killer.team === undefined
		? name
		: `${name} of ${teamName(killer.team)}`;
}

/** Returns the line of an event; null for one that need not be read. `mine`: the entity that is played here. */
export function feedParts(
	{ kind, data }: FrameEvent,
	entities: ReadonlyMap<number, Entity>,
	mine: number | null,
): readonly FeedPart[] | null {
	const of = (value: unknown): Entity | undefined => {
		const id = idOf(value);
		return id === null ? undefined : entities.get(id);
	};
	const name = (entity: Entity): FeedPart => ({
		text: unitName(entity, entities.values()),
		team: entity.team,
	});
	const subject = of(data.entity);
	switch (kind) {
		case 'death': {
			// Minions die too often for a line.
			if (subject === undefined || subject.role === undefined || subject.role === 'Minion') return null;
			const by = of(data.killer);
			return by === undefined
				? [name(subject), { text: 'has fallen' }]
				: [name(by), { text: subject.role === 'Hero' ? 'killed' : 'destroyed' }, name(subject)];
		}
		case 'level_up':
			return subject === undefined ? null : [name(subject), { text: `reached level ${String(data.level)}` }];
		case 'cast':
			return subject === undefined ? null : [name(subject), { text: `cast ${String(data.ability)}` }];
		case 'cast_failed':
			if (subject === undefined || subject.id !== mine) return null;
			return [
				{
					text: `${String(data.slot)} ${REFUSED[String(data.reason)] ?? String(data.reason).replaceAll('_', ' ')}`,
				},
			];
		case 'match': {
			const team = data.winner_team;
			return typeof team === 'number'
				? [{ text: teamName(team), team }, { text: 'wins' }]
				: [{ text: PHASES[String(data.phase)] ?? `The match: ${String(data.phase).replaceAll('_', ' ')}` }];
		}
		default:
			return null;
	}
}

/**
 * Returns the text of a line without an entity, such as a failed cast, which can repeat; null for other lines.
 */
const plainText = ({ parts }: Pick<FeedLine, 'parts'>): string | null =>
	parts.some(({ team }) => team !== undefined) ? null : parts.map(({ text }) => text).join(' ');

/**
 * Returns the lines that are still shown on a tick, followed by new ones. Of equal lines without an entity, only the newest
 * stays.
 */
export function feedLines(
	lines: readonly FeedLine[],
	added: readonly { readonly tick: number; readonly parts: readonly FeedPart[] }[],
	tick: number,
): readonly FeedLine[] {
	let number = lines.at(-1)?.number ?? 0;
	const every = [...lines, ...added.map((line) => ({ ...line, number: ++number }))];
	const newest = new Map(every.map((line) => [plainText(line), line.number]));
	const all = every.filter((line) => plainText(line) === null || newest.get(plainText(line)) === line.number);
	// Drops lines of later ticks, which belong to another world or to the time before a restart.
	return all
		.filter((line) => line.tick > tick - SHOWN_TICKS && line.tick <= tick + SHOWN_TICKS)
		.slice(-MAX_LINES);
}
