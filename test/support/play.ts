/** Calling an engine in process, as tests of its rules do. */

import { pathFault } from '../../shared/contract/file-path.ts';
import type { Engine } from '../../web/host/engine.ts';
import { FileError, type Files } from '../../web/host/files.ts';
import { encodeWorld } from '../../web/sim/core/codec.ts';

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

/** Short ways to talk to one engine; each answers the JSON of the answer. */
export function talk(engine: Engine) {
	const post = async (path: string, body: unknown = {}) => (await call(engine, 'POST', path, body)).body;
	const get = async (path: string) => (await call(engine, 'GET', path)).body;
	return {
		post,
		get,
		drop: async (path: string) => (await call(engine, 'DELETE', path)).body,
		digest: async (world = 'main'): Promise<string> => (await get(`/digest?world=${world}`)).state_digest,
		/** Digests of the next ticks. */
		async future(ticks: number, world = 'main'): Promise<string[]> {
			const digests: string[] = [];
			for (let i = 0; i < ticks; i++)
				digests.push((await post(`/step?world=${world}`, { ticks: 1 })).state_digest);
			return digests;
		},
		/** All of a world, exactly. */
		bytes: (world = 'main') => Buffer.from(encodeWorld(engine.worlds.find(world)!.world)).toString('base64'),
	};
}

export type Talk = ReturnType<typeof talk>;

/** Files in memory that a test can look into. */
export function testFiles() {
	const kept = new Map<string, Uint8Array>();
	const files: Files = {
		place: 'test',
		async read(path) {
			const fault = pathFault(path);
			if (fault !== undefined) throw new FileError('refused', fault);
			const bytes = kept.get(path);
			if (bytes === undefined) throw new FileError('missing', `There is no file "${path}".`);
			return bytes;
		},
		async write(path, bytes) {
			const fault = pathFault(path);
			if (fault !== undefined) throw new FileError('refused', fault);
			kept.set(path, bytes.slice());
		},
	};
	return {
		files,
		kept,
		put: (path: string, value: unknown) => void kept.set(path, encoder.encode(JSON.stringify(value))),
		json: (path: string) => JSON.parse(decoder.decode(kept.get(path))),
		text: (path: string) => decoder.decode(kept.get(path)),
	};
}
