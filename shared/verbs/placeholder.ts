/**
 * Templates: texts with values of the world, such as `Lapis {score:team:1}, {count:team:2+alive} left`.
 * Owns: the forms of placeholders in braces. Measures and filters have the same form as in conditions.
 */

import { Refusal } from '../contract/errors.ts';
import { nearest } from '../contract/nearest.ts';
import { checkFilter } from './check-condition.ts';
import type { Condition } from './conditions/index.ts';
import { FIELD_PATHS } from './field-name.ts';
import { fullMeasureName, isMeasure } from './measure-name.ts';

/** A number of the world. */
export type PlaceholderQuantity =
	| { readonly of: 'tick' }
	/** Points of the entities that match the filter; without a filter, the highest score of an entity. */
	| { readonly of: 'score'; readonly filter?: Condition }
	/** Number of entities that match. */
	| { readonly of: 'count'; readonly filter: Condition }
	/** Measure of the first entity that matches the filter and has the measure. */
	| { readonly of: 'measure'; readonly name: string; readonly filter: Condition };

/** Content of braces: a number or another value. */
export type Placeholder = PlaceholderQuantity | { readonly of: 'time' } | { readonly of: 'phase' };

/** A piece of a template: literal letters, or a placeholder with its source. */
export type TextPiece = string | { readonly source: string; readonly placeholder: Placeholder };

const WORLD_WORDS = ['tick', 'time', 'phase'] as const;
const WORDS = [...WORLD_WORDS, 'score', 'count'];

/** Forms of all placeholders, for error texts. */
const FORMS =
	'{tick}, {time}, {phase}, {score}, {score:team:1}, {count:FILTER}, {FIELD:FILTER} such as {health.current:tag:hero}';

/** Splits a template into pieces. Throws a Refusal. */
export function readTemplate(template: string): readonly TextPiece[] {
	const pieces: TextPiece[] = [];
	let letters = '';
	const PIECE = /\{\{|\}\}|\{([^{}]*)(\}?)|[^{}]+|\}/g;
	for (const [whole, source, end] of template.matchAll(PIECE)) {
		if (source === undefined) {
			letters += whole === '{{' || whole === '}}' ? whole[0] : whole;
			continue;
		}
		if (end === '')
			throw new Refusal(
				`a "}" is missing after "${whole.slice(0, 40)}"`,
				'Close the placeholder with }, or write {{ for a brace.',
			);
		if (letters !== '') pieces.push(letters);
		letters = '';
		pieces.push({ source: source.trim(), placeholder: readPlaceholder(source.trim()) });
	}
	return letters === '' ? pieces : [...pieces, letters];
}

/** Reads the content of braces. Throws a Refusal. */
export function readPlaceholder(source: string): Placeholder {
	const [, name = '', filter] = /^([^:]*)(?::(.*))?$/s.exec(source) ?? [];
	const word = name.trim().toLowerCase();
	const worldWord = WORLD_WORDS.find((each) => each === word);
	if (worldWord !== undefined) {
		if (filter !== undefined)
			throw new Refusal(
				`"${source}": ${worldWord} is about the whole world and takes no filter`,
				`Write {${worldWord}}.`,
			);
		return { of: worldWord };
	}
	if (word === 'score')
		return filter === undefined ? { of: 'score' } : { of: 'score', filter: readFilter(filter) };
	if (word === 'count') return { of: 'count', filter: readFilter(filter ?? 'any') };
	checkName(source, name.trim());
	if (filter === undefined)
		throw new Refusal(
			`"${source}" has no filter`,
			`Write {${word}:FILTER}, such as {${word}:tag:hero} or {${word}:entity:0}.`,
		);
	return { of: 'measure', name: word, filter: readFilter(filter) };
}

/** Reads a quantity, such as `health.current:tag:hero`. Throws a Refusal. */
export function readQuantity(source: string): PlaceholderQuantity {
	const quantity = readPlaceholder(source.trim());
	if (quantity.of === 'time' || quantity.of === 'phase')
		throw new Refusal(
			`"${source}" is not a number`,
			'Name a number, such as health.percent:tag:hero, score:team:1 or count:team:2.',
		);
	return quantity;
}

/** Returns the value at which a bar of a quantity is full by default. Returns undefined if the caller must send it. */
export function defaultFullValue(quantity: PlaceholderQuantity): PlaceholderQuantity | number | undefined {
	if (quantity.of !== 'measure') return undefined;
	const name = fullMeasureName(quantity.name);
	if (/\.(percent|pct)$/.test(name)) return 100;
	if (name === 'health' || name === 'mana' || name.endsWith('.current'))
		return { ...quantity, name: `${name.split('.')[0]}.max` };
	return undefined;
}

function checkName(source: string, name: string): void {
	if (isMeasure(name)) return;
	const near = nearest(name, [...WORDS, ...FIELD_PATHS]);
	throw new Refusal(
		`"${source}": the placeholder "${name}" is unknown; known: ${FORMS}`,
		near === undefined ? `Use the placeholders ${FORMS}; {{ is a brace.` : `Did you mean "${near}"?`,
	);
}

function readFilter(filter: string): Condition {
	return checkFilter(filter.trim());
}
