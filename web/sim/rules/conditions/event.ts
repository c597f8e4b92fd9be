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
import { compare } from '../../fields/compare.ts';
import type { ConditionScope, HappeningBehaviour, NameKind } from './condition.ts';
import { measure } from './measure.ts';
import { occurrencesOf } from './occurrences.ts';

/** Values of events and of their entities that name something of the world. */
const EVENT_NAMES: Readonly<Record<string, NameKind>> = {
	'input.action': 'action',
	'ui_press.button': 'element',
};
const TRAIT_NAMES: Readonly<Record<string, NameKind>> = { tags: 'tag' };

export const event: HappeningBehaviour<ConditionOf<'event'>> = {
	holds: ({ event: kind, where }, scope, path) => {
		const sent = scope.events(kind);
		const tests = (sent.length === 0 ? [] : (where ?? [])).map(({ field, op, value }) => {
			const meant = eventField(eventType(kind), field);
			const fieldReader = readerOf(meant, scope);
			const expected = meant.of === 'trait' ? inItsWords(meant.name, value) : value;
			return (sentEvent: SentEvent) => holds(fieldReader(sentEvent), op, expected);
		});
		const matching = sent.filter((sentEvent) => tests.every((test) => test(sentEvent)));
		const occurrences = occurrencesOf(scope, kind, matching);
		// In a compound, events without a subject are a condition without one.
		const general = occurrences.every(({ subject }) => subject === null) && !hasSubject(eventType(kind));
		return path !== '' && general ? occurrences.length > 0 : occurrences;
	},
	names: ({ event: kind, where }) =>
		(where ?? []).flatMap(({ field, op, value }) => {
			const meant = eventField(eventType(kind), field);
			const named = meant.of === 'trait' ? TRAIT_NAMES[meant.name] : EVENT_NAMES[`${kind}.${field}`];
			return named === undefined || op !== 'equal' ? [] : [{ kind: named, name: String(value) }];
		}),
};

/** Returns the reader of an event's field; undefined if there is no such field. */
function readerOf(field: EventField, scope: ConditionScope): (sent: SentEvent) => unknown {
	if (field.of === 'event')
		return ({ data }) => {
			const at = field.keys.reduce<unknown>(memberOf, data);
			return memberOf(at, 'id') ?? at;
		};
	const { whom, name } = field;
	if (field.of === 'number') {
		const number = measure(name);
		return (sent) => {
			const entity = scope.named(sent, whom);
			return entity === null ? undefined : number.of(entity);
		};
	}
	const { component, field: column, otherwise } = TRAITS[name]!;
	return (sent) => {
		const entity = scope.named(sent, whom);
		return (
			entity?.value(component, column) ?? (otherwise && entity?.value(otherwise.component, otherwise.field))
		);
	};
}

/** Returns a text; one that stands for one of some words, as these are written. */
function inItsWords(trait: string, value: number | string | boolean): string {
	const text = String(value);
	return wordsOfTrait(trait)?.find((word) => word.toLowerCase() === text.toLowerCase()) ?? text;
}

/** Compares a field of an event. A list equals any of its items. */
function holds(actual: unknown, op: Operator, value: number | string | boolean): boolean {
	if (typeof actual === 'number' && typeof value === 'number') return compare(actual, op, value);
	if (op !== 'equal' && op !== 'not_equal') return false;
	const isSame = Array.isArray(actual) ? actual.includes(value) : actual === value;
	return isSame === (op === 'equal');
}

/** Returns the value of an own key; undefined without it. */
function memberOf(value: unknown, key: string): unknown {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
		? (value as Readonly<Record<string, unknown>>)[key]
		: undefined;
}
