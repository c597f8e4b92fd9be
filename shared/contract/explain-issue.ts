/**
 * Puts a schema's objections into words that say what to send instead.
 * Owns: the wording of shape errors.
 */

import type * as z from 'zod';
import { ApiError, type ErrorCode } from './errors.ts';
import { nearest, shortenName } from './nearest.ts';

type Issue = z.core.$ZodIssue;

/** `entities[2].health` */
export function pathText(path: readonly PropertyKey[]): string {
	let text = '';
	for (const key of path)
		text += typeof key === 'number' ? `[${key}]` : `${text === '' ? '' : '.'}${shortenName(String(key))}`;
	return text;
}

/** Returns the refusal for the first objection of a schema. `whole` names what was sent, such as a file. */
export function shapeError(
	code: ErrorCode,
	schema: z.ZodType,
	error: z.ZodError,
	sent: unknown,
	whole = 'The body',
): ApiError {
	const issue = deepest(error.issues as Issue[], sent);
	if (issue.code === 'invalid_key') return keyError(code, schema, issue, whole);
	const path = pathText(issue.path);
	const where = path === '' ? whole : path;
	const worded = inWords(issue, where, schema, at(sent, issue.path));
	const { message } = worded;
	const fix = `${worded.fix}${strayKey(schema, issue, sent)}`;
	return new ApiError(code, message, path === '' ? { fix } : { fix, path });
}

/** Returns the refusal for the first objection to a key of a record, whose schema is about the key alone. */
function keyError(
	code: ErrorCode,
	schema: z.ZodType,
	{ path, issues }: z.core.$ZodIssueInvalidKey,
	whole: string,
): ApiError {
	const key = String(path.at(-1));
	const record = pathText(path.slice(0, -1));
	const where = `the key ${show(key)} of ${record === '' ? whole.replace('The', 'the') : record}`;
	const { message, fix } = inWords({ ...issues[0]!, path: [] } as Issue, where, schema, key);
	return new ApiError(code, message, record === '' ? { fix } : { fix, path: record });
}

/** Beside a missing key: one that is there and is not known, often the same thing under another name. */
function strayKey(schema: z.ZodType, issue: Issue, sent: unknown): string {
	if (issue.path.length === 0 || at(sent, issue.path) !== undefined) return '';
	const around = issue.path.slice(0, -1);
	const knownNames = keysOf(schemasAt(schema, around), []);
	const [stray] = Object.keys(Object(at(sent, around))).filter((key) => !knownNames.includes(key));
	return stray === undefined || knownNames.length === 0 ? '' : ` The key "${shortenName(stray)}" is unknown.`;
}

/** Of a union's objections, those of the alternative that came furthest. `sent` is what the issues are about. */
function deepest(issues: readonly Issue[], sent: unknown): Issue {
	const [first] = issues;
	if (first === undefined) throw new Error('a schema refused without an issue');
	if (first.code !== 'invalid_union' || first.errors.length === 0) return first;
	const valueAtPath = at(sent, first.path);
	const types = first.errors.map((errors) => typeWanted(errors as Issue[]));
	if (types.every((type) => type !== undefined)) {
		const expected = [...new Set(types)].join(' or ');
		return { code: 'invalid_type', expected, path: first.path, input: valueAtPath } as unknown as Issue;
	}
	const [best] = (first.errors as Issue[][])
		.map((errors) => ({
			issue: deepest(errors, valueAtPath),
			other: errors.some((error) => otherForm(error, valueAtPath)),
		}))
		.sort((a, b) => rank(b) - rank(a))
		.map(({ issue }) => issue) as [Issue];
	// No word of one alternative: it may be that another one was meant, so all are told.
	if (best.code === 'invalid_value' && best.path.length === 0 && types.some((type) => type !== undefined)) {
		const near = typeof valueAtPath === 'string' ? nearest(valueAtPath, best.values.map(String)) : undefined;
		if (near === undefined) return { ...first, errors: [] } as Issue;
	}
	return { ...best, path: [...first.path, ...best.path] } as Issue;
}

/** Returns the type that an alternative asks for, when all it objects to is the type. */
function typeWanted(errors: readonly Issue[]): string | undefined {
	const [first] = errors;
	if (first?.code === 'invalid_union' && first.path.length === 0 && first.errors.length > 0) {
		const types = first.errors.map((each) => typeWanted(each as Issue[]));
		return types.includes(undefined) ? undefined : [...new Set(types)].join(' or ');
	}
	if (first?.code !== 'invalid_type' || first.path.length > 0) return undefined;
	return article(first.expected);
}

/** Returns true if an objection suggests another alternative: an unknown key, or a missing one. */
function otherForm(issue: Issue, sent: unknown): boolean {
	if (issue.code === 'unrecognized_keys') return issue.path.length === 0;
	return issue.path.length === 1 && at(sent, issue.path) === undefined;
}

function rank({ issue, other }: { readonly issue: Issue; readonly other: boolean }): number {
	// That all of it is of another type says less than what is wrong with one of the right type.
	const unlike = issue.path.length === 0 && issue.code === 'invalid_type';
	return issue.path.length * 3 + (other ? 0 : unlike ? 1 : 2);
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
	return path.reduce<unknown>(
		(v, key) => (Object.hasOwn(Object(v), key) ? (v as Record<PropertyKey, unknown>)[key] : undefined),
		value,
	);
}

function show(value: unknown): string {
	if (value === undefined) return 'nothing';
	const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
	return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function inWords(
	issue: Issue,
	where: string,
	schema: z.ZodType,
	sent: unknown,
): { message: string; fix: string } {
	const last = issue.path.at(-1);
	const all = where === 'The body' ? 'the body' : where;
	const quoted =
		last === undefined ? all : typeof last === 'number' ? where : `"${shortenName(String(last))}"`;
	switch (issue.code) {
		case 'unrecognized_keys': {
			const [key = ''] = issue.keys;
			const knownNames = keysOf(schemasAt(schema, issue.path), issue.keys);
			const near = nearest(key, knownNames);
			return {
				message: `${where} has an unknown key "${shortenName(key)}".`,
				fix: near ? `Did you mean "${near}"?` : `Known keys: ${knownNames.join(', ') || 'none'}.`,
			};
		}
		case 'invalid_value': {
			const values = issue.values.map(String);
			const near = typeof sent === 'string' ? nearest(sent, values) : undefined;
			const choice = `Send ${quoted} as one of: ${values.join(', ')}.`;
			return {
				message: `${where} must be one of ${values.join(', ')}, got ${show(sent)}.`,
				fix: near ? `Did you mean "${near}"? ${choice}` : choice,
			};
		}
		case 'too_big':
		case 'too_small': {
			const [least, limit] =
				issue.code === 'too_big' ? ['at most', issue.maximum] : ['at least', issue.minimum];
			const counted = COUNTED[issue.origin];
			const fixed = schemasAt(schema, issue.path).some(({ type }) => type === 'tuple');
			const text = fixed ? descriptionAt(schema, issue.path) : undefined;
			const bound = `${fixed ? 'exactly' : least} ${limit}`;
			if (counted === undefined)
				return {
					message: `${where} must be ${bound}, got ${show(sent)}.`,
					fix: `Send ${quoted} as a number, ${bound}.`,
				};
			const unit = counted[limit === 1 || limit === 1n ? 0 : 1];
			return {
				message: `${where} must have ${bound} ${unit}, got ${(sent as unknown[]).length}.`,
				fix: `Send ${quoted} with ${bound} ${unit}${text ? `: ${text}` : ''}.`,
			};
		}
		case 'invalid_type': {
			const expected = article(issue.expected);
			const keys = issue.expected === 'object' ? keysOf(schemasAt(schema, issue.path), []) : [];
			const suffix = keys.length > 0 && keys.length <= MAX_KEYS ? ` with ${keys.join(', ')}` : '';
			// Its description says more than its type where that leaves open what is in it.
			const isOpen =
				issue.expected === 'record' ||
				issue.expected === 'tuple' ||
				(issue.expected === 'string' && sent !== undefined);
			const text = isOpen ? descriptionAt(schema, issue.path) : undefined;
			const listed = issue.expected === 'array' && fitsAlone(schema, issue.path, sent);
			const how = text ? `: ${text}` : listed ? `: [${JSON.stringify(sent)}]` : suffix;
			return {
				message:
					sent === undefined ? `${where} is missing.` : `${where} must be ${expected}, got ${show(sent)}.`,
				fix: `Send ${quoted} as ${expected}${how}.`,
			};
		}
		case 'invalid_union': {
			const options = 'options' in issue ? (issue.options as unknown[]) : [];
			if (issue.discriminator !== undefined && options.length > 0) {
				const near = typeof sent === 'string' ? nearest(sent, options.map(String)) : undefined;
				return {
					message: `${where} must be one of ${options.join(', ')}, got ${show(sent)}.`,
					fix: near ? `Did you mean "${near}"?` : `Send one of: ${options.join(', ')}.`,
				};
			}
			const text = descriptionAt(schema, issue.path);
			return {
				message: `${where} matches none of the accepted forms, got ${show(sent)}.`,
				fix: text ? `Send ${quoted} as: ${text}.` : 'GET /schema?form=compact&path=ROUTE shows the forms.',
			};
		}
		default: {
			const text = descriptionAt(schema, issue.path);
			// Without a text of its own, the message would be the pattern.
			const isPattern = issue.code === 'invalid_format' && issue.message.includes(issue.pattern ?? '\n');
			return {
				message: `${where}${isPattern ? ' has the wrong form' : `: ${issue.message}`}, got ${show(sent)}.`,
				fix: text
					? `Send ${quoted} as: ${text}.`
					: `Change ${quoted}; GET /schema?form=compact&path=ROUTE shows its type and range.`,
			};
		}
	}
}

/** Returns true if a list with the sent value as its only item is accepted. */
function fitsAlone(schema: z.ZodType, path: readonly PropertyKey[], sent: unknown): boolean {
	return sent !== undefined && schemasAt(schema, path).some((list) => list.safeParse([sent]).success);
}

/** Objects with more keys than this are not described in one sentence. */
const MAX_KEYS = 8;

const COUNTED: Readonly<Record<string, readonly [one: string, several: string]>> = {
	string: ['character', 'characters'],
	array: ['item', 'items'],
};

function article(expected: string): string {
	const words: Record<string, string> = {
		int: 'a whole number',
		number: 'a number',
		string: 'a text',
		boolean: 'true or false',
		object: 'an object',
		record: 'an object',
		array: 'a list',
		tuple: 'a list of numbers',
		null: 'null',
	};
	return words[expected] ?? expected;
}

interface Definition {
	readonly type: string;
	readonly shape?: Record<string, z.ZodType>;
	readonly innerType?: z.ZodType;
	readonly element?: z.ZodType;
	readonly items?: readonly z.ZodType[];
	readonly options?: readonly z.ZodType[];
	readonly in?: z.ZodType;
	readonly out?: z.ZodType;
	readonly valueType?: z.ZodType;
}

/** Returns the schemas that are at a path, the alternatives of unions one by one. */
function schemasAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType[] {
	const definition = schema._zod.def as unknown as Definition;
	const { type } = definition;
	if (definition.innerType) return schemasAt(definition.innerType, path);
	if (type === 'pipe') return [...schemasAt(definition.out!, path), ...schemasAt(definition.in!, path)];
	if (type === 'union') return definition.options!.flatMap((option) => schemasAt(option, path));
	const [key, ...rest] = path;
	if (key === undefined) return [schema];
	const member = memberAt(definition, key);
	return member === undefined ? [] : schemasAt(member, rest);
}

function memberAt(definition: Definition, key: PropertyKey): z.ZodType | undefined {
	if (definition.type === 'array') return definition.element;
	if (definition.type === 'tuple') return definition.items?.[Number(key)];
	if (definition.type === 'record') return definition.valueType;
	const { shape } = definition;
	return shape !== undefined && Object.hasOwn(shape, key) ? shape[String(key)] : undefined;
}

/** Keys that objects may have. An alternative that knows one of `unknown` is not the one that objected. */
function keysOf(schemas: readonly z.ZodType[], unknown: readonly string[]): string[] {
	const shapes = schemas.map((schema) => (schema._zod.def as unknown as Definition).shape ?? {});
	const objecting = shapes.filter((shape) => !unknown.some((key) => Object.hasOwn(shape, key)));
	return [...new Set(objecting.flatMap((shape) => Object.keys(shape)))];
}

/** Description of the field at a path, or of the nearest field around it. */
function descriptionAt(schema: z.ZodType, path: readonly PropertyKey[]): string | undefined {
	if (path.length === 0) return descriptionOf(schema);
	for (let length = path.length; length > 0; length--) {
		const last = path[length - 1]!;
		const owners = schemasAt(schema, path.slice(0, length - 1));
		for (const owner of owners) {
			const member = memberAt(owner._zod.def as unknown as Definition, last);
			const text = member && descriptionOf(member);
			if (text) return text;
		}
	}
	return undefined;
}

function descriptionOf(schema: z.ZodType): string | undefined {
	const { innerType, in: sent } = schema._zod.def as unknown as Definition;
	const within = innerType ?? sent;
	return schema.description ?? (within && descriptionOf(within));
}
