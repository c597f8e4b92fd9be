/**
 * `orrery mcp add CLIENT`: writes the configuration of a client of MCP.
 * Owns: the file and the form of each client. What else is in a file stays; a file that cannot be read is left as it is.
 */

import { join, resolve } from 'node:path';
import { suggestion } from '../../shared/contract/nearest.ts';
import { MCP_PATH } from '../../shared/contract/relay-paths.ts';
import { type Terminal, UsageError } from '../cli/terminal.ts';
import { codeOf } from '../system-code.ts';
import { isRecord } from './messages.ts';

/** Name of the server in configurations. */
const NAME = 'orrery';

/** The server as one client has it: at an address, or as a program. */
type ServerEntry = Readonly<Record<string, unknown>>;

interface ClientSettings {
	/** Its file, in the folder that the command runs in unless it starts with `~`. */
	readonly file: string;
	/** Key of the list of servers. */
	readonly key: string;
	readonly entry: (url: string) => ServerEntry;
	/** The next step. */
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

export interface Adding {
	readonly client: string | undefined;
	/** Address of the server. */
	readonly server: string;
	/** File to write instead of the usual one. */
	readonly file: string | undefined;
	/** The command that speaks MCP on standard streams, to write that instead of the address. */
	readonly program: readonly [string, ...string[]] | undefined;
}

/** Writes the configuration. Answers what to print. Throws `UsageError`. */
export async function addClient({ client = '', server, file, program }: Adding, terminal: Terminal) {
	const settings = Object.hasOwn(CLIENTS, client) ? CLIENTS[client] : undefined;
	if (settings === undefined) {
		const names = Object.keys(CLIENTS);
		const near = client === '' ? undefined : suggestion(client, names);
		throw new UsageError(near ?? `Name the client: orrery mcp add ${names.join('|')}`);
	}
	const [command, ...args] = program ?? [];
	const entry =
		command === undefined
			? settings.entry(`${server}${MCP_PATH}`)
			: { ...(settings.key === 'servers' ? { type: 'stdio' } : {}), command, args };
	const path = file ?? pathOf(settings.file, terminal);
	const before = await textOf(path, terminal);
	const write = path.endsWith('.toml') ? withToml : withJson;
	await terminal.writeFile(path, write(before, settings.key, entry, path));
	return { ok: true, path: resolve(path), wrote: { [settings.key]: { [NAME]: entry } }, next: settings.next };
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

/** Returns the text of a file; empty if there is none. */
async function textOf(path: string, terminal: Terminal): Promise<string> {
	try {
		return await terminal.readFile(path);
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return '';
		throw new UsageError(`${path} cannot be read: ${(error as Error).message}.`);
	}
}

function withJson(before: string, key: string, entry: ServerEntry, path: string): string {
	let root: unknown = {};
	try {
		if (before.trim() !== '') root = JSON.parse(before);
	} catch {
		root = undefined;
	}
	const servers = isRecord(root) ? (root[key] ?? {}) : undefined;
	if (!isRecord(root) || !isRecord(servers)) throw byHand(path, JSON.stringify({ [key]: { [NAME]: entry } }));
	const indent = /^[ \t]+/m.exec(before)?.[0] ?? '\t';
	return `${JSON.stringify({ ...root, [key]: { ...servers, [NAME]: entry } }, null, indent)}\n`;
}

/** Returns a table of its own, in place of the one that is there. */
function withToml(before: string, key: string, entry: ServerEntry, path: string): string {
	const table = [
		`[${key}.${NAME}]`,
		...Object.entries(entry).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
	].join('\n');
	if (new RegExp(`^\\s*${key}\\s*=|^\\s*\\[${key}\\.${NAME}\\.`, 'm').test(before)) throw byHand(path, table);
	const lines = before.split('\n');
	const from = lines.findIndex((line) => line.trim() === `[${key}.${NAME}]`);
	if (from < 0) return `${before}${before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n'}${table}\n`;
	const after = lines.slice(from + 1).findIndex((line) => line.trim().startsWith('['));
	const rest = after < 0 ? [] : lines.slice(from + 1 + after);
	return [...lines.slice(0, from), table, '', ...rest].join('\n');
}

const byHand = (path: string, text: string): UsageError =>
	new UsageError(`${path} has a form that this command does not change. Add this to it by hand:\n${text}`);
