/**
 * Builds the call of a command from its operands and flags.
 * Owns: the match of operands with arguments, and errors about missing ones.
 */

import { hasBody } from '../../shared/contract/route.ts';
import { BODY_FILES } from './aliases.ts';
import type { ParsedCommandLine } from './command-line.ts';
import { type Argument, type CliCommand, usageOf } from './commands.ts';
import { parseJson, readValue } from './read-value.ts';
import { entriesOf, withoutNull, wordsOf } from './schema-form.ts';
import { type Terminal, UsageError } from './terminal.ts';

/** A call before it is sent. */
export interface BuiltCall {
	readonly method: string;
	readonly path: string;
	readonly query: string;
	/** Undefined for methods without a body. */
	readonly body: unknown;
}

/** Returns the call that a typed command makes. Throws `UsageError`. */
export async function buildCall(
	commandLine: ParsedCommandLine,
	command: CliCommand,
	terminal: Terminal,
): Promise<BuiltCall> {
	const { operands, file } = splitFile(commandLine, command);
	const argumentTexts = placeOperands(commandLine.flagValues, operands, command);
	const globals = file === undefined ? commandLine.globals : { ...commandLine.globals, body: `@${file}` };
	for (const argument of command.arguments) {
		if (!argument.required || argumentTexts.has(argument)) continue;
		if (argument.location === 'body' && globals.body !== undefined) continue;
		if (command.arguments.some((other) => isMember(argument, other) && argumentTexts.has(other))) continue;
		throw new UsageError(`<${argument.flag}> is missing.\nUsage: ${usageOf(command)}`);
	}
	const params: Record<string, string> = {};
	const query = new URLSearchParams();
	const body =
		globals.body === undefined ? {} : parseJson(await readText(globals.body, terminal), 'The body');
	// Whole fields first, then their members, so that the flag of a member wins.
	const ordered = [...argumentTexts].sort(([a], [b]) => a.key.length - b.key.length);
	for (const [argument, texts] of ordered) {
		if (argument.location === 'body')
			setValue(body, argument.key, await readArgument(argument, texts, terminal));
		else {
			const text = String(await readArgument(argument, texts, terminal));
			if (argument.location === 'path') params[argument.key[0]!] = text;
			else query.set(argument.key[0]!, text);
		}
	}
	if (globals.world !== undefined) {
		if (!command.route.world)
			throw new UsageError(
				`"orrery ${command.words.join(' ')}" takes no world. Omit --world.\nUsage: ${usageOf(command)}`,
			);
		query.set('world', globals.world);
	}
	if (globals.body !== undefined && !hasBody(command.route.method))
		throw new UsageError(`"orrery ${command.words.join(' ')}" takes no body.`);
	return {
		method: command.route.method,
		path: command.route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!)),
		// A slash and a comma have no meaning in a query, and are easier to read unencoded.
		query: query.toString().replaceAll('%2F', '/').replaceAll('%2C', ','),
		body: hasBody(command.route.method) ? body : undefined,
	};
}

/** Returns true if `candidate` is a member of a field. */
function isMember(field: Argument, candidate: Argument): boolean {
	return candidate.key.length > field.key.length && field.key.every((part, i) => candidate.key[i] === part);
}

/** Returns the operands of a command, and the file of its body if one follows them. */
function splitFile({ operands, globals, flagValues }: ParsedCommandLine, command: CliCommand) {
	const requiredCount = command.positionals.filter(
		(argument) => argument.required && !flagValues.has(argument),
	).length;
	if (
		!BODY_FILES.has(command.words.join(' ')) ||
		globals.body !== undefined ||
		operands.length !== requiredCount + 1
	)
		return { operands, file: undefined };
	return { operands: operands.slice(0, requiredCount), file: operands[requiredCount] };
}

/** Assigns the operands, in order, to the arguments that were not given by a flag. Returns the texts of all arguments. */
function placeOperands(
	flagValues: ParsedCommandLine['flagValues'],
	operands: readonly string[],
	command: CliCommand,
): Map<Argument, readonly string[]> {
	const texts = new Map(flagValues);
	const freeArguments = command.positionals.filter((argument) => !texts.has(argument));
	for (const [i, operand] of operands.entries()) {
		const argument = freeArguments[i];
		if (argument === undefined)
			throw new UsageError(`There are too many arguments, from "${operand}" on.\nUsage: ${usageOf(command)}`);
		texts.set(argument, [operand]);
	}
	return texts;
}

async function readArgument(
	argument: Argument,
	texts: readonly string[],
	terminal: Terminal,
): Promise<unknown> {
	const flag = `--${argument.flag}`;
	const schema = withoutNull(argument.schema);
	const isPlainText = schema.type === 'string' || wordsOf(schema) !== undefined;
	const values: unknown[] = [];
	for (const text of texts) {
		const full = isPlainText || !text.startsWith('@') ? text : await readText(text, terminal);
		values.push(readValue(argument.schema, full, flag));
	}
	if (values.length === 1) return values[0];
	if (schema.type === 'array') return values.flat();
	if (entriesOf(schema) !== undefined) return Object.assign({}, ...values);
	throw new UsageError(`${flag} takes one value, not ${values.length}.`);
}

/** Returns a text of the command line. `@file` reads it from a file, and `-` from standard input. */
async function readText(text: string, terminal: Terminal): Promise<string> {
	if (text !== '-' && !text.startsWith('@')) return text;
	const path = text === '-' ? '-' : text.slice(1);
	try {
		return await terminal.readFile(path);
	} catch (error) {
		throw new UsageError(`${path} cannot be read: ${(error as Error).message}.`);
	}
}

function setValue(body: unknown, key: readonly string[], value: unknown): void {
	if (typeof body !== 'object' || body === null || Array.isArray(body))
		throw new UsageError('The body is not a JSON object, so flags cannot add to it.');
	let parent = body as Record<string, unknown>;
	for (const part of key.slice(0, -1)) {
		if (typeof parent[part] !== 'object' || parent[part] === null) parent[part] = {};
		parent = parent[part] as Record<string, unknown>;
	}
	parent[key.at(-1)!] = value;
}
