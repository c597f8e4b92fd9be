/**
 * `orrery mcp`: the API for agents that speak the Model Context Protocol, on standard input and output.
 * Owns: what the protocol asks of a server besides the tools. The engine is that of the running server.
 */

import { VERSION } from '../../shared/contract/api-documents.ts';
import { ApiError, errorBody } from '../../shared/contract/errors.ts';
import { ask, jsonOf } from '../cli/ask.ts';
import { sessionFor } from '../cli/identity.ts';
import { NoServer, type Terminal } from '../cli/terminal.ts';
import { answerLines, type Method, ProtocolError } from './messages.ts';
import { jsonContentOf, pictureOf, recordOf, TOOLS, type Tool, textOf } from './tools.ts';

/** Versions of the protocol in which all that is sent here means the same, the newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const INSTRUCTIONS = `Orrery is a 3D world with a deterministic simulation. Time advances only with POST /step or POST /play.
observe: POST /observe returns the whole state. peek: POST /peek returns the exact odds of the next tick, or of many.
step: POST /step draws from exactly these odds. fork: POST /fork makes a copy that evolves as the original would; send its name as "world".
GET /digest shows whether two states are equal. Begin with the tool "schema", then GET / and POST /observe.`;

/** Serves until standard input ends. */
export async function serveMcp(server: string, terminal: Terminal): Promise<void> {
	let sender = 'mcp';
	const done = async (tool: Tool, sent: unknown, signal: AbortSignal) => {
		try {
			const given = recordOf('arguments', sent ?? {});
			const call = tool.call(given);
			const session = await sessionFor(server, terminal);
			const answer = await ask(server, call, { accept: call.accept, session, sender, signal });
			const picture = pictureOf(answer);
			if (picture !== undefined) return picture;
			const value = jsonOf(server, answer);
			const shown = tool.shown?.(value) ?? new TextDecoder().decode(answer.body);
			const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
			return jsonContentOf(text, answer.status >= 400 || value.ok === false);
		} catch (error) {
			// A model sees the result of a tool, and no error of the protocol.
			if (error instanceof ApiError) return jsonContentOf(JSON.stringify(errorBody(error)), true);
			if (!(error instanceof NoServer)) throw error;
			return { content: [textOf(error.message)], isError: true };
		}
	};
	const methods: Record<string, Method> = {
		initialize({ protocolVersion, clientInfo }) {
			const { name } = (clientInfo ?? {}) as { readonly name?: unknown };
			if (typeof name === 'string') sender = `mcp ${name.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)}`;
			return {
				protocolVersion: VERSIONS.find((version) => version === protocolVersion) ?? VERSIONS[0],
				capabilities: { tools: {} },
				serverInfo: { name: 'orrery', version: VERSION },
				instructions: INSTRUCTIONS,
			};
		},
		ping: () => ({}),
		'tools/list': () => ({
			tools: TOOLS.map(({ name, description, inputSchema, annotations }) => ({
				name,
				description,
				inputSchema,
				annotations,
			})),
		}),
		'tools/call'({ name, arguments: given }, signal) {
			const tool = TOOLS.find((one) => one.name === name);
			if (tool === undefined)
				throw new ProtocolError(
					`There is no tool "${String(name)}". The tools are ${TOOLS.map((one) => one.name).join(', ')}.`,
				);
			return done(tool, given, signal);
		},
	};
	await answerLines(terminal.lines(), terminal.out, methods);
}
