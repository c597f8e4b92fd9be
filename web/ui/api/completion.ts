/**
 * Completion for the console: routes for the path, and fields and values at the caret of the body.
 * Owns: reading unfinished JSON, and describing fields of the schema. Never: asks the engine.
 */

import type { JsonSchema } from '../../../shared/contract/json-schema.ts';
import { nearest } from '../../../shared/contract/nearest.ts';
import type { RouteInfo } from './route-list.ts';

export interface Proposal {
	/** Text that is shown. */
	readonly label: string;
	/** Meaning in a few words. */
	readonly note: string;
	/** Text that replaces the text from `from` to `to`. */
	readonly insert: string;
	/** Distance of the caret behind the start of `insert`. */
	readonly caret: number;
}

export interface Completion {
	/** Character range of the text that is replaced. */
	readonly from: number;
	readonly to: number;
	readonly proposals: readonly Proposal[];
}

/** Returns the routes whose path or summary contains the typed text. Paths that begin with it come first. */
export function routeProposals(routes: readonly RouteInfo[], typed: string): readonly RouteInfo[] {
	const text = typed.trim().toLowerCase();
	const rank = (route: RouteInfo): number => {
		const path = route.path.toLowerCase();
		if (path.startsWith(text)) return 0;
		if (text !== '/' && path.includes(text.replace(/^\//, ''))) return 1;
		return route.summary.toLowerCase().includes(text.replace(/^\//, '')) ? 2 : 3;
	};
	return routes
		.map((route) => ({ route, rank: rank(route) }))
		.filter((entry) => entry.rank < 3)
		.sort((a, b) => a.rank - b.rank || a.route.path.localeCompare(b.route.path))
		.map((entry) => entry.route);
}

/** Returns the path nearest to a misspelt one. */
export function nearestPath(routes: readonly RouteInfo[], typed: string): string | undefined {
	return nearest(typed.split('?', 1)[0]!, new Set(routes.map((route) => route.path)));
}

interface CaretTarget {
	/** Keys and indexes from the root to the record or list that holds the caret. */
	readonly path: readonly (string | number)[];
	/** Kind of text at the caret: a key, or a value. */
	readonly at: 'key' | 'value';
	/** Key of the value at the caret; null for a key or a list item. */
	readonly key: string | null;
	/** Start of the word that is being typed, and the word without its quote. */
	readonly from: number;
	readonly word: string;
	/** Keys that the record already has before the caret. */
	readonly usedKeys: ReadonlySet<string>;
}

interface Level {
	readonly kind: 'record' | 'list';
	key: string | null;
	index: number;
	awaiting: 'key' | 'value';
	readonly usedKeys: Set<string>;
}

/** Returns the position of the caret in a JSON text, which may be unfinished; null outside of the root record. */
export function caretTarget(text: string, caret: number): CaretTarget | null {
	const levels: Level[] = [];
	let at = 0;
	while (at < caret) {
		const char = text[at]!;
		const level = levels.at(-1);
		if (char === '{' || char === '[') {
			levels.push({
				kind: char === '{' ? 'record' : 'list',
				key: null,
				index: 0,
				awaiting: char === '{' ? 'key' : 'value',
				usedKeys: new Set(),
			});
			at++;
		} else if (char === '}' || char === ']') {
			levels.pop();
			at++;
		} else if (char === ',' && level) {
			level.index++;
			level.awaiting = level.kind === 'record' ? 'key' : 'value';
			at++;
		} else if (char === ':' && level) {
			level.awaiting = 'value';
			at++;
		} else if (char === '"' || /[\w.+-]/.test(char)) {
			const pattern = char === '"' ? /"(?:[^"\\\n]|\\.)*"?/y : /[\w.+-]+/y;
			pattern.lastIndex = at;
			const word = pattern.exec(text)?.[0] ?? char;
			const closed = char === '"' ? word.length > 1 && word.endsWith('"') : false;
			if (at + word.length >= caret && !(closed && at + word.length === caret)) {
				return describeTarget(levels, at, text.slice(at, caret).replace(/^"/, ''));
			}
			if (level?.kind === 'record' && level.awaiting === 'key') {
				level.key = word.replaceAll('"', '');
				level.usedKeys.add(level.key);
			}
			at += word.length;
		} else at++;
	}
	return describeTarget(levels, caret, '');
}

function describeTarget(levels: readonly Level[], from: number, word: string): CaretTarget | null {
	const level = levels.at(-1);
	if (level === undefined) return null;
	const path = levels.slice(0, -1).map((l) => (l.kind === 'record' ? (l.key ?? '') : l.index));
	return {
		path,
		at: level.awaiting,
		key: level.kind === 'record' && level.awaiting === 'value' ? level.key : null,
		from,
		word,
		usedKeys: level.usedKeys,
	};
}

/** Returns the alternatives of a schema (`anyOf`, `oneOf`), flattened and without `null`. */
function alternatives(schema: JsonSchema): readonly JsonSchema[] {
	// Beside a type, `allOf` only adds conditions to the same value.
	const parts = schema.anyOf ?? schema.oneOf ?? (schema.type === undefined ? schema.allOf : undefined);
	if (!Array.isArray(parts)) return [schema];
	return (parts as JsonSchema[]).filter((part) => part.type !== 'null').flatMap(alternatives);
}

/** Returns the schemas of a field or of a list item of a schema. */
function innerSchemas(schema: JsonSchema, step: string | number): readonly JsonSchema[] {
	return alternatives(schema).flatMap((part) => {
		if (typeof step === 'string') {
			const own = (part.properties as Record<string, JsonSchema> | undefined)?.[step];
			return own ? [own] : [];
		}
		const prefix = part.prefixItems as JsonSchema[] | undefined;
		const item = prefix?.[step] ?? (part.items as JsonSchema | undefined);
		return item && typeof item === 'object' ? [item] : [];
	});
}

/** Describes a field's schema in a few words: its description, its allowed words, its variants, or its type. */
export function describeSchema(schema: JsonSchema): string {
	const parts = alternatives(schema);
	const description = [schema, ...parts].find((part) => typeof part.description === 'string')?.description;
	if (typeof description === 'string') return description;
	const words = wordsOf(schema);
	if (words.length > 0) return words.slice(0, 6).join(', ');
	const variants = parts.flatMap((part) =>
		Object.values((part.properties ?? {}) as Record<string, JsonSchema>)
			.map((field) => field.const)
			.filter((word) => typeof word === 'string'),
	);
	if (variants.length > 0) return variants.join(', ');
	return [...new Set(parts.map((part) => String(part.type ?? 'any')))].join(' or ');
}

function wordsOf(schema: JsonSchema): readonly string[] {
	return alternatives(schema).flatMap((part) => {
		if (typeof part.const === 'string') return [part.const];
		if (part.type === 'boolean') return ['true', 'false'];
		return Array.isArray(part.enum) ? part.enum.map(String) : [];
	});
}

/** Returns the text that a new value of this schema begins with, and the offset of the caret in it. */
function initialValue(schema: JsonSchema): readonly [text: string, caret: number] {
	const [first] = alternatives(schema);
	const defaultValue = first?.default ?? schema.default;
	if (defaultValue !== undefined && typeof defaultValue !== 'object') {
		const text = JSON.stringify(defaultValue);
		return [text, text.length];
	}
	if (first?.type === 'array') {
		const size = Array.isArray(first.prefixItems) ? first.prefixItems.length : 0;
		return size > 0 ? [`[${Array(size).fill('0').join(', ')}]`, 1] : ['[]', 1];
	}
	if (first?.type === 'object' || first?.properties !== undefined) return ['{  }', 2];
	if (wordsOf(schema).includes('true')) return ['true', 4];
	if (first?.type === 'number' || first?.type === 'integer') return ['', 0];
	return ['""', 1];
}

/** Returns the proposals for the caret of a body with this schema; null if there are none. */
export function completeBody(schema: JsonSchema, text: string, caret: number): Completion | null {
	const target = caretTarget(text, caret);
	if (target === null) return null;
	let schemas: readonly JsonSchema[] = [schema];
	for (const step of target.path) schemas = schemas.flatMap((part) => innerSchemas(part, step));
	const word = target.word.toLowerCase();
	const rest = /^[\w]*"?/.exec(text.slice(caret))![0];
	if (target.at === 'key') {
		const fields = new Map<string, JsonSchema>();
		for (const part of schemas.flatMap(alternatives))
			for (const [name, field] of Object.entries((part.properties ?? {}) as Record<string, JsonSchema>))
				fields.set(name, fields.get(name) ?? field);
		const after = text.slice(caret + rest.length);
		const hasColon = /^\s*:/.test(after);
		const proposals = [...fields]
			.filter(([name]) => name.toLowerCase().includes(word) && !target.usedKeys.has(name))
			.sort(([a], [b]) => Number(b.startsWith(word)) - Number(a.startsWith(word)) || a.localeCompare(b))
			.map(([name, field]): Proposal => {
				const [value, inner] = initialValue(field);
				const insert = hasColon ? `"${name}"` : `"${name}": ${value}`;
				return {
					label: name,
					note: describeSchema(field),
					insert,
					caret: hasColon ? insert.length : insert.length - value.length + inner,
				};
			});
		return proposals.length > 0 ? { from: target.from, to: caret + rest.length, proposals } : null;
	}
	const valueSchemas =
		target.key === null
			? schemas.flatMap((part) => innerSchemas(part, 0))
			: schemas.flatMap((part) => innerSchemas(part, target.key!));
	const quoted = text[target.from] === '"';
	const proposals = [...new Set(valueSchemas.flatMap(wordsOf))]
		.filter((value) => value.toLowerCase().includes(word))
		.map((value): Proposal => {
			const bare = (value === 'true' || value === 'false') && !quoted;
			const insert = bare ? value : JSON.stringify(value);
			return { label: value, note: '', insert, caret: insert.length };
		});
	return proposals.length > 0 ? { from: target.from, to: caret + rest.length, proposals } : null;
}
