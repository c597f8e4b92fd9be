/**
 * Conditions of assertions: reading their short forms and checking that every word in them is known.
 * Owns: the short words and their parameters.
 */

import type * as z from 'zod';
import { Fault } from '../../../shared/contract/errors.ts';
import { nearest } from '../../../shared/contract/nearest.ts';
import type { AssertionCondition, untilDocument } from '../../../shared/documents/assertion.ts';
import { operator } from '../../../shared/documents/rule.ts';
import { FieldPathError } from '../fields/field-path.ts';
import { ANY, componentNamed, type Filter, FilterError, parseFilter } from '../filters/filter.ts';
import { measure } from './measure.ts';

/** A condition whose filter is in typed form and whose words are all known. */
export type Condition = AssertionCondition extends infer C
	? C extends { filter: unknown }
		? Omit<C, 'filter'> & { readonly filter: Filter }
		: C
	: never;

/** What stands beside a short word. */
export interface Parameters {
	readonly filter?: Filter | string | null | undefined;
	readonly min?: number | null | undefined;
	readonly max?: number | null | undefined;
	readonly min_distance?: number | null | undefined;
	readonly phase?: Extract<AssertionCondition, { type: 'game_phase' }>['phase'] | null | undefined;
	readonly field?: string | null | undefined;
	readonly op?: Extract<AssertionCondition, { type: 'field_check' }>['op'] | null | undefined;
	readonly value?: number | null | undefined;
}

const WORDS: Readonly<Record<string, AssertionCondition['type']>> = {
	'entity-exists': 'entity_exists',
	exists: 'entity_exists',
	'entity-count': 'entity_count',
	count: 'entity_count',
	'field-check': 'field_check',
	field: 'field_check',
	'all-teams-have-spawns': 'all_teams_have_spawn_points',
	spawns: 'all_teams_have_spawn_points',
	'no-overlap': 'no_overlap',
	overlap: 'no_overlap',
	'none-dead': 'none_are_dead',
	alive: 'none_are_dead',
	'no-zero-health': 'no_zero_health_alive',
	renderable: 'all_renderable_have_transform',
	'all-renderable': 'all_renderable_have_transform',
	'game-phase': 'game_phase',
	phase: 'game_phase',
	'entity-budget': 'entity_budget',
	budget: 'entity_budget',
};

function refuse(path: string, message: string): never {
	throw new Fault('invalid_assertion', `${path}: ${message}`, { path });
}

/** The filter in typed form. Throws `invalid_assertion`. */
export function filterOf(sent: Filter | string | null | undefined, path = 'filter'): Filter {
	if (sent == null) return ANY;
	try {
		const filter = typeof sent === 'string' ? parseFilter(sent) : sent;
		checkWords(filter, path);
		return filter;
	} catch (error) {
		if (error instanceof FilterError) refuse(path, `${error.message}.`);
		throw error;
	}
}

function checkWords(filter: Filter, path: string): void {
	if (filter.type === 'and') {
		for (const [i, part] of filter.filters.entries()) checkWords(part, `${path}.filters[${i}]`);
		return;
	}
	if (filter.type === 'has_component' && componentNamed(filter.component) === undefined)
		refuse(`${path}.component`, `there is no component "${filter.component}".`);
}

/** A typed condition with its words checked. Throws `invalid_assertion`. */
export function soundCondition(sent: AssertionCondition, path = 'condition'): Condition {
	if (sent.type === 'field_check') {
		try {
			measure(sent.field);
		} catch (error) {
			if (error instanceof FieldPathError) refuse(`${path}.field`, `${error.message}.`);
			throw error;
		}
	}
	if ('filter' in sent)
		return { ...sent, filter: filterOf(sent.filter as Filter | string, `${path}.filter`) } as Condition;
	return sent as Condition;
}

/** The condition that a short word and its parameters mean. Throws `invalid_assertion`. */
export function conditionFromWord(sent: string, given: Parameters): Condition {
	const name = sent.trim().toLowerCase().replaceAll('_', '-');
	const types = Object.values(WORDS) as string[];
	const spelled = name.replaceAll('-', '_');
	const type = WORDS[name] ?? (types.includes(spelled) ? (spelled as AssertionCondition['type']) : undefined);
	if (type === undefined) {
		const near = nearest(name, Object.keys(WORDS));
		throw new Fault('invalid_assertion', `There is no condition "${sent}".`, {
			fix: near ? `Did you mean "${near}"?` : `Known conditions: ${Object.keys(WORDS).join(', ')}.`,
			path: 'condition',
		});
	}
	const filter = filterOf(given.filter as Filter | string | null | undefined);
	const need = <T>(value: T | null | undefined, key: string): T =>
		value ?? refuse(key, `the condition ${name} needs "${key}".`);
	switch (type) {
		case 'entity_exists':
		case 'none_are_dead':
			return { type, filter };
		case 'entity_count':
			return {
				type,
				filter,
				...(given.min == null ? {} : { min: given.min }),
				...(given.max == null ? {} : { max: given.max }),
			};
		case 'field_check': {
			const field = need(given.field, 'field');
			const value = need(given.value, 'value');
			return soundCondition({ type, filter, field, op: given.op ?? 'greater', value });
		}
		case 'no_overlap':
			return { type, filter, min_distance: given.min_distance ?? 0.5 };
		case 'game_phase':
			return { type, phase: need(given.phase, 'phase') };
		case 'entity_budget':
			return { type, max: need(given.max, 'max') };
		default:
			return { type };
	}
}

const WHOLE = /^\d+$/;

/**
 * The condition of one text: a short word, then what it takes in any order: a filter, `min=3`, `max=3`,
 * `distance=0.5`, for phase its name, for budget a number, for field `health < 50`. Throws `invalid_assertion`.
 */
export function conditionFromText(sent: string): Condition {
	const [name = '', ...rest] = sent.trim().split(/\s+/);
	const given: { -readonly [K in keyof Parameters]: Parameters[K] } = {};
	const kind = WORDS[name.toLowerCase().replaceAll('_', '-')];
	for (let i = 0; i < rest.length; i++) {
		const part = rest[i]!;
		const [, key, value] = /^(min|max|distance)=([\d.]+)$/.exec(part) ?? [];
		const op = operator.safeParse(part);
		if (key === 'distance') given.min_distance = Number(value);
		else if (key !== undefined && WHOLE.test(value!)) given[key as 'min' | 'max'] = Number(value);
		else if (kind === 'field_check' && given.field === undefined) given.field = part;
		else if (kind === 'field_check' && op.success) {
			const number = Number(rest[++i]);
			if (rest[i] === undefined || !Number.isFinite(number))
				refuse('until', `after ${part} comes the number to compare with.`);
			given.op = op.data;
			given.value = number;
		} else if (kind === 'game_phase') given.phase = part.toLowerCase() as NonNullable<Parameters['phase']>;
		else if (kind === 'entity_budget' && WHOLE.test(part)) given.max = Number(part);
		else if (kind === 'no_overlap' && /^[\d.]+$/.test(part)) given.min_distance = Number(part);
		else given.filter = part;
	}
	const condition = conditionFromWord(name, given);
	if (condition.type === 'game_phase' && !PHASE_WORDS.includes(condition.phase))
		refuse('until', `there is no phase "${condition.phase}"; known: ${PHASE_WORDS.join(', ')}.`);
	return condition;
}

const PHASE_WORDS: readonly string[] = ['lobby', 'countdown', 'playing', 'post_match'];

/** The condition that a probe waits for. Throws `invalid_assertion`. */
export function untilCondition(sent: z.output<typeof untilDocument>): Condition {
	if (typeof sent === 'string') return conditionFromText(sent);
	if ('type' in sent) return soundCondition(sent, 'until');
	return conditionFromWord(sent.condition, sent);
}
