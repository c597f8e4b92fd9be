/**
 * Completion for the console: which routes and which fields fit where the caret stands.
 * Owns: the reading of unfinished JSON and of the schema's field descriptions. Never: asks the engine.
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

/** Routes whose path or summary has what was typed; those that begin with it come first. */
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
	/** Of a value: its key. */
	readonly key: string | null;
	/** Start of the word that is being typed, and the word without its quote. */
	readonly from: number;
	readonly word: string;
	/** Keys that the record already has before the caret. */
	readonly taken: ReadonlySet<string>;
}

interface Level {
	readonly kind: 'record' | 'list';
	key: string | null;
	index: number;
	awaiting: 'key' | 'value';
	readonly taken: Set<string>;
}

/** Returns the place of the caret in a JSON text that need not be finished; null outside of the root record. */
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
				taken: new Set(),
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
				return describePlace(levels, at, text.slice(at, caret).replace(/^"/, ''));
			}
			if (level?.kind === 'record' && level.awaiting === 'key') {
				level.key = word.replaceAll('"', '');
				level.taken.add(level.key);
			}
			at += word.length;
		} else at++;
	}
	return describePlace(levels, caret, '');
}

function describePlace(levels: readonly Level[], from: number, word: string): CaretTarget | null {
	const level = levels.at(-1);
	if (level === undefined) return null;
	const path = levels.slice(0, -1).map((l) => (l.kind === 'record' ? (l.key ?? '') : l.index));
	return {
		path,
		at: level.awaiting,
		key: level.kind === 'record' && level.awaiting === 'value' ? level.key : null,
		from,
		word,
		taken: level.taken,
	};
}

/** Returns the schemas that a schema stands for, without "or null". */
function alternatives(schema: JsonSchema): readonly JsonSchema[] {
	// Beside a type, it says what else has to hold of the one value.
	const parts = schema.anyOf ?? schema.oneOf ?? (schema.type === undefined ? schema.allOf : undefined);
	if (!Array.isArray(parts)) return [schema];
	return (parts as JsonSchema[]).filter((part) => part.type !== 'null').flatMap(alternatives);
}

function inside(schema: JsonSchema, step: string | number): readonly JsonSchema[] {
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

/** Returns a field's schema in a few words: words it may be, type, range, what it is. */
export function describeSchema(schema: JsonSchema): string {
	const parts = alternatives(schema);
	const said = [schema, ...parts].find((part) => typeof part.description === 'string')?.description;
	if (typeof said === 'string') return said;
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

/** Text that a fresh value of this schema begins with, and where the caret goes in it. */
function starter(schema: JsonSchema): readonly [text: string, caret: number] {
	const [first] = alternatives(schema);
	const given = first?.default ?? schema.default;
	if (given !== undefined && typeof given !== 'object') {
		const text = JSON.stringify(given);
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

/** Returns what fits at the caret of a body with this schema; null if nothing does. */
export function completeBody(schema: JsonSchema, text: string, caret: number): Completion | null {
	const caretAt = caretTarget(text, caret);
	if (caretAt === null) return null;
	let here: readonly JsonSchema[] = [schema];
	for (const step of caretAt.path) here = here.flatMap((part) => inside(part, step));
	const word = caretAt.word.toLowerCase();
	const rest = /^[\w]*"?/.exec(text.slice(caret))![0];
	if (caretAt.at === 'key') {
		const fields = new Map<string, JsonSchema>();
		for (const part of here.flatMap(alternatives))
			for (const [name, field] of Object.entries((part.properties ?? {}) as Record<string, JsonSchema>))
				fields.set(name, fields.get(name) ?? field);
		const after = text.slice(caret + rest.length);
		const followed = /^\s*:/.test(after);
		const proposals = [...fields]
			.filter(([name]) => name.toLowerCase().includes(word) && !caretAt.taken.has(name))
			.sort(([a], [b]) => Number(b.startsWith(word)) - Number(a.startsWith(word)) || a.localeCompare(b))
			.map(([name, field]): Proposal => {
				const [value, inner] = starter(field);
				const insert = followed ? `"${name}"` : `"${name}": ${value}`;
				return {
					label: name,
					note: describeSchema(field),
					insert,
					caret: followed ? insert.length : insert.length - value.length + inner,
				};
			});
		return proposals.length > 0 ? { from: caretAt.from, to: caret + rest.length, proposals } : null;
	}
	const target =
		caretAt.key === null
			? here.flatMap((part) => inside(part, 0))
			: here.flatMap((part) => inside(part, caretAt.key!));
	const quoted = text[caretAt.from] === '"';
	const proposals = [...new Set(target.flatMap(wordsOf))]
		.filter((value) => value.toLowerCase().includes(word))
		.map((value): Proposal => {
			const bare = (value === 'true' || value === 'false') && !quoted;
			const insert = bare ? value : JSON.stringify(value);
			return { label: value, note: '', insert, caret: insert.length };
		});
	return proposals.length > 0 ? { from: caretAt.from, to: caret + rest.length, proposals } : null;
}
