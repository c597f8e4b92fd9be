/**
 * The declaration of an event: the one place that says its fields and what they mean.
 * Storage, digest, conditions of rules, answers and schema are all derived from it.
 */

import * as z from 'zod';
import type { Component } from './component.ts';
import { entityMark } from './entity-mark.ts';
import { handle } from './handle.ts';
import { titleOf } from './title.ts';

export type EventFields = Readonly<Record<string, z.ZodType>>;

export interface EventType<K extends string = string, F extends EventFields = EventFields> {
	/** snake_case; `rule_spawn` shows as `RuleSpawnEvent`. */
	readonly kind: K;
	readonly summary: string;
	/** Each with its unit and description. */
	readonly fields: F;
	/** Field that names the entity that the event is about: the `this` of rules. */
	readonly subject?: string;
	/** Field that names the entity that caused the event: the `source` of rules. */
	readonly source?: string;
	/** Other names of fields for conditions, each with the field that it means. */
	readonly spellings?: Readonly<Record<string, string>>;
	/** Callers may send it; fields that they write otherwise. One that names an entity takes its id. */
	readonly sent?: EventFields;
	/** Form in answers of fields that belong together: it replaces those named here. */
	readonly shown?: (data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
	/** Components that the event keeps of the entities that it names: their slots are soon other entities'. */
	readonly remembers?: readonly Component[];
}

/** The values that go with an event. */
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

const naming = new WeakMap<z.ZodType, boolean>();

/** Returns true if a field names an entity, or may. Remembered for each schema: rules ask for every event. */
export function namesEntity(schema: z.ZodType): boolean {
	let names = naming.get(schema);
	if (names === undefined) {
		names =
			schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
				? namesEntity(schema.unwrap() as z.ZodType)
				: entityMark(schema.meta() ?? {}) === 'handle';
		naming.set(schema, names);
	}
	return names;
}

/** Returns true if an event may come without the field. */
export function mayLack(schema: z.ZodType): boolean {
	return schema instanceof z.ZodOptional;
}

const subjects = new WeakMap<EventType, boolean>();

/** Returns true if every event of a type has a subject. Cached for each type: rules ask on every tick. */
export function hasSubject(type: EventType): boolean {
	let has = subjects.get(type);
	if (has === undefined) {
		const { subject, fields } = type;
		has = subject !== undefined && !fields[subject]!.safeParse(null).success && !mayLack(fields[subject]!);
		subjects.set(type, has);
	}
	return has;
}

/** `rule_spawn` -> `RuleSpawnEvent` */
export function eventTitle({ kind }: EventType): string {
	return `${titleOf(kind)}Event`;
}
