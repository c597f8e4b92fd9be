/**
 * Conditions of assertions: reading their short forms and checking that every word in them is known.
 * Owns: the short words and their parameters.
 */

import type * as z from 'zod';
import { components } from '../../../shared/components/index.ts';
import { Fault } from '../../../shared/contract/errors.ts';
import { nearest, suggestion } from '../../../shared/contract/nearest.ts';
import { type AssertionCondition, PHASES, type untilDocument } from '../../../shared/documents/assertion.ts';
import { operator } from '../../../shared/documents/condition.ts';
import { FIELD_PATHS, FieldPathError } from '../../../shared/verbs/field-name.ts';
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

/** What each kind of condition takes beside its word. */
const TAKES: Readonly<Record<AssertionCondition['type'], readonly (keyof Parameters)[]>> = {
	entity_exists: ['filter'],
	entity_count: ['filter', 'min', 'max'],
	field_check: ['filter', 'field', 'op', 'value'],
	all_teams_have_spawn_points: [],
	no_overlap: ['filter', 'min_distance'],
	none_are_dead: ['filter'],
	no_zero_health_alive: [],
	all_renderable_have_transform: [],
	game_phase: ['phase'],
	entity_budget: ['max'],
};

function refuse(path: string, message: string, fix?: string): never {
	throw new Fault('invalid_assertion', `${path}: ${message}`, { path, fix });
}

/** The filter in typed form. Throws `invalid_assertion`. */
export function filterOf(sent: Filter | string | null | undefined, path = 'filter'): Filter {
	if (sent == null) return ANY;
	try {
		const filter = typeof sent === 'string' ? parseFilter(sent) : sent;
		checkWords(filter, path);
		return filter;
	} catch (error) {
		if (error instanceof FilterError) refuse(path, `${error.message}.`, error.fix);
		throw error;
	}
}

function checkWords(filter: Filter, path: string): void {
	if (filter.type === 'and') {
		for (const [i, part] of filter.filters.entries()) checkWords(part, `${path}.filters[${i}]`);
		return;
	}
	if (filter.type === 'has_component' && componentNamed(filter.component) === undefined)
		refuse(
			`${path}.component`,
			`there is no component "${filter.component}".`,
			suggestion(
				filter.component,
				components.map(({ name }) => name),
			),
		);
}

/** A typed condition with its words checked. Throws `invalid_assertion`. */
export function soundCondition(sent: AssertionCondition, path = 'condition'): Condition {
	if (sent.type === 'field_check') {
		try {
			measure(sent.field);
		} catch (error) {
			if (error instanceof FieldPathError) refuse(`${path}.field`, `${error.message}.`, error.fix);
			throw error;
		}
	}
	if (sent.type === 'entity_count' && sent.min != null && sent.max != null && sent.min > sent.max)
		refuse(
			`${path}.max`,
			`no number is at least ${sent.min} and at most ${sent.max}.`,
			'Send "max" no lower than "min".',
		);
	if ('filter' in sent)
		return { ...sent, filter: filterOf(sent.filter as Filter | string, `${path}.filter`) } as Condition;
	return sent as Condition;
}

/** The kind of condition that a word names. Throws `invalid_assertion`. */
function kindOf(sent: string, path: string): AssertionCondition['type'] {
	const name = sent.trim().toLowerCase().replaceAll('_', '-');
	const typed = name.replaceAll('-', '_');
	if (Object.hasOwn(WORDS, name)) return WORDS[name]!;
	if (Object.hasOwn(TAKES, typed)) return typed as AssertionCondition['type'];
	const near = nearest(name, Object.keys(WORDS));
	const field = FIELD_PATHS.includes(sent.trim().toLowerCase());
	const fix = field
		? `Write "field ${sent} < 50": the word field, a field, a comparison, a number.`
		: near
			? `Did you mean "${near}"?`
			: `Known conditions: ${Object.keys(WORDS).join(', ')}.`;
	throw new Fault('invalid_assertion', `There is no condition "${sent}".`, { fix, path });
}

/** The condition that a short word and its parameters mean. Throws `invalid_assertion`. */
export function conditionFromWord(sent: string, given: Parameters, path = 'condition'): Condition {
	const type = kindOf(sent, path);
	for (const key of Object.keys(given) as (keyof Parameters)[]) {
		if (given[key] == null || TAKES[type].includes(key)) continue;
		const taken = TAKES[type].join(', ') || 'nothing';
		refuse(key, `the condition ${sent} takes no "${key}".`, `Leave "${key}" out; ${sent} takes ${taken}.`);
	}
	const filter = filterOf(given.filter);
	const need = <T>(value: T | null | undefined, key: string): T =>
		value ?? refuse(key, `the condition ${sent} needs "${key}".`, `Send "${key}" beside the condition.`);
	switch (type) {
		case 'entity_exists':
		case 'none_are_dead':
			return { type, filter };
		case 'entity_count':
			return soundCondition({
				type,
				filter,
				...(given.min == null ? {} : { min: given.min }),
				...(given.max == null ? {} : { max: given.max }),
			});
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

/**
 * A condition as a caller writes it: typed, a word with its parameters beside it, or a word with them behind it.
 * Throws `invalid_assertion`.
 */
export function conditionOf(sent: AssertionCondition | string, given: Parameters = {}): Condition {
	const typed = typeof sent !== 'string';
	if (!typed && !/\s/.test(sent.trim())) return conditionFromWord(sent, given);
	const beside = Object.entries(given).find(([, value]) => value != null)?.[0];
	if (beside !== undefined)
		refuse(
			beside,
			`a condition ${typed ? 'in typed form' : 'of several words'} takes nothing beside it.`,
			`Send "${beside}" within "condition".`,
		);
	return typed ? soundCondition(sent) : conditionFromText(sent, 'condition');
}

const WHOLE = /^\d+$/;
const DECIMAL = /^\d+(\.\d+)?$/;

/**
 * The condition of one text: a short word, then what it takes in any order: a filter, `min=3`, `max=3`,
 * `distance=0.5`, for phase its name, for budget a number, for field `health < 50`. Throws `invalid_assertion`.
 */
export function conditionFromText(sent: string, path: string): Condition {
	// Comparisons need no blanks around them: no filter has their signs.
	const [name = '', ...parts] = sent
		.replace(/[<>=!]=|[<>]/g, ' $& ')
		.trim()
		.split(/\s+/);
	const kind = kindOf(name, path);
	const given: { -readonly [K in keyof Parameters]: Parameters[K] } = {};
	const set = <K extends keyof Parameters>(key: K, value: NonNullable<Parameters[K]>) => {
		if (given[key] !== undefined)
			refuse(
				path,
				`"${sent}" gives ${key} twice: ${given[key]} and ${value}.`,
				key === 'filter'
					? 'Give one filter, its parts joined with +, as in team:2+role:hero.'
					: `Give ${key} once.`,
			);
		given[key] = value;
	};
	for (let i = 0; i < parts.length; i++) {
		const part = parts[i]!;
		const [, key, value = ''] = /^(min|max|distance)=(.*)$/.exec(part) ?? [];
		const op = operator.safeParse(part);
		if (key !== undefined) {
			const fits = key === 'distance' ? DECIMAL : WHOLE;
			if (!fits.test(value)) refuse(path, `"${part}": ${value} is no number that ${key} can be.`);
			set(key === 'distance' ? 'min_distance' : (key as 'min' | 'max'), Number(value));
		} else if (kind === 'field_check' && given.field === undefined) set('field', part);
		else if (kind === 'field_check' && op.success) {
			const number = Number(parts[++i]);
			if (parts[i] === undefined || !Number.isFinite(number))
				refuse(path, `after ${part} comes the number to compare with.`);
			set('op', op.data);
			set('value', number);
		} else if (kind === 'game_phase') set('phase', phaseNamed(part, path));
		else if (kind === 'entity_budget' && WHOLE.test(part)) set('max', Number(part));
		else if (kind === 'no_overlap' && DECIMAL.test(part)) set('min_distance', Number(part));
		else if (kind === 'entity_count' && op.success)
			refuse(path, `"${sent}" compares with ${part}.`, 'Say how many with min=N and max=N.');
		else set('filter', part);
	}
	return conditionFromWord(name, given, path);
}

function phaseNamed(sent: string, path: string): (typeof PHASES)[number] {
	const phase = PHASES.find((known) => known === sent.toLowerCase());
	return phase ?? refuse(path, `there is no phase "${sent}".`, suggestion(sent, PHASES));
}

/** The condition that a probe waits for. Throws `invalid_assertion`. */
export function untilCondition(sent: z.output<typeof untilDocument>): Condition {
	if (typeof sent === 'string') return conditionFromText(sent, 'until');
	if ('type' in sent) return soundCondition(sent, 'until');
	const { condition, ...given } = sent;
	return conditionFromWord(condition, given, 'until.condition');
}
