/**
 * A route's examples as command lines.
 * Owns: that translation, which the help shows and the tests run.
 */

import { pathAndQuery } from '../../shared/contract/path-and-query.ts';
import type { Example } from '../../shared/contract/route.ts';
import type { Argument, Command } from './commands.ts';
import { writeValue } from './schema-value.ts';

/** Words to type after `orrery` for an example. */
export function exampleWords(command: Command, example: Example): string[] {
	const { path, query } = pathAndQuery(example.path ?? command.route.path);
	const texts = new Map<Argument, string>();
	const names = [...command.route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
	const pattern = new RegExp(`^${command.route.path.replace(/\{\w+\}/g, '([^/]+)')}$`);
	const values = pattern.exec(path)?.slice(1) ?? [];
	const argument = (location: Argument['location'], name: string) =>
		command.arguments.find(({ location: at, key }) => at === location && key.length === 1 && key[0] === name);
	for (const [i, name] of names.entries()) texts.set(argument('path', name)!, decodeURIComponent(values[i]!));
	let world: string | undefined;
	for (const [name, value] of new URLSearchParams(query)) {
		const found = argument('query', name);
		if (found) texts.set(found, value);
		else world = value;
	}
	for (const [name, value] of Object.entries((example.body ?? {}) as Record<string, unknown>)) {
		const found = argument('body', name)!;
		const members = membersOf(command, found, value);
		if (members === undefined) texts.set(found, writeValue(found.schema, value));
		else for (const [member, text] of members) texts.set(member, text);
	}
	const words = [...command.words];
	let inOrder = true;
	for (const positional of command.positionals) {
		const text = texts.get(positional);
		// An operand that is left out ends the row of operands; the rest goes by flags.
		if (text === undefined || text.startsWith('-')) inOrder = false;
		else if (inOrder && positional.required) {
			words.push(text);
			texts.delete(positional);
		} else inOrder = false;
	}
	for (const [{ flag, schema }, text] of texts) {
		if (text === 'true' && writeValue(schema, true) === 'true' && schema.type !== 'string')
			words.push(`--${flag}`);
		else words.push(...(text.startsWith('--') ? [`--${flag}=${text}`] : [`--${flag}`, text]));
	}
	if (world !== undefined) words.push('--world', world);
	return words;
}

/** A record by the flags of its members, when each has one. */
function membersOf(command: Command, field: Argument, value: unknown): Map<Argument, string> | undefined {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
	const found = new Map<Argument, string>();
	for (const [name, member] of Object.entries(value)) {
		const argument = command.arguments.find(
			({ key, location }) =>
				location === field.location && key.length === 2 && key[0] === field.key[0] && key[1] === name,
		);
		if (argument === undefined) return undefined;
		found.set(argument, writeValue(argument.schema, member));
	}
	return found;
}

/** The same as one line for a shell. */
export function exampleLine(command: Command, example: Example): string {
	const quoted = exampleWords(command, example).map((word) =>
		/^[\w,.:/@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
	);
	return ['orrery', ...quoted].join(' ');
}
