/**
 * Declaration of an event: its fields and their meaning.
 * Storage, digest, conditions of rules, answers and schema are all derived from the declaration.
 */

import * as z from 'zod';
import type { Component } from './component.ts';
import { entityMark } from './entity-mark.ts';
import { handle } from './handle.ts';
import { titleOf } from './title.ts';

export type EventFields = Readonly<Record<string, z.ZodType>>;

export interface EventType<K extends string = string, F extends EventFields = EventFields> {
	/** Name in snake_case. Answers show `rule_spawn` as `RuleSpawnEvent`. */
	readonly kind: K;
	readonly summary: string;
	/** Fields, each with its unit and description. */
	readonly fields: F;
	/** Field with the subject of the event, which is `this` in rules. */
	readonly subject?: string;
	/** Field with the entity that caused the event, which is `source` in rules. */
	readonly source?: string;
	/** Alternative names of fields in conditions, each with the field that it means. */
	readonly spellings?: Readonly<Record<string, string>>;
	/** Present if callers may send the event: fields whose form in a call differs. A reference to an entity is an id there. */
	readonly sent?: EventFields;
	/** Returns fields whose form in answers differs. They replace those of the event. */
	readonly shown?: (data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
	/** Components of the named entities that are stored with the event, because their slots may soon have other entities. */
	readonly remembers?: readonly Component[];
}

/** Values of an event. */
export type EventData<T extends EventType> = Readonly<z.output<z.ZodObject<T['fields']>>>;

/** Declares an event. */
export function event<const K extends string, const F extends EventFields>(
	declaration: EventType<K, F> & { readonly subject?: keyof F; readonly source?: keyof F },
): EventType<K, F> {
	return declaration;
}

/** Declares a field that names an entity. */
export function entityField(description: string) {
	return handle.describe(description);
}

const namingSchemas = new WeakMap<z.ZodType, boolean>();

/** Returns true if a field names an entity, or may name one. Cached, because rules check it for every event. */
export function namesEntity(schema: z.ZodType): boolean {
	let isNaming = namingSchemas.get(schema);
	if (isNaming === undefined) {
		isNaming =
			schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
				? namesEntity(schema.unwrap() as z.ZodType)
				: entityMark(schema.meta() ?? {}) === 'handle';
		namingSchemas.set(schema, isNaming);
	}
	return isNaming;
}

/** Returns true if an event may lack the field. */
export function mayLack(schema: z.ZodType): boolean {
	return schema instanceof z.ZodOptional;
}

const subjects = new WeakMap<EventType, boolean>();

/** Returns true if every event of a type has a subject. Cached, because rules check it on every tick. */
export function hasSubject(type: EventType): boolean {
	let has = subjects.get(type);
	if (has === undefined) {
		const { subject, fields } = type;
		has = subject !== undefined && !fields[subject]!.safeParse(null).success && !mayLack(fields[subject]!);
		subjects.set(type, has);
	}
	return has;
}

/** Returns the title of an event, such as `RuleSpawnEvent` for `rule_spawn`. */
export function eventTitle({ kind }: EventType): string {
	return `${titleOf(kind)}Event`;
}
