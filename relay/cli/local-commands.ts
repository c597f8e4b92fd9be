/**
 * Commands that are not routes.
 * Owns: their names and flags.
 */

export interface LocalCommand {
	readonly name:
		| 'start'
		| 'explain'
		| 'doctor'
		| 'auth keygen'
		| 'wait'
		| 'events follow'
		| 'worlds'
		| 'replay'
		| 'record'
		| 'mcp'
		| 'suite'
		| 'help';
	/** Operands in the help text. */
	readonly operands: string;
	readonly flags: readonly string[];
	/** Flags that take no value. */
	readonly switches?: readonly string[];
	readonly summary: string;
}

export const LOCAL_COMMANDS: readonly LocalCommand[] = [
	{
		name: 'start',
		operands: '[flags]',
		flags: [],
		summary: 'Starts the server; "orrery start --help" lists its flags',
	},
	{
		name: 'explain',
		operands: '[topic]',
		flags: [],
		summary: 'A page of the guide, or its entry about a route, component, condition, action, event or error',
	},
	{
		name: 'doctor',
		operands: '',
		flags: [],
		summary: 'Checks the packages, the browser, the port, the world and the GPU',
	},
	{
		name: 'auth keygen',
		operands: '<agent-id>',
		flags: ['data', 'access'],
		summary: 'Creates a key to sign in with, and adds it to the list of a data folder',
	},
	{
		name: 'wait',
		operands: '',
		flags: ['timeout'],
		summary: 'Waits until an engine answers; exits with 1 after --timeout seconds (default 120)',
	},
	{
		name: 'events follow',
		operands: '',
		flags: ['since', 'events', 'entity'],
		summary:
			'Prints the events of a world as they happen, one JSON object per line. A lost connection is resumed without a missing event',
	},
	{
		name: 'worlds',
		operands: '',
		flags: ['data'],
		summary: 'Lists the worlds that the data folder --data keeps (default ./data)',
	},
	{
		name: 'replay',
		operands: '[file or folder]',
		flags: ['verify', 'to'],
		switches: ['verify'],
		summary:
			'Re-runs a journal without a browser, up to the entry --to (default: all of ./data). With --verify, also compares each stored state and names what differs',
	},
	{
		name: 'record',
		operands: '[folder]',
		flags: ['from', 'to'],
		summary:
			'Copies a piece of a journal to the file --output: from the state before entry --from to entry --to. The piece contains the calls and the names of their senders',
	},
	{
		name: 'mcp',
		operands: '[add <client>]',
		flags: ['file', 'stdio'],
		switches: ['stdio'],
		summary:
			'Serves the Model Context Protocol on standard input and output. With add: writes the configuration of claude, codex, cursor, vscode or gemini, for the server at /mcp, or with --stdio for this command',
	},
	{
		name: 'suite',
		operands: '[list | run | serve]',
		flags: ['only', 'seed', 'agent', 'solution', 'port', 'timeout', 'json'],
		summary:
			'Tasks for agents, with exact checks: lists them, runs --agent "COMMAND {url}" or --solution reference on each, or serves them. Also --only IDS, --seed N, --timeout SECONDS, --json FILE, --junit FILE, and --port N to serve',
	},
	{ name: 'help', operands: '[command]', flags: [], summary: 'Shows help for a command' },
];

/** Returns true if the word after `--json` is a body: JSON, `@file` or `-`. */
export function isBodyText(word: string): boolean {
	return word === '-' || /^[[{@]/.test(word);
}
