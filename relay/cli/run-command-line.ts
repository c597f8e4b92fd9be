/**
 * Runs a command line, from arguments to exit code.
 * Owns: the commands that are not routes, and the exit codes of the program. 0: success. 1: the command failed, for
 * example because no server answers. 2: the arguments are invalid. `call-route.ts` owns the exit code of a call.
 */

import { join, resolve } from 'node:path';
import { type RouteDocument, routeDocument, VERSION } from '../../shared/contract/api-documents.ts';
import { SchemaDefinitions } from '../../shared/contract/json-schema.ts';
import { withoutReferences } from '../../shared/contract/schema-references.ts';
import { routes } from '../../shared/routes/index.ts';
import { JournalError } from '../../shared/transport/journal.ts';
import { ROOT } from '../folders.ts';
import { callRoute } from './call-route.ts';
import { type ParsedCommandLine, readCommandLine } from './command-line.ts';
import { type CliCommand, commandOf, groupsOf } from './commands.ts';
import { findingsText, runChecks } from './doctor.ts';
import { explain } from './explain.ts';
import { commandHelp, groupHelp, localHelp, overviewText } from './help.ts';
import { createKey, sessionFor } from './identity.ts';
import { LOCAL_COMMANDS } from './local-commands.ts';
import { prettyJson } from './print-json.ts';
import { serverOf } from './send-call.ts';
import { NoServerError, type Terminal, UsageError } from './terminal.ts';
import { readTimeout, waitForEngine } from './wait.ts';
import { listWorlds, worldsText } from './worlds.ts';

/** Commands of all routes. */
const COMMANDS: readonly CliCommand[] = routes.map((route) =>
	commandOf(route.cli, () => {
		const shared = new SchemaDefinitions('#/definitions/');
		const document = routeDocument(route, (schema, io) => shared.schema(schema, io));
		return withoutReferences(document, shared.definitions) as unknown as RouteDocument;
	}),
);

/** Runs one command and returns its exit code. Throws only for faults of this program. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
	try {
		return await run(readCommandLine(argv, COMMANDS, LOCAL_COMMANDS), COMMANDS, terminal);
	} catch (error) {
		if (!(error instanceof UsageError || error instanceof NoServerError || error instanceof JournalError))
			throw error;
		terminal.error(`orrery: ${error.message}\n`);
		return error instanceof UsageError ? 2 : 1;
	}
}

async function run(
	commandLine: ParsedCommandLine,
	commands: readonly CliCommand[],
	terminal: Terminal,
): Promise<number> {
	const { globals, words, command, local, operands } = commandLine;
	const print = (value: unknown) =>
		terminal.out(globals.json ? `${JSON.stringify(value)}\n` : `${prettyJson(value)}\n`);
	if (globals.version) {
		terminal.out(`${VERSION}\n`);
		return 0;
	}
	if (local?.name === 'help') return printHelp(operands, commands, terminal);
	if (globals.help || (command === undefined && local === undefined))
		return printHelp(local?.name.split(' ') ?? command?.words ?? words, commands, terminal);
	const server = serverOf(globals.server, terminal.environment);
	switch (local?.name) {
		// `relay/orrery.mjs` starts the server before it loads this file.
		case 'start':
			throw new UsageError('"start" must be the first word: orrery start [flags].');
		case 'explain':
			terminal.out(explain(commands, operands.length === 0 ? undefined : operands.join(' ')));
			return 0;
		case 'auth keygen': {
			const { identity } = globals;
			const [data, access] = ['data', 'access'].map((flag) => commandLine.localFlags.get(flag));
			print(await createKey({ agent: operands[0], identity, data, access }, terminal));
			return 0;
		}
		case 'wait': {
			print(await waitForEngine(server, readTimeout(commandLine.localFlags.get('timeout'))));
			return 0;
		}
		case 'events follow':
			return followStream(server, commandLine, terminal);
		case 'worlds': {
			const data = commandLine.localFlags.get('data') ?? './data';
			const worlds = await listWorlds(data);
			if (globals.json) print({ ok: true, worlds });
			else terminal.out(worldsText(worlds, data));
			return 0;
		}
		case 'replay':
			return replayJournal(commandLine, terminal, print);
		case 'record':
			return recordJournal(commandLine, terminal, print);
		case 'suite': {
			const { runSuite } = await import('../suite/suite.ts');
			const { operands, localFlags: flags } = commandLine;
			const suiteServer = globals.server === undefined ? undefined : server;
			return runSuite({ operands, flags, server: suiteServer, junit: globals.junit }, terminal);
		}
		case 'mcp':
			return runMcp(server, commandLine, terminal, print);
		case 'doctor': {
			const findings = await runChecks(server);
			if (globals.json) print({ ok: findings.every(({ state }) => state !== 'fail'), findings });
			else terminal.out(findingsText(findings));
			return findings.some(({ state }) => state === 'fail') ? 1 : 0;
		}
	}
	return callRoute(server, commandLine, command!, terminal);
}

/** Prints events until the stream ends, then returns 1. Throws `NoServerError` if it breaks. */
async function followStream(
	server: string,
	{ localFlags, globals }: ParsedCommandLine,
	terminal: Terminal,
): Promise<number> {
	const { followEvents } = await import('../../shared/transport/follow-events.ts');
	const session = await sessionFor(server, terminal);
	const headers: Record<string, string> = {};
	if (session !== undefined) headers.authorization = `Bearer ${session}`;
	const query: Record<string, string> = Object.fromEntries(localFlags);
	if (globals.world !== undefined) query.world = globals.world;
	try {
		for await (const { id, name, data } of followEvents(server, { query, headers })) {
			const event = name === 'message' ? { id, ...data } : { id, event: name, ...data };
			terminal.out(`${JSON.stringify(event)}\n`);
		}
	} catch (error) {
		throw new NoServerError(`The events of ${server} cannot be read: ${(error as Error).message}`);
	}
	terminal.error('orrery: The stream has ended.\n');
	return 1;
}

/** Serves MCP on standard input and output, or with `add` registers it with a client. */
async function runMcp(
	server: string,
	{ operands, localFlags }: ParsedCommandLine,
	terminal: Terminal,
	print: (value: unknown) => void,
): Promise<number> {
	const [word, client] = operands;
	if (word === undefined) {
		const { serveStdio } = await import('../mcp/stdio.ts');
		await serveStdio(server, terminal);
		return 0;
	}
	if (word !== 'add')
		throw new UsageError(`"${word}" is not a subcommand of "orrery mcp". Use: orrery mcp add claude`);
	const { addClient } = await import('../mcp/add-client.ts');
	const stdioProgram: [string, ...string[]] = [
		process.execPath,
		join(ROOT, 'relay/orrery.mjs'),
		'mcp',
		'--server',
		server,
	];
	const program = localFlags.has('stdio') ? stdioProgram : undefined;
	print(await addClient({ client, server, file: localFlags.get('file'), program }, terminal));
	return 0;
}

/** Re-runs a journal. The engine is loaded only here, because few commands need it. */
async function replayJournal(
	{ operands, localFlags, globals }: ParsedCommandLine,
	terminal: Terminal,
	print: (value: unknown) => void,
): Promise<number> {
	const { replayPath, replayText } = await import('../replay/replay.ts');
	const options = { verify: localFlags.has('verify'), to: entryOf(localFlags, 'to') };
	let reported = 0;
	const result = await replayPath(operands[0] ?? './data', options, (next, end) => {
		// A long journal prints at most ten lines of progress.
		const tenth = Math.floor((next / end) * 10);
		if (end - next > 0 && next >= reported + 1000 && tenth > Math.floor((reported / end) * 10)) {
			terminal.error(`${next} of ${end} entries ...\n`);
			reported = next;
		}
	});
	if (globals.json) print(result);
	else terminal.out(replayText(result));
	return result.ok ? 0 : 1;
}

async function recordJournal(
	{ operands, localFlags, globals }: ParsedCommandLine,
	terminal: Terminal,
	print: (value: unknown) => void,
): Promise<number> {
	if (globals.output === undefined) throw new UsageError('Name the file to write with --output FILE.');
	const { recordPiece } = await import('../replay/record.ts');
	const span = { from: entryOf(localFlags, 'from'), to: entryOf(localFlags, 'to') };
	const { bytes, from, to } = await recordPiece(operands[0] ?? './data', span);
	await terminal.writeFile(globals.output, bytes);
	print({ ok: true, path: resolve(globals.output), size_bytes: bytes.length, from, to });
	return 0;
}

/** Reads the entry number of a flag; undefined without the flag. Throws `UsageError`. */
function entryOf(flags: ParsedCommandLine['localFlags'], name: string): number | undefined {
	const text = flags.get(name);
	if (text === undefined) return undefined;
	if (/^\d{1,15}$/.test(text)) return Number(text);
	throw new UsageError(`--${name} takes an entry number, as in GET /history, not "${text}".`);
}

function printHelp(words: readonly string[], commands: readonly CliCommand[], terminal: Terminal): number {
	const [group] = words;
	const members = group === undefined ? undefined : groupsOf(commands).get(group);
	const command = commands.find((candidate) => candidate.words.join(' ') === words.join(' '));
	const local = LOCAL_COMMANDS.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
	if (command !== undefined) terminal.out(commandHelp(command));
	else if (local !== undefined) terminal.out(localHelp(local));
	else if (members !== undefined) terminal.out(groupHelp(group!, members));
	else terminal.out(overviewText(commands));
	return 0;
}
