/**
 * Server-sent events, built from short answers. A transport that keeps an answer open repeats the call to the engine, each
 * time from the end of the last answer.
 * Owns: the form of the events, and this loop. It follows the speed of the reader, so nothing is queued.
 */

import {
	type CallHandler,
	type CallSignal,
	EMPTY_BODY,
	type WireRequest,
	type WireResponse,
} from './wire.ts';

export const EVENT_STREAM_TYPE = 'text/event-stream';
export const EVENT_STREAM_PATH = '/events/stream';

const WATCH_PATH = '/watch';

/** Returns true for a call of GET /watch that waits until anything changes. */
export const isWaiting = ({ path, query }: Pick<WireRequest, 'path' | 'query'>): boolean =>
	path === WATCH_PATH && new URLSearchParams(query).has('wait');

/** Returns true for a call that waits for events. Waiting is no work for the engine. */
export const isListening = (request: Pick<WireRequest, 'path' | 'query'>): boolean =>
	request.path === EVENT_STREAM_PATH || isWaiting(request);

/** Returns the call without its wait. */
export function withoutWait(request: WireRequest): WireRequest {
	const search = new URLSearchParams(request.query);
	search.delete('wait');
	return { ...request, query: search.toString() };
}

/** Header of an answer: position at which the next answer continues. */
const NEXT_HEADER = 'x-orrery-next';

/** Header of a reader that reconnects: id of its last event. */
const LAST_ID_HEADER = 'last-event-id';

/** Maximum seconds for which the engine waits for an event. Then the reader gets a comment, which keeps the connection alive. */
const WAIT_SECONDS = 10;
/** Milliseconds between two short answers, so that more events come together. */
const PAUSE_MS = 40;
/** Maximum bytes of a short answer. */
const SHORT_BYTES = 32 * 1024;
/** Milliseconds until the call is repeated if the engine cannot answer. */
const RETRY_MS = 1000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns the text of an event. `name`: its type for listeners; undefined for a plain message. */
export function eventText(data: object, id?: string, name?: string): string {
	const nameLine = name === undefined ? '' : `event: ${name}\n`;
	return `${nameLine}${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Returns one short answer of a stream. It always has an id, so a reader can reconnect at `next` even without an event. */
export function streamAnswer(events: string, next: string, comment: string): WireResponse {
	return {
		status: 200,
		headers: { 'content-type': EVENT_STREAM_TYPE, [NEXT_HEADER]: next },
		body: encoder.encode(`${events}: ${comment}\nid: ${next}\n\n`),
	};
}

export const isStream = ({ headers }: WireResponse): boolean => headers[NEXT_HEADER] !== undefined;

/** Returns the request of a reader that reconnects, with the position after its last event. */
export function resumeRequest(request: WireRequest, lastId = request.headers[LAST_ID_HEADER]): WireRequest {
	if (!lastId || request.path !== EVENT_STREAM_PATH) return request;
	return { ...request, query: withQuery(request.query, { since: lastId }) };
}

function withQuery(query: string, values: Readonly<Record<string, string>>): string {
	const search = new URLSearchParams(query);
	for (const [name, value] of Object.entries(values)) search.set(name, value);
	return search.toString();
}

/**
 * Yields the text of a stream, answer by answer, until the signal is aborted or the engine refuses a call. The last event
 * then has the reason of the refusal.
 */
export async function* streamText(
	request: WireRequest,
	first: WireResponse,
	handleCall: CallHandler,
	signal: CallSignal,
): AsyncGenerator<Uint8Array, void> {
	yield encoder.encode(`retry: ${RETRY_MS}\n`);
	yield first.body;
	let since = first.headers[NEXT_HEADER]!;
	let size = first.body.length;
	while (!signal.aborted) {
		if (size < SHORT_BYTES) await pause(PAUSE_MS);
		if (signal.aborted) return;
		const query = withQuery(request.query, { since, wait: String(WAIT_SECONDS) });
		const answer = await handleCall({ ...request, query, body: EMPTY_BODY }, signal);
		if (isStream(answer)) {
			since = answer.headers[NEXT_HEADER]!;
			size = answer.body.length;
			yield answer.body;
		} else if (answer.status >= 500) {
			yield encoder.encode(': The engine does not answer at the moment.\n\n');
			await pause(RETRY_MS);
		} else {
			yield lastEvent(JSON.parse(decoder.decode(answer.body)) as object);
			return;
		}
	}
}

/** Returns the event that ends a stream. */
export const lastEvent = (refusal: object): Uint8Array =>
	encoder.encode(eventText(refusal, undefined, 'end'));

/** Returns a stream as a fetch response. The stream ends when its reader cancels. */
export function streamResponse(
	request: WireRequest,
	first: WireResponse,
	handleCall: CallHandler,
	signal?: AbortSignal,
): Response {
	const cancellation = new AbortController();
	signal?.addEventListener('abort', () => cancellation.abort());
	const texts = streamText(request, first, handleCall, cancellation.signal);
	const body = new ReadableStream<Uint8Array>({
		async pull(controller) {
			const { done, value } = await texts.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		cancel: () => cancellation.abort(),
	});
	const headers = { 'cache-control': 'no-store', ...first.headers };
	return new Response(body as unknown as BodyInit, { status: first.status, headers });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
