/**
 * Writes values as words of the command line. `read-value.ts` reads them back.
 * Owns: the choice between the short form and JSON.
 */

import type { JsonSchema } from '../../shared/contract/json-schema.ts';
import {
	isScalar,
	isSimple,
	shapesOf,
	soleMember,
	vectorLength,
	withoutNull,
	wordsOf,
} from './schema-form.ts';

/** Returns the text of a value for the command line. */
export function formatValue(nullableSchema: JsonSchema, value: unknown): string {
	const schema = withoutNull(nullableSchema);
	if (typeof value === 'string' && (schema.type === 'string' || wordsOf(schema) !== undefined)) return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (vectorLength(schema) !== undefined) return (value as number[]).join(',');
	const shapes = shapesOf(schema);
	if (shapes !== undefined) {
		const record = value as Record<string, unknown>;
		const shape = shapes.find(({ word, key }) => record[key] === word);
		if (shape) return `${shape.word.toLowerCase()}:${shape.numbers.map((name) => record[name]).join(',')}`;
	}
	if (schema.type === 'array' && Array.isArray(value)) {
		const items = (schema.items ?? {}) as JsonSchema;
		if (vectorLength(items) !== undefined) return value.map((item) => formatValue(items, item)).join(':');
		const texts = value.map(String);
		if (isScalar(items) && !texts.some((text) => text.includes(','))) return texts.join(',');
	}
	const sole = soleMember(schema);
	if (sole !== undefined && isSimple(sole[1])) {
		const [memberName, memberSchema] = sole;
		const record = value as Record<string, unknown>;
		if (Object.keys(record).length === 1 && memberName in record)
			return formatValue(memberSchema, record[memberName]);
	}
	return JSON.stringify(value);
}
