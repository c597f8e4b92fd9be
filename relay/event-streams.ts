/**
 * Streams of events over HTTP.
 * Owns: the number of streams, and the end of one whose reader does not read. The text comes from short calls to the
 * engine.
 */

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { lastEvent, streamText } from '../shared/contract/event-stream.ts';
import type { CallHandler, WireRequest, WireResponse } from '../shared/contract/wire.ts';
import type { CallerKey } from './caller.ts';
import { give } from './http-answer.ts';

export interface StreamLimits {
	/** Streams together, and those of callers without a session among them. */
	readonly streams: number;
	readonly anonymousStreams: number;
	/** Milliseconds in which a reader takes what was sent. */
	readonly streamStall: number;
}

/** Milliseconds that the reader of a stream which has ended may take for the rest. */
const LAST_WAIT = 10_000;

export class EventStreams {
	readonly #limits: StreamLimits;
	readonly #listen: CallHandler;
	readonly #open = new Map<
		ServerResponse,
		{ readonly caller: CallerKey; readonly end: (why: ApiError) => void }
	>();

	/** `listen` answers calls that wait for events. */
	constructor(limits: StreamLimits, listen: CallHandler) {
		this.#limits = limits;
		this.#listen = listen;
	}

	/** Answers with a stream that begins with an answer of the engine, or with a refusal if there are too many. */
	start(response: ServerResponse, request: WireRequest, first: WireResponse, caller: CallerKey): void {
		if (response.destroyed) return;
		const refused = this.#refusal(caller);
		if (refused === undefined) void this.#run(response, request, first, caller);
		else give(response, errorResponse(refused));
	}

	#refusal(caller: CallerKey): ApiError | undefined {
		const { streams, anonymousStreams } = this.#limits;
		const anonymous = [...this.#open.values()].filter((stream) => stream.caller === 'anonymous').length;
		const headers = { 'retry-after': '5' };
		if (caller === 'anonymous' && anonymous >= anonymousStreams)
			return new ApiError(
				'too_many_calls',
				`The callers without a session read ${anonymous} streams of events, which is their limit.`,
				{ fix: 'Close a stream, or sign in.', headers },
			);
		if (this.#open.size < streams) return undefined;
		const message = `There are ${streams} streams of events, which is the limit of the server.`;
		return new ApiError('busy', message, { fix: 'Close a stream, and send the call again.', headers });
	}

	async #run(
		response: ServerResponse,
		request: WireRequest,
		first: WireResponse,
		caller: CallerKey,
	): Promise<void> {
		const reading = new AbortController();
		const end = (why: ApiError): void => {
			if (reading.signal.aborted) return;
			reading.abort();
			this.#open.delete(response);
			const late = setTimeout(() => response.destroy(), LAST_WAIT);
			response.once('close', () => clearTimeout(late));
			response.end(lastEvent(JSON.parse(new TextDecoder().decode(errorResponse(why).body)) as object));
		};
		this.#open.set(response, { caller, end });
		response.once('close', () => {
			this.#open.delete(response);
			reading.abort();
		});
		response.writeHead(first.status, {
			...first.headers,
			'x-content-type-options': 'nosniff',
			'cross-origin-resource-policy': 'same-origin',
			'cache-control': 'no-store',
		});
		for await (const text of streamText(request, first, this.#listen, reading.signal)) {
			if (reading.signal.aborted) return;
			if (!response.write(text)) await this.#drained(response, reading.signal, end);
		}
		response.end();
	}

	/** Resolves when the reader has taken what was sent. One that does not is given up. */
	async #drained(response: ServerResponse, signal: AbortSignal, end: (why: ApiError) => void): Promise<void> {
		const { streamStall } = this.#limits;
		const late = setTimeout(() => {
			const message = `The reader took nothing for ${streamStall / 1000} s.`;
			end(new ApiError('timeout', message, { fix: 'Continue after the id of the last event that arrived.' }));
		}, streamStall);
		// It rejects when the stream has ended: `end` or the reader has said why.
		await once(response, 'drain', { signal }).catch(() => {});
		clearTimeout(late);
	}

	/** Ends all streams: the server stops. */
	close(): void {
		const why = new ApiError('no_engine', 'The server stops.', {
			fix: 'Continue after the id of the last event when a server is there again.',
		});
		for (const { end } of this.#open.values()) end(why);
	}
}
