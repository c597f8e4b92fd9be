/**
 * Explains the issues that a schema reports, with an instruction for a valid value.
 * Owns: the texts of these errors.
 */

import type * as z from 'zod';
import { ApiError, type ErrorCode } from './errors.ts';
import { nearest, shortenName } from './nearest.ts';

type Issue = z.core.$ZodIssue;

/** Returns the text of a path, such as `entities[2].health`. */
export function pathText(path: readonly PropertyKey[]): string {
	let text = '';
	for (const key of path)
		text += typeof key === 'number' ? `[${key}]` : `${text === '' ? '' : '.'}${shortenName(String(key))}`;
	return text;
}

/** Returns the refusal for the first issue of a schema. `whole`: name of the whole value, such as a file. */
export function shapeError(
	code: ErrorCode,
	schema: z.ZodType,
	error: z.ZodError,
	sent: unknown,
	whole = 'The body',
): ApiError {
	const issue = mostRelevantIssue(error.issues as Issue[], sent);
	if (issue.code === 'invalid_key') return keyError(code, schema, issue, whole);
	const path = pathText(issue.path);
	const subject = path === '' ? whole : path;
	const explained = explainIssue(issue, subject, schema, valueAt(sent, issue.path));
	const { message } = explained;
	const fix = `${explained.fix}${unknownKeyHint(schema, issue, sent)}`;
	return new ApiError(code, message, path === '' ? { fix } : { fix, path });
}

/** Returns the refusal for an invalid key of a record. */
function keyError(
	code: ErrorCode,
	schema: z.ZodType,
	{ path, issues }: z.core.$ZodIssueInvalidKey,
	whole: string,
): ApiError {
	const key = String(path.at(-1));
	const record = pathText(path.slice(0, -1));
	const subject = `the key ${quoteValue(key)} of ${record === '' ? whole.replace('The', 'the') : record}`;
	const { message, fix } = explainIssue({ ...issues[0]!, path: [] } as Issue, subject, schema, key);
	return new ApiError(code, message, record === '' ? { fix } : { fix, path: record });
}

/** Returns a sentence about an unknown key beside a missing one. It is often the same field under another name. */
function unknownKeyHint(schema: z.ZodType, issue: Issue, sent: unknown): string {
	if (issue.path.length === 0 || valueAt(sent, issue.path) !== undefined) return '';
	const recordPath = issue.path.slice(0, -1);
	const knownNames = keysOf(schemasAt(schema, recordPath), []);
	const [unknownKey] = Object.keys(Object(valueAt(sent, recordPath))).filter(
		(key) => !knownNames.includes(key),
	);
	if (unknownKey === undefined || knownNames.length === 0) return '';
	return ` The key "${shortenName(unknownKey)}" is unknown.`;
}

/** Returns the issue to explain. In a union it is that of the alternative that matches most of the value. `sent`: the value. */
function mostRelevantIssue(issues: readonly Issue[], sent: unknown): Issue {
	const [first] = issues;
	if (first === undefined) throw new Error('a schema refused without an issue');
	if (first.code !== 'invalid_union' || first.errors.length === 0) return first;
	const valueAtPath = valueAt(sent, first.path);
	const types = first.errors.map((errors) => expectedType(errors as Issue[]));
	if (types.every((type) => type !== undefined)) {
		const expected = [...new Set(types)].join(' or ');
		return { code: 'invalid_type', expected, path: first.path, input: valueAtPath } as unknown as Issue;
	}
	const [best] = (first.errors as Issue[][])
		.map((errors) => ({
			issue: mostRelevantIssue(errors, valueAtPath),
			suggestsOther: errors.some((error) => suggestsOtherForm(error, valueAtPath)),
		}))
		.sort((a, b) => scoreMatch(b) - scoreMatch(a))
		.map(({ issue }) => issue) as [Issue];
	// If the text is not one of an alternative's words, another alternative may be meant, so all are listed.
	if (best.code === 'invalid_value' && best.path.length === 0 && types.some((type) => type !== undefined)) {
		const near = typeof valueAtPath === 'string' ? nearest(valueAtPath, best.values.map(String)) : undefined;
		if (near === undefined) return { ...first, errors: [] } as Issue;
	}
	return { ...best, path: [...first.path, ...best.path] } as Issue;
}

/** Returns the type that an alternative expects, if its only issue is the type. */
function expectedType(errors: readonly Issue[]): string | undefined {
	const [first] = errors;
	if (first?.code === 'invalid_union' && first.path.length === 0 && first.errors.length > 0) {
		const types = first.errors.map((nested) => expectedType(nested as Issue[]));
		return types.includes(undefined) ? undefined : [...new Set(types)].join(' or ');
	}
	if (first?.code !== 'invalid_type' || first.path.length > 0) return undefined;
	return describeType(first.expected);
}

/** Returns true if an issue suggests that another alternative is meant: an unknown or a missing key. */
function suggestsOtherForm(issue: Issue, sent: unknown): boolean {
	if (issue.code === 'unrecognized_keys') return issue.path.length === 0;
	return issue.path.length === 1 && valueAt(sent, issue.path) === undefined;
}

/** Returns a number that is higher for an alternative that matches more of the value. */
function scoreMatch({
	issue,
	suggestsOther,
}: {
	readonly issue: Issue;
	readonly suggestsOther: boolean;
}): number {
	// An alternative of another type matches less than one of the right type.
	const isOtherType = issue.path.length === 0 && issue.code === 'invalid_type';
	return issue.path.length * 3 + (suggestsOther ? 0 : isOtherType ? 1 : 2);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
	return path.reduce<unknown>(
		(parent, key) =>
			Object.hasOwn(Object(parent), key) ? (parent as Record<PropertyKey, unknown>)[key] : undefined,
		value,
	);
}

function quoteValue(value: unknown): string {
	if (value === undefined) return 'nothing';
	const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
	return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function explainIssue(
	issue: Issue,
	subject: string,
	schema: z.ZodType,
	sent: unknown,
): { message: string; fix: string } {
	const last = issue.path.at(-1);
	const wholeValue = subject === 'The body' ? 'the body' : subject;
	const quoted =
		last === undefined ? wholeValue : typeof last === 'number' ? subject : `"${shortenName(String(last))}"`;
	switch (issue.code) {
		case 'unrecognized_keys': {
			const [key = ''] = issue.keys;
			const knownNames = keysOf(schemasAt(schema, issue.path), issue.keys);
			const near = nearest(key, knownNames);
			return {
				message: `${subject} has an unknown key "${shortenName(key)}".`,
				fix: near ? `Did you mean "${near}"?` : `Known keys: ${knownNames.join(', ') || 'none'}.`,
			};
		}
		case 'invalid_value': {
			const values = issue.values.map(String);
			const near = typeof sent === 'string' ? nearest(sent, values) : undefined;
			const choice = `Send ${quoted} as one of: ${values.join(', ')}.`;
			return {
				message: `${subject} must be one of ${values.join(', ')}, got ${quoteValue(sent)}.`,
				fix: near ? `Did you mean "${near}"? ${choice}` : choice,
			};
		}
		case 'too_big':
		case 'too_small': {
			const [comparison, limit] =
				issue.code === 'too_big' ? ['at most', issue.maximum] : ['at least', issue.minimum];
			const countUnits = COUNT_UNITS[issue.origin];
			const fixed = schemasAt(schema, issue.path).some(({ type }) => type === 'tuple');
			const text = fixed ? descriptionAt(schema, issue.path) : undefined;
			const bound = `${fixed ? 'exactly' : comparison} ${limit}`;
			if (countUnits === undefined)
				return {
					message: `${subject} must be ${bound}, got ${quoteValue(sent)}.`,
					fix: `Send ${quoted} as a number, ${bound}.`,
				};
			const unit = countUnits[limit === 1 || limit === 1n ? 0 : 1];
			return {
				message: `${subject} must have ${bound} ${unit}, got ${(sent as unknown[]).length}.`,
				fix: `Send ${quoted} with ${bound} ${unit}${text ? `: ${text}` : ''}.`,
			};
		}
		case 'invalid_type': {
			const expected = describeType(issue.expected);
			const keys = issue.expected === 'object' ? keysOf(schemasAt(schema, issue.path), []) : [];
			const suffix = keys.length > 0 && keys.length <= MAX_KEYS ? ` with ${keys.join(', ')}` : '';
			// The description is used if the type alone does not determine the content.
			const isOpen =
				issue.expected === 'record' ||
				issue.expected === 'tuple' ||
				(issue.expected === 'string' && sent !== undefined);
			const text = isOpen ? descriptionAt(schema, issue.path) : undefined;
			const fitsInList = issue.expected === 'array' && fitsAlone(schema, issue.path, sent);
			const example = text ? `: ${text}` : fitsInList ? `: [${JSON.stringify(sent)}]` : suffix;
			return {
				message:
					sent === undefined
						? `${subject} is missing.`
						: `${subject} must be ${expected}, got ${quoteValue(sent)}.`,
				fix: `Send ${quoted} as ${expected}${example}.`,
			};
		}
		case 'invalid_union': {
			const options = 'options' in issue ? (issue.options as unknown[]) : [];
			if (issue.discriminator !== undefined && options.length > 0) {
				const near = typeof sent === 'string' ? nearest(sent, options.map(String)) : undefined;
				return {
					message: `${subject} must be one of ${options.join(', ')}, got ${quoteValue(sent)}.`,
					fix: near ? `Did you mean "${near}"?` : `Send one of: ${options.join(', ')}.`,
				};
			}
			const text = descriptionAt(schema, issue.path);
			return {
				message: `${subject} matches none of the accepted forms, got ${quoteValue(sent)}.`,
				fix: text ? `Send ${quoted} as: ${text}.` : 'GET /schema?form=compact&path=ROUTE shows the forms.',
			};
		}
		default: {
			const text = descriptionAt(schema, issue.path);
			// Without its own text, the message would be the regular expression.
			const isPattern = issue.code === 'invalid_format' && issue.message.includes(issue.pattern ?? '\n');
			return {
				message: `${subject}${isPattern ? ' has the wrong form' : `: ${issue.message}`}, got ${quoteValue(sent)}.`,
				fix: text
					? `Send ${quoted} as: ${text}.`
					: `Change ${quoted}; GET /schema?form=compact&path=ROUTE shows its type and range.`,
			};
		}
	}
}

/** Returns true if a list with the value as its only item is valid. */
function fitsAlone(schema: z.ZodType, path: readonly PropertyKey[], sent: unknown): boolean {
	return sent !== undefined && schemasAt(schema, path).some((list) => list.safeParse([sent]).success);
}

/** Maximum number of keys that an error text lists. */
const MAX_KEYS = 8;

/** Units of lengths, in singular and plural, by the origin of an issue. */
const COUNT_UNITS: Readonly<Record<string, readonly [singular: string, plural: string]>> = {
	string: ['character', 'characters'],
	array: ['item', 'items'],
};

function describeType(expected: string): string {
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

/** Returns the schemas at a path. Unions are replaced by their alternatives. */
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

/** Returns the keys of object schemas. Alternatives that accept one of the `unknown` keys are ignored, because they did not report it. */
function keysOf(schemas: readonly z.ZodType[], unknown: readonly string[]): string[] {
	const shapes = schemas.map((schema) => (schema._zod.def as unknown as Definition).shape ?? {});
	const reporting = shapes.filter((shape) => !unknown.some((key) => Object.hasOwn(shape, key)));
	return [...new Set(reporting.flatMap((shape) => Object.keys(shape)))];
}

/** Returns the description of the field at a path, or of the nearest field that contains it. */
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
	const innerSchema = innerType ?? sent;
	return schema.description ?? (innerSchema && descriptionOf(innerSchema));
}
