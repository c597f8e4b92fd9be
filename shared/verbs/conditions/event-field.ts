/**
 * Fields of an event that a condition can test: `amount`, `target.id`, `killer.team`, `data.tone`.
 * Owns: the list of these fields, and the names that they read besides the event.
 */

import { Hero } from '../../components/hero.ts';
import { Name } from '../../components/name.ts';
import { Role } from '../../components/role.ts';
import { Tags } from '../../components/tags.ts';
import type { Component } from '../../contract/component.ts';
import { Refusal } from '../../contract/errors.ts';
import { type EventType, namesEntity } from '../../contract/event.ts';
import { columnsReadBy, isMeasure } from '../measure-name.ts';
import { unknownWordMessage } from '../verb-text.ts';

/** Column that stores a property of an entity. */
interface Trait {
	readonly component: Component;
	readonly field: string;
	/** Column for entities without the component. */
	readonly fallback?: Trait;
}

/** Properties of an entity that are compared with a text; `tags` is compared by membership. All others are numbers. */
export const TRAITS: Readonly<Record<string, Trait>> = {
	name: {
		component: Name as Component,
		field: 'name',
		fallback: { component: Hero as Component, field: 'name' },
	},
	role: { component: Role as Component, field: 'role' },
	tags: { component: Tags as Component, field: 'tags' },
};

export type EventField =
	/** A value of the event, or a value inside one. */
	| { readonly of: 'event'; readonly keys: readonly string[] }
	/** A text or a number of an entity that the event names in a field. */
	| { readonly of: 'trait' | 'number'; readonly entityField: string; readonly name: string };

/** Returns the meaning of a field of an event type. */
export function eventField(type: EventType, field: string): EventField {
	const [first = '', ...rest] = (ownOf(type.spellings, field) ?? field).split('.');
	const declaredField = ownOf(type.fields, first);
	const name = rest.join('.');
	if (declaredField === undefined || !namesEntity(declaredField) || /^(id|generation)?$/.test(name))
		return { of: 'event', keys: [first, ...rest] };
	return { of: Object.hasOwn(TRAITS, name) ? 'trait' : 'number', entityField: first, name };
}

/** Returns the own property of a record, without inherited ones. */
function ownOf<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
	return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Returns the values that a trait can have; undefined if they are not a closed list. */
export function wordsOfTrait(name: string): readonly string[] | undefined {
	const { component, field } = TRAITS[name]!;
	const declaredField = component.fields[field]!;
	return declaredField.kind === 'word' ? declaredField.words : undefined;
}

/** Throws a Refusal for a field that events of the type do not have, and for a value that the field cannot have. */
export function checkEventField(
	type: EventType,
	{ field, value }: { readonly field: string; readonly value: unknown },
): void {
	const refuse = (of: 'field' | 'value', reason: string): never => {
		throw new Refusal(reason, undefined, of);
	};
	const meaning = eventField(type, field);
	const words = meaning.of === 'trait' ? wordsOfTrait(meaning.name) : undefined;
	if (words !== undefined && !words.some((word) => word.toLowerCase() === String(value).toLowerCase()))
		refuse('value', unknownWordMessage(`value of ${field}`, String(value), words));
	if (meaning.of === 'number' && !isMeasure(meaning.name)) {
		const knownNames = ['id', 'generation', 'team', ...Object.keys(TRAITS)];
		refuse(
			'field',
			`"${field}" is unknown; the fields of an entity are ${knownNames.join(', ')} and numbers such as level or health.percent`,
		);
	}
	if (meaning.of === 'number' && typeof value !== 'number')
		refuse('value', `${field} must be a number, got ${JSON.stringify(value)}`);
	if (meaning.of !== 'event') return;
	const [first = '', ...rest] = meaning.keys;
	const names = Object.keys(type.fields);
	if (!names.includes(first))
		refuse('field', unknownWordMessage(`field of the event ${type.kind}`, first, names));
	const { [first]: declaredField } = type.fields;
	if (rest.length > 0 && first !== 'data' && !namesEntity(declaredField!))
		refuse('field', `"${field}" is unknown; ${first} is a single value without fields`);
}

/** Returns the names that a field reads, besides the event. */
export function eventFieldReads(type: EventType, field: string): readonly string[] {
	const meaning = eventField(type, field);
	if (meaning.of === 'number') return columnsReadBy(meaning.name);
	if (meaning.of === 'event') return [];
	const { component, fallback } = TRAITS[meaning.name]!;
	return [component.name, ...(fallback === undefined ? [] : [fallback.component.name])];
}
