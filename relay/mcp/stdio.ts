/**
 * `orrery mcp`: the Model Context Protocol on standard input and output, one message per line.
 * Owns: framing by lines, and cancellation of requests. It forwards calls to the running server.
 */

import { PANELS } from '../../shared/contract/principal.ts';
import type { RawCall } from '../../shared/transport/client.ts';
import { sessionFor } from '../cli/identity.ts';
import { sendCall } from '../cli/send-call.ts';
import type { Terminal } from '../cli/terminal.ts';
import { type Connection, readActions } from './connection.ts';
import {
	clientIn,
	errorMessage,
	type Id,
	idOf,
	type McpRequest,
	messageOf,
	NOT_JSON,
	ProtocolError,
	senderOf,
	TOOLS_CHANGED,
	versionIn,
} from './messages.ts';
import { answerRequest } from './protocol.ts';
import { ToolChanges } from './tool-changes.ts';

/** Answers a request with a message. */
export type Answerer = (
	request: McpRequest,
	connection: Pick<Connection, 'era' | 'version' | 'signal' | 'notify'>,
) => Promise<object>;

/** Serves until standard input ends. */
export async function serveStdio(server: string, terminal: Terminal): Promise<void> {
	let clientName: string | undefined;
	const sendAs = async (sender: string, call: RawCall, signal: AbortSignal) => {
		const session = await sessionFor(server, terminal);
		return sendCall(server, call, { accept: call.accept, session, sender, signal });
	};
	const send: Connection['send'] = (call, signal) => sendAs(senderOf(clientName), call, signal);
	const changes = new ToolChanges(() => readActions((call, signal) => sendAs(PANELS, call, signal)));
	async function* lines() {
		yield* terminal.lines();
		// Streams of changes would continue forever.
		changes.close();
	}
	await answerLines(lines(), terminal.out, async (request, connection) => {
		clientName = clientIn(request) ?? clientName;
		const answer = await answerRequest(request, { ...connection, send, changes });
		if (request.method === 'initialize' && connection.era === 'legacy')
			void changes.follow(
				new AbortController().signal,
				() => {},
				() => connection.notify!(TOOLS_CHANGED, {}),
			);
		return answer;
	});
}

/**
 * Answers each line with a line to `write`. Requests run concurrently. Resolves when the lines end and all answers are
 * written.
 */
export async function answerLines(
	lines: AsyncIterable<string>,
	write: (line: string) => void,
	answer: Answerer,
): Promise<void> {
	const runningRequests = new Map<Id, AbortController>();
	const pending = new Set<Promise<void>>();
	const send = (message: object): void => write(`${JSON.stringify(message)}\n`);
	const notify = (method: string, params: object) => send({ jsonrpc: '2.0', method, params });
	let legacyVersion: string | undefined;
	const handleMessage = async (value: unknown): Promise<void> => {
		try {
			const message = messageOf(value);
			if (message.kind === 'response') return;
			if (message.kind === 'notification') {
				if (message.method === 'notifications/cancelled')
					runningRequests.get(message.params.requestId as Id)?.abort();
				return;
			}
			if (message.method === 'initialize') legacyVersion = String(message.params.protocolVersion);
			const modernVersion = versionIn(message);
			const controller = new AbortController();
			const { signal } = controller;
			runningRequests.set(message.id, controller);
			const reply = await answer(message, {
				era: modernVersion === undefined ? 'legacy' : 'modern',
				version: modernVersion ?? legacyVersion,
				signal,
				notify,
			});
			runningRequests.delete(message.id);
			// A cancelled request gets no answer.
			if (!signal.aborted) send(reply);
		} catch (error) {
			send(errorMessage(idOf(value), error));
		}
	};
	for await (const line of lines) {
		if (line.trim() === '') continue;
		let parsed: unknown;
		try {
			parsed = JSON.parse(line);
		} catch (error) {
			const problem = `Each line must be one JSON value: ${(error as Error).message}`;
			send(errorMessage(null, new ProtocolError(problem, NOT_JSON)));
			continue;
		}
		for (const value of Array.isArray(parsed) ? parsed : [parsed]) {
			const handling = handleMessage(value);
			pending.add(handling);
			void handling.then(() => pending.delete(handling));
		}
	}
	await Promise.all(pending);
}
