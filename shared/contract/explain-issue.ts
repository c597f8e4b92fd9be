/**
 * Puts a schema's objections into words that say what to send instead.
 * Owns: the wording of shape errors.
 */

import type * as z from 'zod';
import { type ErrorCode, Fault } from './errors.ts';
import { nearest } from './nearest.ts';

type Issue = z.core.$ZodIssue;

/** `entities[2].health` */
export function pathText(path: readonly PropertyKey[]): string {
	let text = '';
	for (const key of path)
		text += typeof key === 'number' ? `[${key}]` : text === '' ? String(key) : `.${String(key)}`;
	return text;
}

/** The refusal for the first objection of a schema. */
export function shapeFault(code: ErrorCode, schema: z.ZodType, error: z.ZodError, sent: unknown): Fault {
	const issue = deepest(error.issues as Issue[], sent);
	const path = pathText(issue.path);
	const where = path === '' ? 'The body' : path;
	const { message, fix } = inWords(issue, where, schema, at(sent, issue.path));
	return new Fault(code, message, path === '' ? { fix } : { fix, path });
}

/** Of a union's objections, those of the alternative that came furthest. `sent` is what the issues are about. */
function deepest(issues: readonly Issue[], sent: unknown): Issue {
	const [first] = issues;
	if (first === undefined) throw new Error('a schema refused without an objection');
	if (first.code !== 'invalid_union' || first.errors.length === 0) return first;
	const here = at(sent, first.path);
	const [best] = (first.errors as Issue[][])
		.map((errors) => ({ issue: deepest(errors, here), other: errors.some((one) => otherForm(one, here)) }))
		.sort((a, b) => rank(b) - rank(a))
		.map(({ issue }) => issue) as [Issue];
	return { ...best, path: [...first.path, ...best.path] } as Issue;
}

/** Whether an objection suggests that another alternative was meant: a key too many, or one that is not there. */
function otherForm(issue: Issue, sent: unknown): boolean {
	if (issue.code === 'unrecognized_keys') return issue.path.length === 0;
	return issue.path.length === 1 && at(sent, issue.path) === undefined;
}

function rank({ issue, other }: { readonly issue: Issue; readonly other: boolean }): number {
	return issue.path.length * 2 + (other ? 0 : 1);
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
	return path.reduce<unknown>((v, key) => (v as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

function show(value: unknown): string {
	if (value === undefined) return 'nothing';
	const text = JSON.stringify(value);
	return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function inWords(
	issue: Issue,
	where: string,
	schema: z.ZodType,
	sent: unknown,
): { message: string; fix: string } {
	const name = String(issue.path.at(-1) ?? '');
	const quoted = name === '' || typeof issue.path.at(-1) === 'number' ? 'a value there' : `"${name}"`;
	switch (issue.code) {
		case 'unrecognized_keys': {
			const [key = ''] = issue.keys;
			const known = keysAt(schema, issue.path);
			const near = nearest(key, known);
			return {
				message: `${where} has an unknown key "${key}".`,
				fix: near ? `Did you mean "${near}"?` : `Known keys: ${known.join(', ') || 'none'}.`,
			};
		}
		case 'invalid_value': {
			const values = issue.values.map(String);
			const near = typeof sent === 'string' ? nearest(sent, values) : undefined;
			const choice = `Send ${quoted} as one of: ${values.join(', ')}.`;
			return {
				message: `${where} is one of ${values.join(', ')}, got ${show(sent)}.`,
				fix: near ? `Did you mean "${near}"? ${choice}` : choice,
			};
		}
		case 'too_big': {
			const unit = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' items' : '';
			return {
				message: `${where} is at most ${issue.maximum}${unit}, got ${unit ? (sent as unknown[]).length : show(sent)}.`,
				fix: `Send ${quoted} with at most ${issue.maximum}${unit}.`,
			};
		}
		case 'too_small': {
			const unit = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' items' : '';
			return {
				message: `${where} is at least ${issue.minimum}${unit}, got ${unit ? (sent as unknown[]).length : show(sent)}.`,
				fix: `Send ${quoted} with at least ${issue.minimum}${unit}.`,
			};
		}
		case 'invalid_type': {
			if (sent === undefined)
				return { message: `${where} is missing.`, fix: `Send ${quoted} as ${article(issue.expected)}.` };
			return {
				message: `${where} must be ${article(issue.expected)}, got ${show(sent)}.`,
				fix: `Send ${quoted} as ${article(issue.expected)}.`,
			};
		}
		case 'invalid_union': {
			const options = 'options' in issue ? (issue.options as unknown[]) : [];
			if (issue.discriminator !== undefined && options.length > 0) {
				const near = typeof sent === 'string' ? nearest(sent, options.map(String)) : undefined;
				return {
					message: `${where} is one of ${options.join(', ')}, got ${show(sent)}.`,
					fix: near ? `Did you mean "${near}"?` : `Send one of: ${options.join(', ')}.`,
				};
			}
			return {
				message: `${where} fits none of its forms, got ${show(sent)}.`,
				fix: 'GET /schema shows the forms.',
			};
		}
		default:
			return {
				message: `${where}: ${issue.message}, got ${show(sent)}.`,
				fix: `Change ${quoted}; GET /schema shows its type and range.`,
			};
	}
}

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
	readonly options?: readonly z.ZodType[];
	readonly in?: z.ZodType;
	readonly out?: z.ZodType;
	readonly valueType?: z.ZodType;
}

/** The keys an object may have at a path of a schema. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
	const definition = schema._zod.def as unknown as Definition;
	const { type } = definition;
	if (definition.innerType) return keysAt(definition.innerType, path);
	if (type === 'pipe') return keysAt(definition.out!, path).concat(keysAt(definition.in!, path));
	if (type === 'union') return [...new Set(definition.options!.flatMap((option) => keysAt(option, path)))];
	const [key, ...rest] = path;
	if (key === undefined) return Object.keys(definition.shape ?? {});
	if (type === 'array') return keysAt(definition.element!, rest);
	if (type === 'record') return keysAt(definition.valueType!, rest);
	const member = definition.shape?.[String(key)];
	return member === undefined ? [] : keysAt(member, rest);
}
