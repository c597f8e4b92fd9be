/**
 * Translates examples of routes into command lines.
 * Owns: the translation. The help prints its result, and the tests run it.
 */

import { pathAndQuery } from '../../shared/contract/path-and-query.ts';
import type { Example } from '../../shared/contract/route.ts';
import type { Argument, CliCommand } from './commands.ts';
import { formatValue } from './write-value.ts';

/** Returns the words to type after `orrery` for an example, not quoted. */
export function exampleWords(command: CliCommand, example: Example): string[] {
	const { path, query } = pathAndQuery(example.path ?? command.route.path);
	const texts = new Map<Argument, string>();
	const names = [...command.route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
	const pattern = new RegExp(`^${command.route.path.replace(/\{\w+\}/g, '([^/]+)')}$`);
	const values = pattern.exec(path)?.slice(1) ?? [];
	const findArgument = (location: Argument['location'], name: string) =>
		command.arguments.find(
			(argument) => argument.location === location && argument.key.length === 1 && argument.key[0] === name,
		);
	for (const [i, name] of names.entries())
		texts.set(findArgument('path', name)!, decodeURIComponent(values[i]!));
	let world: string | undefined;
	for (const [name, value] of new URLSearchParams(query)) {
		const argument = findArgument('query', name);
		if (argument) texts.set(argument, value);
		else world = value;
	}
	for (const [name, value] of Object.entries((example.body ?? {}) as Record<string, unknown>)) {
		const argument = findArgument('body', name)!;
		const members = memberTexts(command, argument, value);
		if (members === undefined) texts.set(argument, formatValue(argument.schema, value));
		else for (const [member, text] of members) texts.set(member, text);
	}
	const words = [...command.words];
	let canBeOperand = true;
	for (const positional of command.positionals) {
		const text = texts.get(positional);
		// After the first omitted operand, all later ones are given by flags.
		if (text === undefined || text.startsWith('-')) canBeOperand = false;
		else if (canBeOperand && positional.required) {
			words.push(text);
			texts.delete(positional);
		} else canBeOperand = false;
	}
	for (const [{ flag, schema }, text] of texts) {
		if (text === 'true' && formatValue(schema, true) === 'true' && schema.type !== 'string')
			words.push(`--${flag}`);
		else words.push(...(text.startsWith('--') ? [`--${flag}=${text}`] : [`--${flag}`, text]));
	}
	if (world !== undefined) words.push('--world', world);
	return words;
}

/** Returns the texts of a record's fields by their flags; undefined unless each field has one. */
function memberTexts(
	command: CliCommand,
	field: Argument,
	value: unknown,
): Map<Argument, string> | undefined {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
	const texts = new Map<Argument, string>();
	for (const [name, member] of Object.entries(value)) {
		const argument = command.arguments.find(
			({ key, location }) =>
				location === field.location && key.length === 2 && key[0] === field.key[0] && key[1] === name,
		);
		if (argument === undefined) return undefined;
		texts.set(argument, formatValue(argument.schema, member));
	}
	return texts;
}

/** Returns an example as one line for a POSIX shell. */
export function exampleLine(command: CliCommand, example: Example): string {
	const quoted = exampleWords(command, example).map((word) =>
		/^[\w,.:/@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
	);
	return ['orrery', ...quoted].join(' ');
}
