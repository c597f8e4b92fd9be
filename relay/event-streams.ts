/**
 * Streams of events over HTTP.
 * Owns: the number of streams, and the end of a stream whose reader does not read. The text comes from short calls to
 * the engine.
 */

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { lastEvent, streamText } from '../shared/contract/event-stream.ts';
import type { CallHandler, WireRequest, WireResponse } from '../shared/contract/wire.ts';
import type { CallerKey } from './caller.ts';
import { sendAnswer } from './http-answer.ts';

export interface StreamLimits {
	/** Maximum number of streams. */
	readonly streams: number;
	/** Maximum number of streams of all callers without a session. */
	readonly anonymousStreams: number;
	/** Maximum milliseconds in which a reader must take the sent text. */
	readonly streamStall: number;
}

/** Maximum milliseconds in which a reader must take the rest of an ended stream. */
const MAX_LAST_READ_MS = 10_000;

export class EventStreams {
	readonly #limits: StreamLimits;
	readonly #listen: CallHandler;
	readonly #openStreams = new Map<
		ServerResponse,
		{ readonly caller: CallerKey; readonly end: (why: ApiError) => void }
	>();

	/** `listen` answers calls that wait for events. */
	constructor(limits: StreamLimits, listen: CallHandler) {
		this.#limits = limits;
		this.#listen = listen;
	}

	/** Answers with a stream that begins with the engine's `first` answer, or with a refusal if there are too many streams. */
	start(response: ServerResponse, request: WireRequest, first: WireResponse, caller: CallerKey): void {
		if (response.destroyed) return;
		const refusal = this.#refusal(caller);
		if (refusal === undefined) void this.#run(response, request, first, caller);
		else sendAnswer(response, errorResponse(refusal));
	}

	#refusal(caller: CallerKey): ApiError | undefined {
		const { streams, anonymousStreams } = this.#limits;
		const anonymousCount = [...this.#openStreams.values()].filter(
			(stream) => stream.caller === 'anonymous',
		).length;
		const headers = { 'retry-after': '5' };
		if (caller === 'anonymous' && anonymousCount >= anonymousStreams)
			return new ApiError(
				'too_many_calls',
				`The callers without a session read ${anonymousCount} streams of events, which is their limit.`,
				{ fix: 'Close a stream, or sign in.', headers },
			);
		if (this.#openStreams.size < streams) return undefined;
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
		const end = (reason: ApiError): void => {
			if (reading.signal.aborted) return;
			reading.abort();
			this.#openStreams.delete(response);
			const timer = setTimeout(() => response.destroy(), MAX_LAST_READ_MS);
			response.once('close', () => clearTimeout(timer));
			response.end(lastEvent(JSON.parse(new TextDecoder().decode(errorResponse(reason).body)) as object));
		};
		this.#openStreams.set(response, { caller, end });
		response.once('close', () => {
			this.#openStreams.delete(response);
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
			if (!response.write(text)) await this.#waitForReader(response, reading.signal, end);
		}
		response.end();
	}

	/** Resolves when the reader has taken the text. After a stall it ends the stream. */
	async #waitForReader(
		response: ServerResponse,
		signal: AbortSignal,
		end: (why: ApiError) => void,
	): Promise<void> {
		const { streamStall } = this.#limits;
		const timer = setTimeout(() => {
			const message = `The reader took nothing for ${streamStall / 1000} s.`;
			end(new ApiError('timeout', message, { fix: 'Continue after the id of the last event that arrived.' }));
		}, streamStall);
		// It rejects when `end` or the reader has ended the stream. Nothing is left to do then.
		await once(response, 'drain', { signal }).catch(() => {});
		clearTimeout(timer);
	}

	/** Ends all streams, because the server stops. */
	close(): void {
		const reason = new ApiError('no_engine', 'The server stops.', {
			fix: 'After a server has started again, continue after the id of the last event.',
		});
		for (const { end } of this.#openStreams.values()) end(reason);
	}
}
