/** Pieces of the stream of events, as answers have them. */

import { ApiError } from '../../shared/contract/errors.ts';
import { namesEntity } from '../../shared/contract/event.ts';
import { type Cursor, compareCursors, cursorText, readCursor } from '../../shared/contract/event-cursor.ts';
import { eventText, streamAnswer } from '../../shared/contract/event-stream.ts';
import { suggestion } from '../../shared/contract/nearest.ts';
import type { WireResponse } from '../../shared/contract/wire.ts';
import { EVENT_KINDS, type EventKind, eventKind, eventType } from '../../shared/documents/event.ts';
import type { SentEvent } from '../sim/core/events.ts';
import type { EventsRead } from '../store/event-trail.ts';
import { type EventView, REPLACED } from '../store/event-view.ts';
import type { WorldEntry } from '../store/worlds.ts';

/** Number of characters of events after which a piece ends. */
const MAX_PIECE = 256 * 1024;

const badQuery = (message: string, fix: string, path: string): ApiError =>
	new ApiError('bad_query', message, { fix, path });

/** Returns the position that a reader names: an id, a tick, or now. Throws `bad_query`. */
export function cursorOf({ line, world }: WorldEntry, since: string | undefined): Cursor {
	if (since === undefined) return { line: line.number, tick: world.tick, index: 0 };
	const cursor = readCursor(since);
	if (cursor !== undefined) return cursor;
	const tick = Number(since);
	if (tick > world.tick)
		throw badQuery(
			`The world is at tick ${world.tick}, before tick ${tick}.`,
			'Omit "since" to begin with what happens from now on.',
			'since',
		);
	return { line: line.number, tick, index: 0 };
}

/** Returns a filter of events by their kinds and by an entity that they name. Omitted means any. Throws `bad_query`. */
export function filterOf(
	kinds: string | null | undefined,
	entity: number | null | undefined,
): (event: SentEvent) => boolean {
	const kindNames = kinds == null ? undefined : new Set<string>(kindsOf(kinds));
	return ({ kind, data }) => {
		if (kindNames?.has(kind) === false) return false;
		if (entity == null) return true;
		const { fields } = eventType(kind as EventKind);
		return Object.entries(data).some(
			([name, value]) =>
				namesEntity(fields[name]!) && (value as { readonly id: number } | null)?.id === entity,
		);
	};
}

/** Returns the kinds of events in a text that separates them by commas. Throws `bad_query`. */
export const kindsOf = (words: string): EventKind[] => words.split(',').map(kindOf);

function kindOf(word: string): EventKind {
	const parsed = eventKind.safeParse(word.trim());
	if (parsed.success) return parsed.data as EventKind;
	const fix = suggestion(word.trim(), EVENT_KINDS) ?? `Send some of: ${EVENT_KINDS.join(', ')}.`;
	throw badQuery(`There is no kind of event "${word.trim()}".`, fix, 'events');
}

/** Events of one answer. */
export interface EventPiece {
	readonly events: ({ readonly id: string } & EventView)[];
	/** Range of requested events that are missing; null if none is missing. */
	readonly gap: { readonly from: string; readonly to: string; readonly message: string } | null;
	/** Position where the next read continues. */
	readonly next: string;
	/** True if more events can be read immediately. */
	readonly more: boolean;
}

/** Returns the events that were read, up to the largest size of a piece. */
export function pieceOf({ events, gap, next, hasMore }: EventsRead, after: Cursor): EventPiece {
	const pieceEvents: EventPiece['events'] = [];
	let size = 0;
	for (const { cursor, view } of events) {
		const event = { id: cursorText(cursor), ...view() };
		pieceEvents.push(event);
		size += JSON.stringify(event).length;
		if (size < MAX_PIECE || pieceEvents.length === events.length) continue;
		return { events: pieceEvents, gap: gapOf(gap, after), next: event.id, more: true };
	}
	return { events: pieceEvents, gap: gapOf(gap, after), next: cursorText(next), more: hasMore };
}

function gapOf(to: Cursor | null, from: Cursor): EventPiece['gap'] {
	if (to === null) return null;
	return { from: cursorText(from), to: cursorText(to), message: gapReason(to, from) };
}

function gapReason(to: Cursor, from: Cursor): string {
	if (compareCursors(from, to) > 0)
		return 'This world has not sent the event with that id. The events that are kept follow.';
	return from.line === to.line && to.index === 0
		? `This world begins at tick ${to.tick}: it replaced another one, or is a fork.`
		: `Events up to tick ${to.tick} are no longer kept.`;
}

/** Returns a piece as server-sent events. */
export function streamOf({ events, gap, next }: EventPiece, tick: number): WireResponse {
	const texts = gap === null ? [] : [eventText(gap, gap.to, 'gap')];
	for (const { id, ...event } of events)
		texts.push(eventText(event, id, event.type === REPLACED ? 'replaced' : undefined));
	return streamAnswer(texts.join(''), next, `tick ${tick}`);
}
