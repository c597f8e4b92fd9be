/**
 * `orrery mcp add CLIENT`: adds this server to the configuration of a client of MCP.
 * Owns: the file and the form of each client. Other content of the file stays. A file that cannot be read is not changed.
 */

import { join, resolve } from 'node:path';
import { suggestion } from '../../shared/contract/nearest.ts';
import { MCP_PATH } from '../../shared/contract/relay-paths.ts';
import { type Terminal, UsageError } from '../cli/terminal.ts';
import { codeOf } from '../system-code.ts';
import { isRecord } from './messages.ts';

/** Name of the server in configurations. */
const SERVER_NAME = 'orrery';

/** Entry of the server in a configuration: an address, or a program. */
type ServerEntry = Readonly<Record<string, unknown>>;

interface ClientSettings {
	/** Configuration file. It is relative to the current folder, unless it starts with `~`. */
	readonly file: string;
	/** Key of the list of servers. */
	readonly key: string;
	readonly entry: (url: string) => ServerEntry;
	/** Instruction for the next step. */
	readonly next: string;
}

const CLIENTS: Readonly<Record<string, ClientSettings>> = {
	claude: {
		file: '.mcp.json',
		key: 'mcpServers',
		entry: (url) => ({ type: 'http', url }),
		next: 'Start claude in this folder and allow the server.',
	},
	codex: {
		file: '~/.codex/config.toml',
		key: 'mcp_servers',
		entry: (url) => ({ url }),
		next: 'Start codex again.',
	},
	cursor: {
		file: '.cursor/mcp.json',
		key: 'mcpServers',
		entry: (url) => ({ url }),
		next: 'Open this folder in Cursor and enable the server in its settings.',
	},
	vscode: {
		file: '.vscode/mcp.json',
		key: 'servers',
		entry: (url) => ({ type: 'http', url }),
		next: 'Open this folder in VS Code and start the server from the file.',
	},
	gemini: {
		file: '.gemini/settings.json',
		key: 'mcpServers',
		entry: (url) => ({ httpUrl: url }),
		next: 'Start gemini in this folder.',
	},
};

export interface AddClientOptions {
	readonly client: string | undefined;
	/** Address of the server. */
	readonly server: string;
	/** File to write instead of the default one. */
	readonly file: string | undefined;
	/** Command that serves MCP on standard streams. It is written instead of the address. */
	readonly program: readonly [string, ...string[]] | undefined;
}

/** Writes the configuration. Returns the value to print. Rejects with `UsageError`. */
export async function addClient(
	{ client = '', server, file, program }: AddClientOptions,
	terminal: Terminal,
) {
	const settings = Object.hasOwn(CLIENTS, client) ? CLIENTS[client] : undefined;
	if (settings === undefined) {
		const names = Object.keys(CLIENTS);
		const suggestedName = client === '' ? undefined : suggestion(client, names);
		throw new UsageError(suggestedName ?? `Name the client: orrery mcp add ${names.join('|')}`);
	}
	const [command, ...args] = program ?? [];
	const entry =
		command === undefined
			? settings.entry(`${server}${MCP_PATH}`)
			: { ...(settings.key === 'servers' ? { type: 'stdio' } : {}), command, args };
	const path = file ?? pathOf(settings.file, terminal);
	const oldText = await textOf(path, terminal);
	const addEntry = path.endsWith('.toml') ? addTomlEntry : addJsonEntry;
	await terminal.writeFile(path, addEntry(oldText, settings.key, entry, path));
	return {
		ok: true,
		path: resolve(path),
		wrote: { [settings.key]: { [SERVER_NAME]: entry } },
		next: settings.next,
	};
}

function pathOf(file: string, { environment }: Terminal): string {
	if (!file.startsWith('~')) return file;
	const { CODEX_HOME, HOME, USERPROFILE } = environment;
	if (CODEX_HOME) return join(CODEX_HOME, file.slice(file.lastIndexOf('/') + 1));
	const home = HOME || USERPROFILE;
	if (home === undefined)
		throw new UsageError('The environment names no home. Name the file with --file FILE.');
	return join(home, file.slice(2));
}

/** Returns the text of a file; empty if it is missing. */
async function textOf(path: string, terminal: Terminal): Promise<string> {
	try {
		return await terminal.readFile(path);
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return '';
		throw new UsageError(`${path} cannot be read: ${(error as Error).message}.`);
	}
}

function addJsonEntry(oldText: string, key: string, entry: ServerEntry, path: string): string {
	let root: unknown = {};
	try {
		if (oldText.trim() !== '') root = JSON.parse(oldText);
	} catch {
		root = undefined;
	}
	const servers = isRecord(root) ? (root[key] ?? {}) : undefined;
	if (!isRecord(root) || !isRecord(servers))
		throw manualEditError(path, JSON.stringify({ [key]: { [SERVER_NAME]: entry } }));
	const indent = /^[ \t]+/m.exec(oldText)?.[0] ?? '\t';
	return `${JSON.stringify({ ...root, [key]: { ...servers, [SERVER_NAME]: entry } }, null, indent)}\n`;
}

/** Returns the text with a table for the server, in place of an existing one. */
function addTomlEntry(oldText: string, key: string, entry: ServerEntry, path: string): string {
	const table = [
		`[${key}.${SERVER_NAME}]`,
		...Object.entries(entry).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
	].join('\n');
	if (new RegExp(`^\\s*${key}\\s*=|^\\s*\\[${key}\\.${SERVER_NAME}\\.`, 'm').test(oldText))
		throw manualEditError(path, table);
	const lines = oldText.split('\n');
	const start = lines.findIndex((line) => line.trim() === `[${key}.${SERVER_NAME}]`);
	if (start < 0) {
		const separator = oldText === '' ? '' : oldText.endsWith('\n') ? '\n' : '\n\n';
		return `${oldText}${separator}${table}\n`;
	}
	const length = lines.slice(start + 1).findIndex((line) => line.trim().startsWith('['));
	const rest = length < 0 ? [] : lines.slice(start + 1 + length);
	return [...lines.slice(0, start), table, '', ...rest].join('\n');
}

const manualEditError = (path: string, text: string): UsageError =>
	new UsageError(`${path} has a form that this command does not change. Add this to it by hand:\n${text}`);
