/**
 * OpenEnv standard under /openenv: over HTTP, and over WebSockets with one episode each.
 * Owns: the messages, and the episode that each caller plays.
 * Source: the openenv package 0.10, core/env_server/http_server.py and core/env_client.py.
 */

import type { WebSocket } from 'ws';
import { jsonResponse } from '../../shared/contract/dispatch.ts';
import { reasonOf } from '../../shared/contract/reason.ts';
import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import type { CallerKey } from '../caller.ts';
import { AllEpisodes, type AnyEpisode } from './any-episode.ts';
import { metadata, openApi, openEnvYaml, schemas } from './documents.ts';
import { EngineCalls, type Json } from './engine-calls.ts';
import type { Observation } from './episodes.ts';
import { OpenEnvError } from './requests.ts';
import { taskListing } from './tasks.ts';

/** Maximum number of episodes over HTTP, and of sockets. */
const MAX_EPISODES = 64;

/** Sends a call to the engine. */
type Send = (request: WireRequest) => Promise<WireResponse>;

export class OpenEnv {
	readonly #episodes = new AllEpisodes();
	/** Episodes of callers over HTTP by their id, newest last. */
	readonly #httpEpisodes = new Map<string, AnyEpisode>();
	/** The last step of each episode, for repeated requests. */
	readonly #lastSteps = new WeakMap<
		AnyEpisode,
		{ readonly request_id: string; readonly answer: Promise<Observation> }
	>();
	#socketCount = 0;

	/** Answers a call below /openenv. Never rejects. */
	async answer(request: WireRequest, send: Send, caller: CallerKey): Promise<WireResponse> {
		const calls = new EngineCalls(send, callHeaders(request.headers), caller);
		const path = request.path.slice('/openenv'.length) || '/';
		try {
			const body = request.method === 'POST' ? jsonOf(request.body) : {};
			return await this.#route(`${request.method} ${path}`, body, new URLSearchParams(request.query), calls);
		} catch (error) {
			const { code, message, fix, status } = openEnvError(error);
			return jsonResponse(status, { detail: message, ok: false, error: message, message, code, fix });
		}
	}

	async #route(call: string, body: Json, query: URLSearchParams, calls: EngineCalls): Promise<WireResponse> {
		switch (call) {
			case 'GET /':
			case 'GET /metadata':
				return jsonResponse(200, metadata);
			case 'GET /schema':
				return jsonResponse(200, schemas);
			case 'GET /openapi.json':
				return jsonResponse(200, openApi);
			case 'GET /openenv.yaml':
				return textResponse(openEnvYaml);
			case 'GET /health': {
				const { status } = await calls.request('GET', '/health');
				return status < 400
					? jsonResponse(200, { status: 'healthy' })
					: jsonResponse(503, { status: 'unhealthy' });
			}
			case 'POST /mcp':
				return jsonResponse(200, mcpRefusal(body));
			case 'POST /reset':
				return jsonResponse(200, await this.#reset(calls, body));
			case 'POST /step':
				return jsonResponse(200, await this.#step(calls, body));
			case 'GET /state':
				return jsonResponse(200, await this.#episodes.state(calls, this.#find(query.get('episode_id'))));
			case 'POST /export': {
				const { handle, move = false, ...unknown } = body;
				requireNoUnknown(unknown, 'handle, move');
				if (typeof handle !== 'string' || typeof move !== 'boolean')
					throw validationError(
						'An export needs the text "handle"; "move" is true or false.',
						'Send {"handle": "..."}.',
					);
				return jsonResponse(200, await this.#episodes.export(calls, handle, move));
			}
			case 'POST /close': {
				const { episode_id, ...unknown } = body;
				requireNoUnknown(unknown, 'episode_id');
				const episode = this.#find(episode_id);
				await this.#episodes.close(calls, episode);
				this.#httpEpisodes.delete(episode.episode_id);
				return jsonResponse(200, { ok: true, closed: episode.episode_id });
			}
			default: {
				const listing = taskListing(call, body);
				if (listing !== undefined) return jsonResponse(200, listing);
				throw new OpenEnvError(
					'UNKNOWN_TYPE',
					`There is no ${call} below /openenv.`,
					`Send one of: ${Object.keys(openApi.paths).join(', ')}, or connect to /openenv/ws.`,
					404,
				);
			}
		}
	}

	/** Makes a step. A request that repeats the last `request_id`, after a lost connection, gets the same answer. */
	#step(calls: EngineCalls, body: Json): Promise<Observation> {
		const { action, episode_id, timeout_s: _, request_id, ...unknown } = body;
		requireNoUnknown(unknown, 'action, episode_id, timeout_s, request_id');
		const episode = this.#find(episode_id);
		const lastStep = this.#lastSteps.get(episode);
		if (lastStep !== undefined && lastStep.request_id === request_id) return lastStep.answer;
		const answer = this.#episodes.step(calls, episode, action);
		if (typeof request_id === 'string') this.#lastSteps.set(episode, { request_id, answer });
		return answer;
	}

	async #reset(calls: EngineCalls, body: Json): Promise<object> {
		const { episode, observation } = await this.#episodes.reset(calls, body);
		const previous = this.#httpEpisodes.get(episode.episode_id);
		if (previous === undefined && this.#httpEpisodes.size >= MAX_EPISODES) {
			await this.#episodes.close(calls, episode);
			throw capacityError();
		}
		if (previous !== undefined) await this.#episodes.close(calls, previous);
		this.#httpEpisodes.delete(episode.episode_id);
		this.#httpEpisodes.set(episode.episode_id, episode);
		return observation;
	}

	/** Returns the episode with an id, or the newest without one. Throws if there is none. */
	#find(requestedId: unknown): AnyEpisode {
		const id = typeof requestedId === 'string' ? requestedId : [...this.#httpEpisodes.keys()].at(-1);
		const episode = id === undefined ? undefined : this.#httpEpisodes.get(id);
		if (episode !== undefined) return episode;
		throw new OpenEnvError(
			'SESSION_ERROR',
			id === undefined ? 'There is no episode.' : `There is no episode "${id}".`,
			'Send a reset, with a handle or checkpoint to continue.',
			409,
		);
	}

	/** Ends the tasks, because the server stops. */
	stop(): void {
		this.#episodes.stop();
	}

	/** Serves one player over a socket until the socket closes. */
	serve(socket: WebSocket, headers: Readonly<Record<string, string>>, send: Send, caller: CallerKey): void {
		const player = new EpisodePlayer(this.#episodes, new EngineCalls(send, callHeaders(headers), caller));
		const reply = (message: object): void => socket.send(JSON.stringify(message));
		socket.on('error', () => socket.terminate());
		if (this.#socketCount >= MAX_EPISODES) {
			reply(errorMessage(capacityError()));
			socket.close(1013);
			return;
		}
		this.#socketCount++;
		// Messages are answered in order.
		const queue = new TaskQueue();
		socket.on('message', (data) => {
			void queue.run(async () => {
				const answer = await player.answer(String(data));
				if (answer === undefined) socket.close(1000);
				else reply(answer);
			});
		});
		socket.once('close', () => {
			this.#socketCount--;
			void queue.run(() => player.end());
		});
	}
}

/** A player over a socket, with its episode. */
class EpisodePlayer {
	readonly #episodes: AllEpisodes;
	readonly #calls: EngineCalls;
	#episode: AnyEpisode | undefined;

	constructor(episodes: AllEpisodes, calls: EngineCalls) {
		this.#episodes = episodes;
		this.#calls = calls;
	}

	/** Returns the answer to a message; undefined if the message ends the session. Never rejects. */
	async answer(text: string): Promise<object | undefined> {
		try {
			const { type, data } = readMessage(text);
			switch (type) {
				case 'reset':
					return { type: 'observation', data: await this.#reset(data) };
				case 'step':
					return {
						type: 'observation',
						data: await this.#episodes.step(this.#calls, this.#requireEpisode(), data),
					};
				case 'state':
					return { type: 'state', data: await this.#episodes.state(this.#calls, this.#requireEpisode()) };
				case 'close':
					return undefined;
				case 'mcp':
					return { type: 'mcp', data: mcpRefusal(data as Json) };
				default:
					throw new OpenEnvError(
						'UNKNOWN_TYPE',
						`There is no message of the type "${type}".`,
						'Send reset, step, state or close.',
					);
			}
		} catch (error) {
			return errorMessage(openEnvError(error));
		}
	}

	/** Ends the attempt of the player. */
	async end(): Promise<void> {
		const episode = this.#episode;
		this.#episode = undefined;
		// A failure cannot be reported, because the player has disconnected. If the engine is lost, so is the fork.
		if (episode !== undefined) await this.#episodes.close(this.#calls, episode).catch(() => {});
	}

	async #reset(data: unknown): Promise<object> {
		const { episode, observation } = await this.#episodes.reset(this.#calls, data);
		await this.end();
		this.#episode = episode;
		return observation;
	}

	#requireEpisode(): AnyEpisode {
		if (this.#episode !== undefined) return this.#episode;
		throw new OpenEnvError(
			'SESSION_ERROR',
			'This connection plays no episode. A lost connection has ended its attempt.',
			'Send a reset, with a handle or checkpoint to continue.',
		);
	}
}

function readMessage(text: string): { readonly type: string; readonly data: unknown } {
	let message: unknown;
	try {
		message = JSON.parse(text);
	} catch (error) {
		throw new OpenEnvError(
			'INVALID_JSON',
			`The message is not JSON: ${(error as Error).message}.`,
			'Send JSON.',
		);
	}
	const { type, data } = (message ?? {}) as { type?: unknown; data?: unknown };
	return { type: String(type), data: data ?? {} };
}

const errorMessage = ({ message, code, fix }: OpenEnvError): object => ({
	type: 'error',
	// Clients show only the message, so it contains the fix too.
	data: { message: `${message} ${fix}`, code, fix },
});

const validationError = (message: string, fix: string) => new OpenEnvError('VALIDATION_ERROR', message, fix);

const capacityError = () =>
	new OpenEnvError(
		'CAPACITY_REACHED',
		`${MAX_EPISODES} episodes are being played, which is the limit of the server.`,
		'Close a connection, send POST /openenv/close, or name a played episode in `episode_id`.',
		503,
	);

function requireNoUnknown(unknownFields: Json, known: string): void {
	const [name] = Object.keys(unknownFields);
	if (name !== undefined) throw validationError(`The key "${name}" is unknown.`, `Known keys: ${known}.`);
}

/** Returns the refusal for an error. An error of any other type is a fault of the server. */
function openEnvError(error: unknown): OpenEnvError {
	if (error instanceof OpenEnvError) return error;
	return new OpenEnvError(
		'EXECUTION_ERROR',
		`The server failed: ${reasonOf(error)}`,
		'Reset from the last handle.',
		500,
	);
}

function jsonOf(body: Uint8Array): Json {
	if (body.length === 0) return {};
	try {
		const value: unknown = JSON.parse(new TextDecoder().decode(body));
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
	} catch {
		// The error below is thrown.
	}
	throw new OpenEnvError('INVALID_JSON', 'The body is not a JSON object.', 'Send a JSON object.', 400);
}

const textResponse = (text: string): WireResponse => ({
	status: 200,
	headers: { 'content-type': 'application/yaml' },
	body: new TextEncoder().encode(text),
});

const callHeaders = ({ authorization }: Readonly<Record<string, string>>): Record<string, string> => ({
	'x-agent': 'openenv',
	...(authorization === undefined ? {} : { authorization }),
});

/** Returns the refusal of a message of the Model Context Protocol, in the form of that protocol. */
const mcpRefusal = ({ id = null }: Json): object => ({
	jsonrpc: '2.0',
	id,
	error: {
		code: -32600,
		message: 'Environments have no tools here. The Model Context Protocol is at /mcp of this server.',
	},
});
