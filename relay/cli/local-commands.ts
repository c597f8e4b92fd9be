/**
 * The commands that are not routes.
 * Owns: their names and flags.
 */

export interface LocalCommand {
	readonly name:
		| 'discover'
		| 'explain'
		| 'doctor'
		| 'auth keygen'
		| 'wait'
		| 'worlds'
		| 'replay'
		| 'record'
		| 'mcp'
		| 'help';
	/** What may stand after it, for help. */
	readonly operands: string;
	readonly flags: readonly string[];
	/** Those of them that take no value. */
	readonly switches?: readonly string[];
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
		summary: 'A page of the guide, or its entry about a route, component, condition, action, event or error',
	},
	{ name: 'doctor', operands: '', flags: [], summary: 'Looks for a browser, a GPU, a free port and a world' },
	{
		name: 'auth keygen',
		operands: '<agent-id>',
		flags: ['data', 'access'],
		summary: 'Makes a key to sign in with, and puts it on the list of a data folder',
	},
	{
		name: 'wait',
		operands: '',
		flags: ['timeout'],
		summary:
			'Waits until an engine answers, for --timeout seconds at most (120 unless given), then exits with 1',
	},
	{
		name: 'worlds',
		operands: '',
		flags: ['data'],
		summary: 'The worlds that a data folder keeps; ./data unless --data names another',
	},
	{
		name: 'replay',
		operands: '[file or folder]',
		flags: ['verify', 'to'],
		switches: ['verify'],
		summary:
			'Makes what a journal says again, without a browser, up to the entry --to; with --verify names what comes out otherwise. ./data unless named',
	},
	{
		name: 'record',
		operands: '[folder]',
		flags: ['from', 'to'],
		summary:
			'Cuts a piece out of a journal, from the state before the entry --from to the entry --to, into the file --output. It holds what was sent, with the names of who sent it',
	},
	{
		name: 'mcp',
		operands: '',
		flags: [],
		summary:
			'Serves the Model Context Protocol on standard input and output, for agents that start it: tools to read the schema, make any call, and see a picture',
	},
	{ name: 'help', operands: '[command]', flags: [], summary: 'Help for a command' },
];

/** Whether the word after `--json` is a body: JSON, `@file` or `-`. */
export function isJson(word: string): boolean {
	return word === '-' || /^[[{@]/.test(word);
}
