/**
 * Runs a command line, from arguments to exit code.
 * Owns: the output streams and the exit codes. 0: done. 1: the call was refused, an assertion fails, or no server answers.
 * 2: the arguments are invalid.
 */

import { join, resolve } from 'node:path';
import { type RouteDocument, routeDocument, VERSION } from '../../shared/contract/api-documents.ts';
import { EVENT_STREAM_TYPE } from '../../shared/contract/event-stream.ts';
import { SchemaDefinitions } from '../../shared/contract/json-schema.ts';
import { withoutReferences } from '../../shared/contract/schema-references.ts';
import { login, logout } from '../../shared/routes/auth.ts';
import { routes } from '../../shared/routes/index.ts';
import { JournalError } from '../../shared/transport/journal.ts';
import { ROOT } from '../folders.ts';
import { DEFAULT_DOMAIN } from '../sign-in/agents.ts';
import { ask, jsonOf, serverOf } from './ask.ts';
import { buildCall } from './build-request.ts';
import { readCommandLine, type Typed } from './command-line.ts';
import { type Command, commandOf, groupsOf } from './commands.ts';
import { examine, findingsText } from './doctor.ts';
import { explain } from './explain.ts';
import { commandHelp, groupHelp, localHelp, overview } from './help.ts';
import { keepSession, makeKey, readKey, sessionFor, signedLogin } from './identity.ts';
import { LOCAL_COMMANDS } from './local-commands.ts';
import { prettyJson } from './print-json.ts';
import { propertiesOf } from './schema-value.ts';
import { NoServer, type Terminal, UsageError } from './terminal.ts';
import { junitReport, verdictsOf } from './verdicts.ts';
import { secondsOf, waitFor } from './wait.ts';
import { listWorlds, worldsText } from './worlds.ts';

/** Commands of all routes. */
const COMMANDS: readonly Command[] = routes.map((route) =>
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
		if (!(error instanceof UsageError || error instanceof NoServer || error instanceof JournalError))
			throw error;
		terminal.error(`orrery: ${error.message}\n`);
		return error instanceof UsageError ? 2 : 1;
	}
}

async function run(typed: Typed, commands: readonly Command[], terminal: Terminal): Promise<number> {
	const { globals, words, command, local, operands } = typed;
	const print = (value: unknown) =>
		terminal.out(globals.json ? `${JSON.stringify(value)}\n` : `${prettyJson(value)}\n`);
	if (globals.version) {
		terminal.out(`${VERSION}\n`);
		return 0;
	}
	if (local?.name === 'help') return help(operands, commands, terminal);
	if (globals.help || (command === undefined && local === undefined))
		return help(local?.name.split(' ') ?? command?.words ?? words, commands, terminal);
	const server = serverOf(globals.server, terminal.environment);
	switch (local?.name) {
		// `relay/orrery.mjs` starts the server before this is loaded.
		case 'start':
			throw new UsageError('"start" must be the first word: orrery start [flags].');
		case 'explain':
			terminal.out(explain(commands, operands.length === 0 ? undefined : operands.join(' ')));
			return 0;
		case 'auth keygen': {
			const { identity } = globals;
			const [data, access] = ['data', 'access'].map((flag) => typed.localFlags.get(flag));
			print(await makeKey({ agent: operands[0], identity, data, access }, terminal));
			return 0;
		}
		case 'wait': {
			print(await waitFor(server, secondsOf(typed.localFlags.get('timeout'))));
			return 0;
		}
		case 'events follow':
			return follow(server, typed, terminal);
		case 'worlds': {
			const data = typed.localFlags.get('data') ?? './data';
			const worlds = await listWorlds(data);
			if (globals.json) print({ ok: true, worlds });
			else terminal.out(worldsText(worlds, data));
			return 0;
		}
		case 'replay':
			return replay(typed, terminal, print);
		case 'record':
			return record(typed, terminal, print);
		case 'suite': {
			const { runSuite } = await import('../suite/suite.ts');
			const { operands, localFlags: flags } = typed;
			const own = globals.server === undefined ? undefined : server;
			return runSuite({ operands, flags, server: own, junit: globals.junit }, terminal);
		}
		case 'mcp':
			return mcp(server, typed, terminal, print);
		case 'doctor': {
			const findings = await examine(server);
			if (globals.json) print({ ok: findings.every(({ state }) => state !== 'fail'), findings });
			else terminal.out(findingsText(findings));
			return findings.some(({ state }) => state === 'fail') ? 1 : 0;
		}
	}
	return callRoute(server, typed, command!, terminal, print);
}

/** Prints events until the stream ends, then returns 1. Throws `NoServer` if it breaks. */
async function follow(server: string, { localFlags, globals }: Typed, terminal: Terminal): Promise<number> {
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
		throw new NoServer(`The events of ${server} cannot be read: ${(error as Error).message}`);
	}
	terminal.error('orrery: The stream has ended.\n');
	return 1;
}

/** Serves MCP on standard input and output, or with `add` registers it with a client. */
async function mcp(
	server: string,
	{ operands, localFlags }: Typed,
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
		throw new UsageError(`"${word}" is not a word of "orrery mcp". Use: orrery mcp add claude`);
	const { addClient } = await import('../mcp/add-client.ts');
	const own: [string, ...string[]] = [
		process.execPath,
		join(ROOT, 'relay/orrery.mjs'),
		'mcp',
		'--server',
		server,
	];
	const program = localFlags.has('stdio') ? own : undefined;
	print(await addClient({ client, server, file: localFlags.get('file'), program }, terminal));
	return 0;
}

/** Re-runs a journal. The engine is loaded here because few commands need it. */
async function replay(
	{ operands, localFlags, globals }: Typed,
	terminal: Terminal,
	print: (value: unknown) => void,
): Promise<number> {
	const { replayed, replayText } = await import('../replay/replay.ts');
	const options = { verify: localFlags.has('verify'), to: entryOf(localFlags, 'to') };
	let reported = 0;
	const done = await replayed(operands[0] ?? './data', options, (next, end) => {
		// At most ten lines of progress, for any length of journal.
		const tenth = Math.floor((next / end) * 10);
		if (end - next > 0 && next >= reported + 1000 && tenth > Math.floor((reported / end) * 10)) {
			terminal.error(`${next} of ${end} entries ...\n`);
			reported = next;
		}
	});
	if (globals.json) print(done);
	else terminal.out(replayText(done));
	return done.ok ? 0 : 1;
}

async function record(
	{ operands, localFlags, globals }: Typed,
	terminal: Terminal,
	print: (value: unknown) => void,
): Promise<number> {
	if (globals.output === undefined) throw new UsageError('Name the file to write with --output FILE.');
	const { recorded } = await import('../replay/record.ts');
	const span = { from: entryOf(localFlags, 'from'), to: entryOf(localFlags, 'to') };
	const { bytes, from, to } = await recorded(operands[0] ?? './data', span);
	await terminal.writeFile(globals.output, bytes);
	print({ ok: true, path: resolve(globals.output), size_bytes: bytes.length, from, to });
	return 0;
}

/** Reads the entry number of a flag; undefined without the flag. Throws `UsageError`. */
function entryOf(flags: Typed['localFlags'], name: string): number | undefined {
	const text = flags.get(name);
	if (text === undefined) return undefined;
	if (/^\d{1,15}$/.test(text)) return Number(text);
	throw new UsageError(`--${name} takes an entry number, as in GET /history, not "${text}".`);
}

function help(words: readonly string[], commands: readonly Command[], terminal: Terminal): number {
	const [group] = words;
	const members = group === undefined ? undefined : groupsOf(commands).get(group);
	const command = commands.find((known) => known.words.join(' ') === words.join(' '));
	const local = LOCAL_COMMANDS.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
	if (command !== undefined) terminal.out(commandHelp(command));
	else if (local !== undefined) terminal.out(localHelp(local));
	else if (members !== undefined) terminal.out(groupHelp(group!, members));
	else terminal.out(overview(commands));
	return 0;
}

async function callRoute(
	server: string,
	typed: Typed,
	command: Command,
	terminal: Terminal,
	print: (value: unknown) => void,
): Promise<number> {
	const { globals } = typed;
	const hasBody = globals.body !== undefined || typed.operands.length > 0 || isGiven(typed, 'signature');
	const signsIn = command.route.id === login.id && !hasBody;
	const call = await buildCall(
		signsIn ? await withSignature(typed, server, terminal) : typed,
		command,
		terminal,
	);
	if (globals.dryRun) {
		terminal.error(`${call.method} ${server}${call.path}${call.query === '' ? '' : `?${call.query}`}\n`);
		print(call.body ?? null);
		return 0;
	}
	if (globals.junit !== undefined && !('results' in propertiesOf(command.route.answer)))
		throw new UsageError('--junit is for commands that evaluate assertions, such as orrery probe.');
	const session = await sessionFor(server, terminal);
	if (command.generation !== undefined)
		await fillGeneration(server, command, call.body, globals.world, session);
	// A stream never ends, so it cannot be written to a file.
	const files = command.route.media?.filter((type) => type !== EVENT_STREAM_TYPE);
	const media = globals.output === undefined ? undefined : files?.[0];
	const answer = await ask(server, call, { accept: media, session });
	if (media !== undefined && files?.includes(answer.headers['content-type'] ?? '')) {
		await terminal.writeFile(globals.output!, answer.body);
		print({
			ok: true,
			path: resolve(globals.output!),
			size_bytes: answer.body.length,
			...(answer.headers['x-orrery-tick'] === undefined
				? {}
				: {
						tick: Number(answer.headers['x-orrery-tick']),
						state_digest: answer.headers['x-orrery-digest'],
					}),
		});
		return 0;
	}
	const value = jsonOf(server, answer);
	const done = answer.status < 400 && value.ok !== false;
	if (
		done &&
		signsIn &&
		(await keepSession(server, value.session_token as string, terminal)) &&
		!globals.json
	)
		delete value.session_token;
	if (done && command.route.id === logout.id) await keepSession(server, undefined, terminal);
	const text = globals.json ? `${new TextDecoder().decode(answer.body)}\n` : `${prettyJson(value)}\n`;
	if (globals.output !== undefined && done) await terminal.writeFile(globals.output, text);
	else terminal.out(text);
	if (!done)
		terminal.error(`orrery: refused with status ${answer.status}: ${value.error ?? 'no reason given'}\n`);
	const verdicts = done ? verdictsOf(value) : undefined;
	if (globals.junit !== undefined && verdicts !== undefined)
		await terminal.writeFile(globals.junit, junitReport(`orrery ${command.words.join(' ')}`, verdicts));
	const failed = verdicts?.filter(({ passed }) => !passed) ?? [];
	for (const { name, message } of failed) terminal.error(`orrery: ${name} does not hold: ${message}\n`);
	return done && failed.length === 0 ? 0 : 1;
}

const isGiven = ({ given }: Typed, flag: string): boolean =>
	[...given.keys()].some((argument) => argument.flag === flag);

/** Adds the body of a sign-in, signed with the key of this user. */
async function withSignature(typed: Typed, server: string, terminal: Terminal): Promise<Typed> {
	const [domain] = [...typed.given].find(([{ flag }]) => flag === 'domain')?.[1] ?? [];
	const key = await readKey(typed.globals.identity, terminal);
	const status = jsonOf(server, await ask(server, { method: 'GET', path: '/auth/status', query: '' }));
	const name = typeof status.server === 'string' ? status.server : undefined;
	const body = signedLogin(key, domain ?? DEFAULT_DOMAIN, name);
	return { ...typed, given: new Map(), globals: { ...typed.globals, body: JSON.stringify(body) } };
}

/** Adds the current generation of the entity to a body that has none. */
async function fillGeneration(
	server: string,
	{ generation }: Command,
	body: unknown,
	world: string | undefined,
	session: string | undefined,
): Promise<void> {
	const fields = body as Record<string, unknown>;
	const key = generation!.key[0]!;
	if (typeof body !== 'object' || body === null || key in fields || typeof fields.entity_id !== 'number')
		return;
	const query = world === undefined ? '' : new URLSearchParams({ world }).toString();
	const entity = jsonOf(
		server,
		await ask(server, { method: 'GET', path: `/entities/${fields.entity_id}`, query }, { session }),
	);
	// If the entity does not exist, the call itself is refused.
	fields[key] = typeof entity.generation === 'number' ? entity.generation : 0;
}
