/** Schemas of events in requests and answers: their kinds and fields. They are derived from the declarations of events. */

import * as z from 'zod';
import { type EventFields, type EventType, eventTitle, mayLack, namesEntity } from '../contract/event.ts';
import { caseInsensitiveTag, entityId, optional, text, word } from '../contract/values.ts';
import { events } from '../events/index.ts';

export type EventKind = (typeof events)[number]['kind'];

export const EVENT_KINDS = events.map(({ kind }) => kind) as [EventKind, ...EventKind[]];

const typeOfKind = new Map<string, EventType>(events.map((type) => [type.kind, type]));
const kindOfTitle = new Map(events.map((type) => [eventTitle(type).toLowerCase(), type.kind]));

/** Returns the declaration of a kind of event. */
export function eventType(kind: EventKind): EventType {
	return typeOfKind.get(kind)!;
}

const SENDABLE_TYPES: readonly EventType[] = events.filter((type: EventType) => type.sent !== undefined);

/** Returns the schema of a word for a kind of event. It also accepts the type of an event as answers show it. */
function kindWord<const W extends readonly [string, ...string[]]>(words: W, description: string) {
	return z.preprocess(
		(value) => (typeof value === 'string' ? (kindOfTitle.get(value.trim().toLowerCase()) ?? value) : value),
		word(words, description),
	);
}

export const eventKind = kindWord(EVENT_KINDS, 'Kind of event');

/** Schema of the kinds of events that an answer lists. */
export const eventSelection = z
	.array(kindWord(['all', ...EVENT_KINDS], 'Kind of event, or all'))
	.min(1)
	.max(EVENT_KINDS.length + 1);

/** Schema of the events that callers may send. */
export const sentEvent = caseInsensitiveTag(
	'type',
	z.discriminatedUnion(
		'type',
		SENDABLE_TYPES.map((type) =>
			z.strictObject({ type: z.literal(eventTitle(type)), ...sentFields(type) }),
		) as unknown as [z.ZodObject, ...z.ZodObject[]],
	),
) as unknown as z.ZodType<{ readonly type: string } & Readonly<Record<string, unknown>>>;

/** Returns the declaration of an event that callers may send. `title`: its type in answers. */
export const sendableEvent = (title: string): EventType =>
	SENDABLE_TYPES.find((type) => eventTitle(type) === title)!;

/** Returns the fields of an event as callers send them: entities by their ids. */
function sentFields(type: EventType): EventFields {
	return Object.fromEntries(
		Object.entries(type.fields).map(([name, field]) => {
			const sentField = type.sent![name];
			if (sentField !== undefined || !namesEntity(field)) return [name, sentField ?? field];
			const id = entityId.describe(innerDescription(field));
			return [name, field.safeParse(null).success || mayLack(field) ? optional(id) : id];
		}),
	);
}

/** Returns the description of a schema, or that of the schema that it wraps. */
function innerDescription(schema: z.ZodType): string {
	if (schema.description !== undefined) return schema.description;
	return innerDescription((schema as z.ZodOptional<z.ZodType>).unwrap());
}

/** Schema of an event as answers show it. */
export const eventView = z
	.looseObject({
		type: text(`Type of the event: ${events.map(eventTitle).join(', ')}`),
		tick: z.int().describe('Tick on which it was sent: the number of ticks completed before'),
	})
	.describe(
		'The other fields depend on the type; see `events` in GET /schema. An entity is given by its id and, in a field of its own, its generation, such as `killer` and `killer_generation`. Some events also keep properties of entities that may no longer exist, such as `killer_team`',
	);
