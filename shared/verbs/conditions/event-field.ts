/**
 * Fields of an event that a condition can test: `amount`, `target.id`, `killer.team`, `data.tone`.
 * Owns: which there are, and what they are read from beside the event.
 */

import { Hero } from '../../components/hero.ts';
import { Role } from '../../components/role.ts';
import { Tags } from '../../components/tags.ts';
import type { Component } from '../../contract/component.ts';
import { type EventType, namesEntity } from '../../contract/event.ts';
import { checkMeasure, measureReads } from '../measure-name.ts';
import { unknownWord } from '../verb-text.ts';
import type { RefuseField } from './condition.ts';

/** What of somebody can be compared with a text; of labels, whether one is among them. Anything else is a number. */
export const TRAITS: Readonly<Record<string, { readonly component: Component; readonly field: string }>> = {
	name: { component: Hero as Component, field: 'name' },
	role: { component: Role as Component, field: 'role' },
	tags: { component: Tags as Component, field: 'tags' },
};

export type EventField =
	/** A value of the event, or within one. */
	| { readonly of: 'event'; readonly keys: readonly string[] }
	/** A text or a number of somebody whom the event names in a field. */
	| { readonly of: 'trait' | 'number'; readonly whom: string; readonly name: string };

/** What a field of an event of some type means. */
export function eventField(type: EventType, field: string): EventField {
	const [first = '', ...rest] = (type.spellings?.[field] ?? field).split('.');
	const declared = type.fields[first];
	const name = rest.join('.');
	if (declared === undefined || !namesEntity(declared) || /^(id|generation)?$/.test(name))
		return { of: 'event', keys: [first, ...rest] };
	return { of: Object.hasOwn(TRAITS, name) ? 'trait' : 'number', whom: first, name };
}

/** The words that a trait can be, if it can be no others. */
export function wordsOfTrait(name: string): readonly string[] | undefined {
	const { component, field } = TRAITS[name]!;
	const declared = component.fields[field]!;
	return declared.kind === 'word' ? declared.words : undefined;
}

/** Refuses a field that no event of the type has, and a word that it cannot be. */
export function checkEventField(
	type: EventType,
	{ field, value }: { readonly field: string; readonly value: unknown },
	at: string,
	refuse: RefuseField,
): void {
	const meant = eventField(type, field);
	const words = meant.of === 'trait' ? wordsOfTrait(meant.name) : undefined;
	if (words !== undefined && !words.some((word) => word.toLowerCase() === String(value).toLowerCase()))
		refuse(`${at}.value`, unknownWord(`word of ${field}`, String(value), words));
	if (meant.of === 'number') {
		try {
			checkMeasure(meant.name);
		} catch {
			const known = ['id', 'generation', 'team', ...Object.keys(TRAITS)];
			refuse(
				`${at}.field`,
				`"${field}" is not understood; of somebody ${known.join(', ')} can be compared, and numbers such as level or health.percent`,
			);
		}
	}
	if (meant.of === 'number' && typeof value !== 'number')
		refuse(`${at}.value`, `${field} is a number, got ${JSON.stringify(value)}`);
	if (meant.of !== 'event') return;
	const [first = '', ...rest] = meant.keys;
	const names = Object.keys(type.fields);
	if (!names.includes(first))
		refuse(`${at}.field`, unknownWord(`field of the event ${type.kind}`, first, names));
	const { [first]: declared } = type.fields;
	if (rest.length > 0 && first !== 'data' && !namesEntity(declared!))
		refuse(`${at}.field`, `"${field}" is not understood; ${first} is one value`);
}

/** What a field is read from beside the event. */
export function eventFieldReads(type: EventType, field: string): readonly string[] {
	const meant = eventField(type, field);
	if (meant.of === 'number') return measureReads(meant.name);
	return meant.of === 'trait' ? [TRAITS[meant.name]!.component.name] : [];
}
