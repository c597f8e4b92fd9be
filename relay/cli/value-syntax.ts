/**
 * Describes values of the command line for its help: `x,y,z`, `cube|sphere`, `JSON`.
 * Owns: the notation.
 */

import type { JsonSchema } from '../../shared/contract/json-schema.ts';
import {
	entriesOf,
	isScalar,
	isSimple,
	shapesOf,
	soleMember,
	textForm,
	vectorLength,
	withoutNull,
	wordsOf,
} from './schema-form.ts';

/** Returns the description of a value for help, followed by that of its short text form. */
export function descriptionOf(nullableSchema: JsonSchema): string {
	const schema = withoutNull(nullableSchema);
	const form = textForm((schema.items ?? schema) as JsonSchema);
	const descriptions = [nullableSchema.description ?? schema.description, form?.description];
	return [...new Set(descriptions.filter((text) => text !== undefined))].join('. ');
}

/** Returns the form of a value, for help: `x,y,z`, `cube|sphere`, `JSON`. */
export function syntaxOf(nullableSchema: JsonSchema): string {
	const schema = withoutNull(nullableSchema);
	const words = wordsOf(schema);
	if (words !== undefined) return words.join('|');
	if (schema.type === 'boolean') return 'true|false';
	if (schema.type === 'integer') return 'N';
	if (schema.type === 'number') return 'NUMBER';
	if (schema.type === 'string') return 'TEXT';
	const length = vectorLength(schema);
	if (length !== undefined) return 'xyzw'.slice(0, length).split('').join(',');
	const shapes = shapesOf(schema);
	if (shapes)
		return shapes.map(({ word, numbers }) => `${word.toLowerCase()}:${numbers.join(',')}`).join('|');
	if (schema.type === 'array') {
		const items = (schema.items ?? {}) as JsonSchema;
		if (vectorLength(items) !== undefined) return `${syntaxOf(items)}:${syntaxOf(items)}`;
		if (isScalar(items)) return `${syntaxOf(items)},...`;
		if (textForm(items) !== undefined) return syntaxOf(items);
	}
	const entries = entriesOf(schema);
	if (entries !== undefined) return `KEY:${syntaxOf(entries)},...`;
	if (textForm(schema) !== undefined) return 'TEXT or JSON';
	const sole = soleMember(schema);
	return sole && isSimple(sole[1]) ? `${syntaxOf(sole[1])} or JSON` : 'JSON';
}
