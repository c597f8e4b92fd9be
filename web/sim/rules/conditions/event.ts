/** The condition `event`. */

import { hasSubject } from '../../../../shared/contract/event.ts';
import type { Operator } from '../../../../shared/contract/operators.ts';
import { eventType } from '../../../../shared/documents/event.ts';
import {
	type EventField,
	eventField,
	TRAITS,
	wordsOfTrait,
} from '../../../../shared/verbs/conditions/event-field.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { SentEvent } from '../../core/events.ts';
import { isSatisfied } from '../../fields/compare.ts';
import type { ConditionScope, HappeningBehaviour, NameKind } from './condition.ts';
import { measure } from './measure.ts';
import { occurrencesOf } from './occurrences.ts';

/** Fields of events, and traits of their entities, that contain a name of the world. */
const EVENT_NAMES: Readonly<Record<string, NameKind>> = {
	'input.action': 'action',
	'ui_press.button': 'element',
};
const TRAIT_NAMES: Readonly<Record<string, NameKind>> = { tags: 'tag' };

export const event: HappeningBehaviour<ConditionOf<'event'>> = {
	holds: ({ event: kind, where }, scope, path) => {
		const sent = scope.events(kind);
		const tests = (sent.length === 0 ? [] : (where ?? [])).map(({ field, op, value }) => {
			const eventValue = eventField(eventType(kind), field);
			const fieldReader = readerOf(eventValue, scope);
			const expected = eventValue.of === 'trait' ? canonicalWord(eventValue.name, value) : value;
			return (sentEvent: SentEvent) => compareValue(fieldReader(sentEvent), op, expected);
		});
		const matching = sent.filter((sentEvent) => tests.every((test) => test(sentEvent)));
		const occurrences = occurrencesOf(scope, kind, matching);
		// In a compound, events without a subject are a condition without a subject.
		const hasNoSubject = occurrences.every(({ subject }) => subject === null) && !hasSubject(eventType(kind));
		return path !== '' && hasNoSubject ? occurrences.length > 0 : occurrences;
	},
	names: ({ event: kind, where }) =>
		(where ?? []).flatMap(({ field, op, value }) => {
			const eventValue = eventField(eventType(kind), field);
			const nameKind =
				eventValue.of === 'trait' ? TRAIT_NAMES[eventValue.name] : EVENT_NAMES[`${kind}.${field}`];
			return nameKind === undefined || op !== 'equal' ? [] : [{ kind: nameKind, name: String(value) }];
		}),
};

/** Returns a function that reads a field of an event; it returns undefined if the event has no such value. */
function readerOf(field: EventField, scope: ConditionScope): (sent: SentEvent) => unknown {
	if (field.of === 'event')
		return ({ data }) => {
			const value = field.keys.reduce<unknown>(memberOf, data);
			return memberOf(value, 'id') ?? value;
		};
	const { entityField, name } = field;
	if (field.of === 'number') {
		const number = measure(name);
		return (sent) => {
			const entity = scope.namedEntity(sent, entityField);
			return entity === null ? undefined : number.of(entity);
		};
	}
	const { component, field: column, fallback } = TRAITS[name]!;
	return (sent) => {
		const entity = scope.namedEntity(sent, entityField);
		return (
			entity?.value(component, column) ?? (fallback && entity?.value(fallback.component, fallback.field))
		);
	};
}

/** Returns a value as text. If the trait has fixed words, letter case is ignored and the word is returned as declared. */
function canonicalWord(trait: string, value: number | string | boolean): string {
	const text = String(value);
	return wordsOfTrait(trait)?.find((word) => word.toLowerCase() === text.toLowerCase()) ?? text;
}

/** Compares a field of an event with a value. A list is equal to any of its items. */
function compareValue(actual: unknown, op: Operator, value: number | string | boolean): boolean {
	if (typeof actual === 'number' && typeof value === 'number') return isSatisfied(actual, op, value);
	if (op !== 'equal' && op !== 'not_equal') return false;
	const isSame = Array.isArray(actual) ? actual.includes(value) : actual === value;
	return isSame === (op === 'equal');
}

/** Returns the value of an own key; undefined if the key is missing. */
function memberOf(value: unknown, key: string): unknown {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
		? (value as Readonly<Record<string, unknown>>)[key]
		: undefined;
}
