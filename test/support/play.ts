/** Calling an engine in process, as tests of its rules do. */

import type { Engine } from '../../web/host/engine.ts';

export interface Answer {
	readonly status: number;
	// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects of them
	readonly body: any;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Makes one call; `path` may carry a query. */
export async function call(engine: Engine, method: string, path: string, body?: unknown): Promise<Answer> {
	const [route = '', query = ''] = path.split('?');
	const { status, body: bytes } = await engine.handle({
		method: method as 'GET',
		path: route,
		query,
		headers: body === undefined ? {} : { 'content-type': 'application/json' },
		body: body === undefined ? new Uint8Array() : encoder.encode(JSON.stringify(body)),
	});
	const text = decoder.decode(bytes);
	return { status, body: text === '' ? null : JSON.parse(text) };
}
