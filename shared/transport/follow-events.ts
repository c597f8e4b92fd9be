/**
 * The events of a world as they happen, over HTTP.
 * Owns: reading server-sent events, and connecting again after a lost connection without missing an event.
 */

import { EVENT_STREAM_PATH, EVENT_STREAM_TYPE } from '../contract/event-stream.ts';

export interface FollowedEvent {
	readonly id: string;
	/** `message` for an event of the world. Other names are `replaced`, `gap` and `end`. */
	readonly name: string;
	readonly data: Readonly<Record<string, unknown>>;
}

export interface Following {
	/** Query of GET /events/stream: since, events, entity, world. */
	readonly query?: Readonly<Record<string, string>>;
	/** Headers of the request, such as `authorization`. */
	readonly headers?: Readonly<Record<string, string>>;
	readonly signal?: AbortSignal;
}

/** Milliseconds between the loss of a connection and the next attempt. */
const RECONNECT_MS = 1000;

/**
 * Yields the events of a world until the stream ends or the signal is aborted. Rejects if the first call is refused
 * or no server answers it.
 */
export async function* followEvents(
	server: string,
	{ query = {}, headers = {}, signal }: Following = {},
): AsyncGenerator<FollowedEvent, void> {
	const url = new URL(EVENT_STREAM_PATH, server);
	url.search = new URLSearchParams(query).toString();
	let lastId = '';
	for (let isFirst = true; signal?.aborted !== true; isFirst = false) {
		const resumeHeaders: Record<string, string> = lastId === '' ? {} : { 'last-event-id': lastId };
		try {
			const response = await fetch(url, {
				headers: { ...headers, ...resumeHeaders, accept: EVENT_STREAM_TYPE },
				...(signal === undefined ? {} : { signal }),
			});
			if (response.status !== 200) throw new Error(await response.text());
			for await (const event of eventsOf(response.body!)) {
				lastId = event.id;
				if (event.data !== null) yield event as FollowedEvent;
				if (event.name === 'end') return;
			}
		} catch (error) {
			if (signal?.aborted) return;
			if (isFirst) throw error;
		}
		await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
	}
}

type ParsedEvent = Omit<FollowedEvent, 'data'> & { readonly data: FollowedEvent['data'] | null };

/** Yields the events of a stream. A block without data only brings a new id. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ParsedEvent> {
	const decoder = new TextDecoder();
	const reader = body.getReader();
	let text = '';
	let id = '';
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
			text = blocks.pop()!;
			for (const block of blocks) {
				const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
				id = fields.get('id') ?? id;
				const data = fields.get('data');
				const name = fields.get('event') ?? 'message';
				yield { id, name, data: data === undefined ? null : JSON.parse(data) };
			}
		}
	} finally {
		// A lost connection cannot be cancelled, and the error has no meaning.
		await reader.cancel().catch(() => {});
	}
}
