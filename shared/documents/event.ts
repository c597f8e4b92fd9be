/** Events in requests and answers: how a kind is named, and how an event is shown. Read off the declarations. */

import * as z from 'zod';
import { type EventType, eventTitle } from '../contract/event.ts';
import { text, word } from '../contract/values.ts';
import { events } from '../events/index.ts';

export type EventKind = (typeof events)[number]['kind'];

export const EVENT_KINDS = events.map(({ kind }) => kind) as [EventKind, ...EventKind[]];

const declared = new Map<string, EventType>(events.map((type) => [type.kind, type]));
const kindOfTitle = new Map(events.map((type) => [eventTitle(type).toLowerCase(), type.kind]));

/** The declaration of a kind of event. */
export function eventType(kind: EventKind): EventType {
	return declared.get(kind)!;
}

/** One of some words for kinds of events; a kind's type, as events show it, is understood as well. */
function kindWord<const W extends readonly [string, ...string[]]>(words: W, description: string) {
	return z.preprocess(
		(value) => (typeof value === 'string' ? (kindOfTitle.get(value.trim().toLowerCase()) ?? value) : value),
		word(words, description),
	);
}

export const eventKind = kindWord(EVENT_KINDS, 'Kind of event');

/** Which kinds of events an answer should list. */
export const eventSelection = z
	.array(kindWord(['all', ...EVENT_KINDS], 'Kind of event, or all'))
	.min(1)
	.max(EVENT_KINDS.length + 1);

/** An event as answers show it. */
export const eventView = z
	.looseObject({
		type: text(`Which kind of event: ${events.map(eventTitle).join(', ')}`),
		tick: z.int().describe('The tick it was sent on: ticks completed before it'),
	})
	.describe(
		'What belongs to an event depends on its type: GET /schema, `events`. Entities stand as their ids, with the generation beside, such as `killer` and `killer_generation`, and, as an event remembers them when they are gone, `killer_team`',
	);
