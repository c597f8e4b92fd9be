/**
 * Splits what was typed into a command, its operands and its flags.
 * Owns: the flags that every command has, and what is said about words that do not exist.
 */

import { parseArgs } from 'node:util';
import { nearest } from '../../shared/contract/nearest.ts';
import { ALIASES, FLAG_ALIASES, SWITCHED, USUAL_VERB } from './aliases.ts';
import { type Argument, type Command, groupsOf, usageOf } from './commands.ts';
import { GLOBAL_FLAGS, type Globals } from './global-flags.ts';
import { isJson, type LocalCommand } from './local-commands.ts';
import { withoutNull } from './schema-value.ts';
import { UsageError } from './terminal.ts';

const SHORT: Readonly<Record<string, string>> = { s: 'server', o: 'output', out: 'output', h: 'help' };

export interface Typed {
	readonly globals: Globals;
	readonly words: readonly string[];
	/** The command of a route that the words name. */
	readonly command: Command | undefined;
	/** A command that is not a route. */
	readonly local: LocalCommand | undefined;
	/** Words after the command's own. */
	readonly operands: readonly string[];
	/** Texts given for arguments by flag, in order. */
	readonly given: ReadonlyMap<Argument, readonly string[]>;
	/** Flags of a local command. */
	readonly localFlags: ReadonlyMap<string, string>;
}

/** Reads the arguments. Throws `UsageError`. */
export function readCommandLine(
	argv: readonly string[],
	commands: readonly Command[],
	locals: readonly LocalCommand[],
): Typed {
	const globals: Globals = {
		server: undefined,
		world: undefined,
		json: false,
		body: undefined,
		dryRun: false,
		output: undefined,
		junit: undefined,
		identity: undefined,
		help: false,
		version: false,
	};
	const words: string[] = [];
	const operands: string[] = [];
	const given = new Map<Argument, string[]>();
	const localFlags = new Map<string, string>();
	let command: Command | undefined;
	let local: LocalCommand | undefined;
	const tokens = tokensOf(argv);

	for (let at = 0; at < argv.length; at++) {
		const word = argv[at]!;
		const token = tokens.get(at)!;
		if (token.kind === 'option-terminator') continue;
		if (token.kind === 'positional') {
			if (command !== undefined || local !== undefined) {
				operands.push(word);
				continue;
			}
			words.push(word);
			local = locals.find(({ name }) => name === words.join(' '));
			if (local === undefined) command = find(words, commands, locals);
			continue;
		}
		const name = token.name.replaceAll('_', '-');
		const inline = token.value;
		const next = argv[at + 1];
		const take = (): string => {
			if (inline !== undefined) return inline;
			at++;
			if (next === undefined || next.startsWith('--'))
				throw new UsageError(`${word} needs a value after it.`);
			return next;
		};
		const full = Object.hasOwn(SHORT, name) ? SHORT[name]! : name;
		const global = Object.hasOwn(GLOBAL_FLAGS, full) ? GLOBAL_FLAGS[full] : undefined;
		if (local?.flags.includes(full) === true) {
			localFlags.set(full, local.switches?.includes(full) === true ? 'true' : take());
		} else if (full === 'json' && inline === undefined && next !== undefined && isJson(next)) {
			globals.body = take();
		} else if (global !== undefined) {
			if (global.value !== undefined) (globals as unknown as Record<string, unknown>)[global.key] = take();
			else if (full === 'json' && inline !== undefined) globals.body = inline;
			else (globals as unknown as Record<string, unknown>)[global.key] = true;
		} else if (local !== undefined) {
			throw unknownFlag(word, name, local.flags, `orrery ${local.name}`);
		} else {
			command ??= usual(words, commands);
			if (command === undefined) throw unknownFlag(word, name, [], 'orrery');
			const other = SWITCHED.find(
				({ words: from, flag }) => flag === full && from.join(' ') === command!.words.join(' '),
			);
			if (other !== undefined) {
				command = exactly(other.meant, commands)!;
				continue;
			}
			const { argument, no } = argumentOf(command, full, word);
			const isSwitch = withoutNull(argument.schema).type === 'boolean';
			let text: string;
			if (!isSwitch) text = take();
			else if (no) text = 'false';
			else text = inline ?? (SWITCH_WORDS.has(next ?? '') ? take() : 'true');
			given.set(argument, [...(given.get(argument) ?? []), text]);
		}
	}
	if (command === undefined && local === undefined && words.length > 0 && !globals.help)
		command = usual(words, commands);
	return { globals, words, command, local, operands, given, localFlags };
}

/** Values that may follow a flag that is true by itself. */
const SWITCH_WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null']);

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

/**
 * Kind of each word, by its position. A flag may have one dash as well as two. `-5` and `-1,2,3` are values, and `-` is
 * standard input. Which flags take a value is up to the command, so none takes one here unless by `=`.
 */
function tokensOf(argv: readonly string[]): Map<number, Token> {
	const args = argv.map((word) => (/^-[^-\d.]./.test(word) ? `-${word}` : word));
	const { tokens } = parseArgs({ args, strict: false, tokens: true });
	return new Map(
		tokens.map((token) => {
			const { index, kind } = token;
			const isNumber = kind === 'option' && /^-[\d.]/.test(argv[index]!);
			return [index, isNumber ? { kind: 'positional', index, value: argv[index]! } : token];
		}),
	);
}

function exactly(words: readonly string[], commands: readonly Command[]): Command | undefined {
	return commands.find((command) => command.words.join(' ') === words.join(' '));
}

/** The command that the words name, or undefined when one more word is needed. */
function find(
	words: readonly string[],
	commands: readonly Command[],
	locals: readonly LocalCommand[],
): Command | undefined {
	const groups = groupsOf(commands);
	const [group = ''] = words;
	const members = groups.get(group);
	if (members === undefined) {
		const alias = ALIASES.find(([typed]) => typed.join(' ') === words.join(' '));
		if (alias !== undefined) return exactly(alias[1], commands);
		const known = [
			...groups.keys(),
			...ALIASES.map(([typed]) => typed[0]!),
			...locals.map(({ name }) => name),
		];
		const near = nearest(group, known);
		throw new UsageError(
			`There is no command "${group}". ${near ? `Did you mean "${near}"?` : 'orrery --help lists them.'}`,
		);
	}
	const command = exactly(words, commands);
	if (command !== undefined || words.length === 1) return command;
	const verbs = members.map((member) => member.words[1] ?? '');
	const near = nearest(words[1]!, verbs);
	throw new UsageError(
		`There is no command "${words.join(' ')}". ${near ? `Did you mean "${group} ${near}"?` : `Commands: ${verbs.map((verb) => `${group} ${verb}`).join(', ')}.`}`,
	);
}

/** A group typed alone means its list, when it has one. */
function usual(words: readonly string[], commands: readonly Command[]): Command | undefined {
	if (words.length === 0) return undefined;
	const command = exactly([words[0]!, USUAL_VERB], commands);
	if (command !== undefined) return command;
	const verbs = groupsOf(commands)
		.get(words[0]!)!
		.map(({ words: [, verb] }) => verb);
	throw new UsageError(`Add a command after "${words[0]}": ${verbs.join(', ')}.`);
}

function argumentOf(command: Command, name: string, word: string): { argument: Argument; no: boolean } {
	const by = (flag: string) => command.arguments.find((argument) => argument.flag === flag);
	const aliases = Object.hasOwn(FLAG_ALIASES, name) ? FLAG_ALIASES[name]! : [];
	const [argument] = [name, ...aliases].flatMap((flag) => by(flag) ?? []);
	if (argument !== undefined) return { argument, no: false };
	const denied = name.startsWith('no-') ? by(name.slice(3)) : undefined;
	if (denied !== undefined && withoutNull(denied.schema).type === 'boolean')
		return { argument: denied, no: true };
	throw unknownFlag(
		word,
		name,
		command.arguments.map(({ flag }) => flag),
		usageOf(command),
	);
}

function unknownFlag(word: string, name: string, known: readonly string[], usage: string): UsageError {
	const all = [...known, ...Object.keys(GLOBAL_FLAGS)];
	const near = nearest(name, all);
	const hint = near ? `Did you mean --${near}?` : `Flags: ${all.map((flag) => `--${flag}`).join(', ')}.`;
	return new UsageError(`There is no flag ${word.split('=')[0]} here. ${hint}\nUsage: ${usage}`);
}
