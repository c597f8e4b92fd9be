/**
 * Texts that follow the world: `Lapis {score:team:1}, {count:team:2+alive} left`.
 * Owns: the forms between braces. Numbers and filters are those of conditions.
 */

import { Refusal } from '../contract/errors.ts';
import { nearest } from '../contract/nearest.ts';
import type { Condition } from './conditions/index.ts';
import { FIELD_PATHS } from './field-name.ts';
import { isMeasure, measureName } from './measure-name.ts';
import { soundFilter } from './sound-condition.ts';

/** A number of the world. */
export type PlaceholderQuantity =
	| { readonly of: 'tick' }
	/** Points of the entities that match the filter; without one, the highest points of any. */
	| { readonly of: 'score'; readonly filter?: Condition }
	/** Number of entities that match. */
	| { readonly of: 'count'; readonly filter: Condition }
	/** A number of the first entity that matches the filter and has it. */
	| { readonly of: 'measure'; readonly name: string; readonly filter: Condition };

/** Content of braces: a number, or a value that is not one. */
export type Placeholder = PlaceholderQuantity | { readonly of: 'time' } | { readonly of: 'phase' };

/** A part of a text: letters as they stand, or what takes their place. */
export type TextPiece = string | { readonly source: string; readonly placeholder: Placeholder };

const ALONE = ['tick', 'time', 'phase'] as const;
const WORDS = [...ALONE, 'score', 'count'];

/** The forms there are, for people. */
const FORMS =
	'{tick}, {time}, {phase}, {score}, {score:team:1}, {count:FILTER}, {FIELD:FILTER} such as {health.current:tag:hero}';

/** Returns the parts of a text. Throws a Refusal. */
export function readTemplate(template: string): readonly TextPiece[] {
	const pieces: TextPiece[] = [];
	let letters = '';
	const rest = /\{\{|\}\}|\{([^{}]*)(\}?)|[^{}]+|\}/g;
	for (const [whole, source, end] of template.matchAll(rest)) {
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

/** Reads what is between braces. Throws a Refusal. */
export function readPlaceholder(source: string): Placeholder {
	const [, name = '', filter] = /^([^:]*)(?::(.*))?$/s.exec(source) ?? [];
	const word = name.trim().toLowerCase();
	const alone = ALONE.find((candidate) => candidate === word);
	if (alone !== undefined) {
		if (filter !== undefined)
			throw new Refusal(
				`"${source}": ${alone} is about the whole world and takes no filter`,
				`Write {${alone}}.`,
			);
		return { of: alone };
	}
	if (word === 'score')
		return filter === undefined ? { of: 'score' } : { of: 'score', filter: typed(filter) };
	if (word === 'count') return { of: 'count', filter: typed(filter ?? 'any') };
	checkName(source, name.trim());
	if (filter === undefined)
		throw new Refusal(
			`"${source}" has no filter`,
			`Write {${word}:FILTER}, such as {${word}:tag:hero} or {${word}:entity:0}.`,
		);
	return { of: 'measure', name: word, filter: typed(filter) };
}

/** Reads a number that something follows, such as `health.current:tag:hero`. Throws a Refusal. */
export function readQuantity(source: string): PlaceholderQuantity {
	const read = readPlaceholder(source.trim());
	if (read.of === 'time' || read.of === 'phase')
		throw new Refusal(
			`"${source}" is not a number`,
			'Name a number, such as health.percent:tag:hero, score:team:1 or count:team:2.',
		);
	return read;
}

/** Returns the default full value of a bar that follows a number; undefined if it must be given. */
export function usualFull(followed: PlaceholderQuantity): PlaceholderQuantity | number | undefined {
	if (followed.of !== 'measure') return undefined;
	const name = measureName(followed.name);
	if (/\.(percent|pct)$/.test(name)) return 100;
	if (name === 'health' || name === 'mana' || name.endsWith('.current'))
		return { ...followed, name: `${name.split('.')[0]}.max` };
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

function typed(filter: string): Condition {
	return soundFilter(filter.trim());
}
