/** Events in requests and answers: how a kind is named, and how an event is shown. Read off the declarations. */

import * as z from 'zod';
import { type EventFields, type EventType, eventTitle, mayLack, namesEntity } from '../contract/event.ts';
import { caseInsensitiveTag, entityId, optional, text, word } from '../contract/values.ts';
import { events } from '../events/index.ts';

export type EventKind = (typeof events)[number]['kind'];

export const EVENT_KINDS = events.map(({ kind }) => kind) as [EventKind, ...EventKind[]];

const declared = new Map<string, EventType>(events.map((type) => [type.kind, type]));
const kindOfTitle = new Map(events.map((type) => [eventTitle(type).toLowerCase(), type.kind]));

/** Returns the declaration of a kind of event. */
export function eventType(kind: EventKind): EventType {
	return declared.get(kind)!;
}

const SENDABLE: readonly EventType[] = events.filter((type: EventType) => type.sent !== undefined);

/** One of some words for kinds of events; the type of an event, as answers show it, is accepted as well. */
function kindWord<const W extends readonly [string, ...string[]]>(words: W, description: string) {
	return z.preprocess(
		(value) => (typeof value === 'string' ? (kindOfTitle.get(value.trim().toLowerCase()) ?? value) : value),
		word(words, description),
	);
}

export const eventKind = kindWord(EVENT_KINDS, 'Kind of event');

/** Kinds of events that an answer should list. */
export const eventSelection = z
	.array(kindWord(['all', ...EVENT_KINDS], 'Kind of event, or all'))
	.min(1)
	.max(EVENT_KINDS.length + 1);

/** The events that callers may send, in the form in which they send them. */
export const sentEvent = caseInsensitiveTag(
	'type',
	z.discriminatedUnion(
		'type',
		SENDABLE.map((type) =>
			z.strictObject({ type: z.literal(eventTitle(type)), ...sentFields(type) }),
		) as unknown as [z.ZodObject, ...z.ZodObject[]],
	),
) as unknown as z.ZodType<{ readonly type: string } & Readonly<Record<string, unknown>>>;

/** Returns the kind of an event that callers may send, by its type. */
export const sendable = (title: string): EventType => SENDABLE.find((type) => eventTitle(type) === title)!;

/** Returns the fields of an event as callers send them: entities by their ids. */
function sentFields(type: EventType): EventFields {
	return Object.fromEntries(
		Object.entries(type.fields).map(([name, field]) => {
			const own = type.sent![name];
			if (own !== undefined || !namesEntity(field)) return [name, own ?? field];
			const id = entityId.describe(describedWithin(field));
			return [name, field.safeParse(null).success || mayLack(field) ? optional(id) : id];
		}),
	);
}

function describedWithin(schema: z.ZodType): string {
	if (schema.description !== undefined) return schema.description;
	return describedWithin((schema as z.ZodOptional<z.ZodType>).unwrap());
}

/** An event as answers show it. */
export const eventView = z
	.looseObject({
		type: text(`Type of the event: ${events.map(eventTitle).join(', ')}`),
		tick: z.int().describe('Tick on which it was sent: the number of ticks completed before'),
	})
	.describe(
		'The other fields depend on the type; see `events` in GET /schema. An entity is given by its id and, in a field of its own, its generation, such as `killer` and `killer_generation`. Some events also keep properties of entities that may no longer exist, such as `killer_team`',
	);
