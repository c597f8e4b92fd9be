/**
 * Runs the command of a route: builds the call, sends it, and writes the answer.
 * Owns: the order of these steps, and the exit code of a call. It is 0 for success, and 1 if the call was refused or an
 * assertion failed.
 */

import { resolve } from 'node:path';
import { EVENT_STREAM_TYPE } from '../../shared/contract/event-stream.ts';
import { login, logout } from '../../shared/routes/auth.ts';
import { DEFAULT_DOMAIN } from '../sign-in/agents.ts';
import { buildCall } from './build-request.ts';
import type { ParsedCommandLine } from './command-line.ts';
import type { CliCommand } from './commands.ts';
import { readKey, sessionFor, signedLogin, storeSession } from './identity.ts';
import { prettyJson } from './print-json.ts';
import { propertiesOf } from './schema-form.ts';
import { jsonOf, sendCall } from './send-call.ts';
import { type Terminal, UsageError } from './terminal.ts';
import { junitReport, verdictsOf } from './verdicts.ts';

type Answer = Awaited<ReturnType<typeof sendCall>>;
type Call = Awaited<ReturnType<typeof buildCall>>;

/** Runs the command of a route and returns its exit code. */
export async function callRoute(
	server: string,
	commandLine: ParsedCommandLine,
	command: CliCommand,
	terminal: Terminal,
): Promise<number> {
	return await new RouteCall(server, commandLine, command, terminal).run();
}

/** One run of a command. */
class RouteCall {
	readonly #server: string;
	readonly #commandLine: ParsedCommandLine;
	readonly #command: CliCommand;
	readonly #terminal: Terminal;
	/** Media types of a file that the route can answer with. A stream never ends, so it cannot be written to a file. */
	readonly #fileTypes: readonly string[];

	constructor(server: string, commandLine: ParsedCommandLine, command: CliCommand, terminal: Terminal) {
		this.#server = server;
		this.#commandLine = commandLine;
		this.#command = command;
		this.#terminal = terminal;
		this.#fileTypes = command.route.media?.filter((type) => type !== EVENT_STREAM_TYPE) ?? [];
	}

	async run(): Promise<number> {
		const { globals } = this.#commandLine;
		const call = await this.#buildCall();
		if (globals.dryRun) {
			this.#printCall(call);
			return 0;
		}
		if (globals.junit !== undefined && !('results' in propertiesOf(this.#command.route.answer)))
			throw new UsageError('--junit is for commands that evaluate assertions, such as orrery probe.');
		const session = await sessionFor(this.#server, this.#terminal);
		if (this.#command.generation !== undefined) await this.#fillGeneration(call.body, session);
		const accept = globals.output === undefined ? undefined : this.#fileTypes[0];
		const answer = await sendCall(this.#server, call, { accept, session });
		if (accept !== undefined && this.#fileTypes.includes(answer.headers['content-type'] ?? '')) {
			await this.#writeFileAnswer(globals.output!, answer);
			return 0;
		}
		return await this.#writeJsonAnswer(answer);
	}

	/** Returns true for a sign-in without a body or a signature. This user's key then signs it. */
	#isOwnLogin(): boolean {
		const { globals, operands, flagValues } = this.#commandLine;
		const hasSignature = [...flagValues.keys()].some(({ flag }) => flag === 'signature');
		const hasBody = globals.body !== undefined || operands.length > 0 || hasSignature;
		return this.#command.route.id === login.id && !hasBody;
	}

	async #buildCall(): Promise<Call> {
		const commandLine = this.#isOwnLogin() ? await this.#signCommandLine() : this.#commandLine;
		return await buildCall(commandLine, this.#command, this.#terminal);
	}

	/** Returns the command line with the body of a sign-in, signed with the key of this user. */
	async #signCommandLine(): Promise<ParsedCommandLine> {
		const { flagValues, globals } = this.#commandLine;
		const [domain] = [...flagValues].find(([{ flag }]) => flag === 'domain')?.[1] ?? [];
		const key = await readKey(globals.identity, this.#terminal);
		const statusAnswer = await sendCall(this.#server, { method: 'GET', path: '/auth/status', query: '' });
		const status = jsonOf(this.#server, statusAnswer);
		const serverName = typeof status.server === 'string' ? status.server : undefined;
		const body = signedLogin(key, domain ?? DEFAULT_DOMAIN, serverName);
		return {
			...this.#commandLine,
			flagValues: new Map(),
			globals: { ...globals, body: JSON.stringify(body) },
		};
	}

	/** Adds the current generation of the entity to a body that has none. */
	async #fillGeneration(body: unknown, session: string | undefined): Promise<void> {
		const fields = body as Record<string, unknown>;
		const key = this.#command.generation!.key[0]!;
		if (typeof body !== 'object' || body === null || key in fields || typeof fields.entity_id !== 'number')
			return;
		const { world } = this.#commandLine.globals;
		const query = world === undefined ? '' : new URLSearchParams({ world }).toString();
		const path = `/entities/${fields.entity_id}`;
		const answer = await sendCall(this.#server, { method: 'GET', path, query }, { session });
		const entity = jsonOf(this.#server, answer);
		// If the entity does not exist, the call itself is refused.
		fields[key] = typeof entity.generation === 'number' ? entity.generation : 0;
	}

	/** Prints the call instead of sending it. */
	#printCall({ method, path, query, body }: Call): void {
		this.#terminal.error(`${method} ${this.#server}${path}${query === '' ? '' : `?${query}`}\n`);
		this.#print(body ?? null);
	}

	async #writeFileAnswer(output: string, { body, headers }: Answer): Promise<void> {
		await this.#terminal.writeFile(output, body);
		const tick = headers['x-orrery-tick'];
		const world = tick === undefined ? {} : { tick: Number(tick), state_digest: headers['x-orrery-digest'] };
		this.#print({ ok: true, path: resolve(output), size_bytes: body.length, ...world });
	}

	/** Prints or stores a JSON answer. Returns the exit code. */
	async #writeJsonAnswer(answer: Answer): Promise<number> {
		const { json, output } = this.#commandLine.globals;
		const value = jsonOf(this.#server, answer);
		const isSuccess = answer.status < 400 && value.ok !== false;
		if (isSuccess) await this.#storeOrDeleteSession(value);
		const text = json ? `${new TextDecoder().decode(answer.body)}\n` : `${prettyJson(value)}\n`;
		if (output !== undefined && isSuccess) await this.#terminal.writeFile(output, text);
		else this.#terminal.out(text);
		if (isSuccess) return await this.#reportVerdicts(value);
		this.#terminal.error(
			`orrery: refused with status ${answer.status}: ${value.error ?? 'no reason given'}\n`,
		);
		return 1;
	}

	/** Stores the token of a sign-in, and deletes it at a sign-out. A stored token is not printed, except with `--json`. */
	async #storeOrDeleteSession(value: Record<string, unknown>): Promise<void> {
		if (this.#command.route.id === logout.id) await storeSession(this.#server, undefined, this.#terminal);
		if (!this.#isOwnLogin()) return;
		const isStored = await storeSession(this.#server, value.session_token as string, this.#terminal);
		if (isStored && !this.#commandLine.globals.json) delete value.session_token;
	}

	/** Reports failed assertions. Returns 1 if there is one. */
	async #reportVerdicts(value: Record<string, unknown>): Promise<number> {
		const { junit } = this.#commandLine.globals;
		const verdicts = verdictsOf(value);
		if (junit !== undefined && verdicts !== undefined) {
			const report = junitReport(`orrery ${this.#command.words.join(' ')}`, verdicts);
			await this.#terminal.writeFile(junit, report);
		}
		const failed = verdicts?.filter(({ passed }) => !passed) ?? [];
		for (const { name, message } of failed) this.#terminal.error(`orrery: ${name} failed: ${message}\n`);
		return failed.length === 0 ? 0 : 1;
	}

	#print(value: unknown): void {
		const { json } = this.#commandLine.globals;
		this.#terminal.out(json ? `${JSON.stringify(value)}\n` : `${prettyJson(value)}\n`);
	}
}
