/**
 * The events of a world as they happen, over HTTP.
 * Owns: reading server-sent events, and coming back after a lost connection without missing one.
 */

import { EVENT_STREAM_PATH, EVENT_STREAM_TYPE } from '../contract/event-stream.ts';

export interface FollowedEvent {
	readonly id: string;
	/** `message` for an event of the world; else `replaced`, `gap` or `end`. */
	readonly name: string;
	readonly data: Readonly<Record<string, unknown>>;
}

export interface Following {
	/** Of GET /events/stream: since, events, entity, world. */
	readonly query?: Readonly<Record<string, string>>;
	/** Such as `authorization`. */
	readonly headers?: Readonly<Record<string, string>>;
	readonly signal?: AbortSignal;
}

/** Milliseconds between a lost connection and the next. */
const AGAIN_MS = 1000;

/** Yields the events of a world until the stream ends or the signal is aborted. Rejects if the first call is refused or no server answers it. */
export async function* followEvents(
	server: string,
	{ query = {}, headers = {}, signal }: Following = {},
): AsyncGenerator<FollowedEvent, void> {
	const url = new URL(EVENT_STREAM_PATH, server);
	url.search = new URLSearchParams(query).toString();
	let lastId = '';
	for (let isFirst = true; signal?.aborted !== true; isFirst = false) {
		const again: Record<string, string> = lastId === '' ? {} : { 'last-event-id': lastId };
		try {
			const response = await fetch(url, {
				headers: { ...headers, ...again, accept: EVENT_STREAM_TYPE },
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
		await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
	}
}

type Parsed = Omit<FollowedEvent, 'data'> & { readonly data: FollowedEvent['data'] | null };

/** Returns the events of a stream. One without data has a new id alone. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Parsed> {
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
		// A connection that is lost cannot be cancelled any more.
		await reader.cancel().catch(() => {});
	}
}
