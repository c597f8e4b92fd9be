/**
 * The commands that are not routes.
 * Owns: their names and flags.
 */

export interface LocalCommand {
	readonly name: 'discover' | 'explain' | 'doctor' | 'help';
	/** What may stand after it, for help. */
	readonly operands: string;
	readonly flags: readonly string[];
	readonly summary: string;
}

export const LOCAL_COMMANDS: readonly LocalCommand[] = [
	{
		name: 'discover',
		operands: '[group]',
		flags: ['scope'],
		summary: 'Every command with its arguments, asked of the running server',
	},
	{
		name: 'explain',
		operands: '[topic]',
		flags: [],
		summary: 'Short texts about routes, components, errors, forks',
	},
	{ name: 'doctor', operands: '', flags: [], summary: 'Looks for a browser, a GPU, a free port and a world' },
	{ name: 'help', operands: '[command]', flags: [], summary: 'Help for a command' },
];

/** Whether the word after `--json` is a body: JSON, `@file` or `-`. */
export function isJson(word: string): boolean {
	return word === '-' || /^[[{@]/.test(word);
}
