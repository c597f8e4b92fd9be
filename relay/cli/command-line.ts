/**
 * Parses the arguments of the command line into a command, operands and flags.
 * Owns: the parsing, and the errors about unknown commands and flags.
 */

import { parseArgs } from 'node:util';
import { nearest } from '../../shared/contract/nearest.ts';
import { ALIASES, DEFAULT_VERB, FLAG_ALIASES, SWITCHED_COMMANDS } from './aliases.ts';
import { type Argument, type CliCommand, groupsOf, usageOf } from './commands.ts';
import { GLOBAL_FLAGS, type Globals } from './global-flags.ts';
import { isBodyText, type LocalCommand } from './local-commands.ts';
import { withoutNull } from './schema-form.ts';
import { UsageError } from './terminal.ts';

/** Flags by their short form. */
const SHORT_FLAGS: Readonly<Record<string, string>> = { s: 'server', o: 'output', out: 'output', h: 'help' };

export interface ParsedCommandLine {
	readonly globals: Globals;
	/** Words of the command, as typed. */
	readonly words: readonly string[];
	/** The command of a route that the words name. */
	readonly command: CliCommand | undefined;
	/** A command that is not a route. */
	readonly local: LocalCommand | undefined;
	/** Words after the command's own. */
	readonly operands: readonly string[];
	/** Values of the command's flags as typed, in order. */
	readonly flagValues: ReadonlyMap<Argument, readonly string[]>;
	/** Flags of a local command. */
	readonly localFlags: ReadonlyMap<string, string>;
}

/** Parses arguments. Throws `UsageError`. */
export function readCommandLine(
	argv: readonly string[],
	commands: readonly CliCommand[],
	locals: readonly LocalCommand[],
): ParsedCommandLine {
	return new CommandLineReader(argv, commands, locals).read();
}

/** Parses arguments from left to right: the words of the command, then operands, with flags anywhere. */
class CommandLineReader {
	readonly #argv: readonly string[];
	readonly #commands: readonly CliCommand[];
	readonly #locals: readonly LocalCommand[];
	readonly #globals: Globals = {
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
	readonly #words: string[] = [];
	readonly #operands: string[] = [];
	readonly #flagValues = new Map<Argument, string[]>();
	readonly #localFlags = new Map<string, string>();
	#command: CliCommand | undefined;
	#local: LocalCommand | undefined;
	#index = 0;

	constructor(argv: readonly string[], commands: readonly CliCommand[], locals: readonly LocalCommand[]) {
		this.#argv = argv;
		this.#commands = commands;
		this.#locals = locals;
	}

	read(): ParsedCommandLine {
		const tokens = tokensOf(this.#argv);
		for (; this.#index < this.#argv.length; this.#index++) {
			const token = tokens.get(this.#index)!;
			if (token.kind === 'positional') this.#readWord(this.#argv[this.#index]!);
			else if (token.kind === 'option') this.#readFlag(token.name.replaceAll('_', '-'), token.value);
		}
		const words = this.#words;
		const local = this.#local;
		if (this.#command === undefined && local === undefined && words.length > 0 && !this.#globals.help)
			this.#command = defaultCommand(words, this.#commands);
		return {
			globals: this.#globals,
			words,
			command: this.#command,
			local,
			operands: this.#operands,
			flagValues: this.#flagValues,
			localFlags: this.#localFlags,
		};
	}

	#readWord(word: string): void {
		if (this.#command !== undefined || this.#local !== undefined) {
			this.#operands.push(word);
			return;
		}
		this.#words.push(word);
		this.#local = this.#locals.find(({ name }) => name === this.#words.join(' '));
		if (this.#local === undefined) this.#command = findCommand(this.#words, this.#commands, this.#locals);
	}

	/** Reads the flag at the current argument. `inline`: its value after `=`. */
	#readFlag(name: string, inline: string | undefined): void {
		const typed = this.#argv[this.#index]!;
		const flag = Object.hasOwn(SHORT_FLAGS, name) ? SHORT_FLAGS[name]! : name;
		const local = this.#local;
		if (local?.flags.includes(flag) === true) {
			const isSwitch = local.switches?.includes(flag) === true;
			this.#localFlags.set(flag, isSwitch ? 'true' : this.#takeValue(inline));
		} else if (Object.hasOwn(GLOBAL_FLAGS, flag)) this.#readGlobalFlag(flag, inline);
		else if (local !== undefined) throw unknownFlagError(typed, name, local.flags, `orrery ${local.name}`);
		else this.#readCommandFlag(name, flag, inline);
	}

	#readGlobalFlag(flag: string, inline: string | undefined): void {
		const globals = this.#globals as unknown as Record<string, unknown>;
		const { key, value } = GLOBAL_FLAGS[flag]!;
		const next = this.#argv[this.#index + 1];
		// Without a value, --json selects the output. With JSON after it, it is the body.
		if (flag === 'json' && (inline !== undefined || (next !== undefined && isBodyText(next))))
			globals.body = this.#takeValue(inline);
		else globals[key] = value === undefined ? true : this.#takeValue(inline);
	}

	#readCommandFlag(name: string, flag: string, inline: string | undefined): void {
		const typed = this.#argv[this.#index]!;
		const command = this.#command ?? defaultCommand(this.#words, this.#commands);
		if (command === undefined) throw unknownFlagError(typed, name, [], 'orrery');
		const switchedCommand = SWITCHED_COMMANDS.find(
			(entry) => entry.flag === flag && entry.words.join(' ') === command.words.join(' '),
		);
		if (switchedCommand !== undefined) {
			this.#command = findByWords(switchedCommand.otherWords, this.#commands)!;
			return;
		}
		this.#command = command;
		const { argument, isNegated } = argumentOf(command, flag, typed);
		const isSwitch = withoutNull(argument.schema).type === 'boolean';
		const text = isSwitch ? this.#takeSwitchValue(isNegated, inline) : this.#takeValue(inline);
		this.#flagValues.set(argument, [...(this.#flagValues.get(argument) ?? []), text]);
	}

	#takeSwitchValue(isNegated: boolean, inline: string | undefined): string {
		if (isNegated) return 'false';
		if (inline !== undefined) return inline;
		return SWITCH_WORDS.has(this.#argv[this.#index + 1] ?? '') ? this.#takeValue(undefined) : 'true';
	}

	/** Returns the value of a flag: after its `=`, or the next argument. */
	#takeValue(inline: string | undefined): string {
		if (inline !== undefined) return inline;
		const typed = this.#argv[this.#index]!;
		const next = this.#argv[this.#index + 1];
		if (next === undefined || next.startsWith('--')) throw new UsageError(`${typed} needs a value after it.`);
		this.#index++;
		return next;
	}
}

/** Words that are values after a boolean flag; any other word is an operand. */
const SWITCH_WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null']);

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

/**
 * Returns the kind of each argument, by its index. Flags have one dash or two. `-5` and `-1,2,3` are values, and `-` is
 * standard input. The command decides which flags take a value, so a token has a value only after `=`.
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

function findByWords(words: readonly string[], commands: readonly CliCommand[]): CliCommand | undefined {
	return commands.find((command) => command.words.join(' ') === words.join(' '));
}

/** Finds the command that the words name; undefined if one more word is needed. Throws `UsageError` if none matches. */
function findCommand(
	words: readonly string[],
	commands: readonly CliCommand[],
	locals: readonly LocalCommand[],
): CliCommand | undefined {
	const groups = groupsOf(commands);
	const [group = ''] = words;
	const members = groups.get(group);
	if (members === undefined) {
		const alias = ALIASES.find(([typed]) => typed.join(' ') === words.join(' '));
		if (alias !== undefined) return findByWords(alias[1], commands);
		const knownNames = [
			...groups.keys(),
			...ALIASES.map(([typed]) => typed[0]!),
			...locals.map(({ name }) => name),
		];
		const near = nearest(group, knownNames);
		throw new UsageError(
			`There is no command "${group}". ${near ? `Did you mean "${near}"?` : 'orrery --help lists them.'}`,
		);
	}
	const command = findByWords(words, commands);
	if (command !== undefined || words.length === 1) return command;
	const verbs = members.map((member) => member.words[1] ?? '');
	const near = nearest(words[1]!, verbs);
	throw new UsageError(
		`There is no command "${words.join(' ')}". ${near ? `Did you mean "${group} ${near}"?` : `Commands: ${verbs.map((verb) => `${group} ${verb}`).join(', ')}.`}`,
	);
}

/** Returns the list command of a group that was typed alone. Throws `UsageError` if it has none. */
function defaultCommand(words: readonly string[], commands: readonly CliCommand[]): CliCommand | undefined {
	if (words.length === 0) return undefined;
	const command = findByWords([words[0]!, DEFAULT_VERB], commands);
	if (command !== undefined) return command;
	const verbs = groupsOf(commands)
		.get(words[0]!)!
		.map(({ words: [, verb] }) => verb);
	throw new UsageError(`Add a command after "${words[0]}": ${verbs.join(', ')}.`);
}

function argumentOf(
	command: CliCommand,
	name: string,
	word: string,
): { argument: Argument; isNegated: boolean } {
	const findByFlag = (flag: string) => command.arguments.find((argument) => argument.flag === flag);
	const aliases = Object.hasOwn(FLAG_ALIASES, name) ? FLAG_ALIASES[name]! : [];
	const [argument] = [name, ...aliases].flatMap((flag) => findByFlag(flag) ?? []);
	if (argument !== undefined) return { argument, isNegated: false };
	const negated = name.startsWith('no-') ? findByFlag(name.slice(3)) : undefined;
	if (negated !== undefined && withoutNull(negated.schema).type === 'boolean')
		return { argument: negated, isNegated: true };
	throw unknownFlagError(
		word,
		name,
		command.arguments.map(({ flag }) => flag),
		usageOf(command),
	);
}

function unknownFlagError(
	word: string,
	name: string,
	knownNames: readonly string[],
	usage: string,
): UsageError {
	const all = [...knownNames, ...Object.keys(GLOBAL_FLAGS)];
	const near = nearest(name, all);
	const hint = near ? `Did you mean --${near}?` : `Flags: ${all.map((flag) => `--${flag}`).join(', ')}.`;
	return new UsageError(`There is no flag ${word.split('=')[0]} here. ${hint}\nUsage: ${usage}`);
}
