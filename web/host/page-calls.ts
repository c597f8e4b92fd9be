/**
 * Calls of the page itself to the engine that runs the world.
 * Owns: the reading of answers, and the headers that name the purpose of a call.
 */

import { pathAndQuery } from '../../shared/contract/path-and-query.ts';
import { PANELS } from '../../shared/contract/principal.ts';
import { hasBody } from '../../shared/contract/route.ts';
import type { CallHandler } from '../../shared/contract/wire.ts';
import { ANY_BYTES } from '../../shared/documents/media-type.ts';
import { createClient } from '../../shared/transport/client.ts';

export interface PageCallsOptions {
	/** Headers of the person's session. */
	readonly session: () => Readonly<Record<string, string>>;
	/** Called with the milliseconds of each answer. */
	readonly onAnswer: (ms: number) => void;
}

const decoder = new TextDecoder();

export class PageCalls {
	/** Handler that sends calls to the world; undefined while no engine runs it. */
	handle: CallHandler | undefined;
	readonly #options: PageCallsOptions;

	constructor(options: PageCallsOptions) {
		this.#options = options;
	}

	/** Calls the JSON API. Resolves for a refusal, too. Rejects only if no answer can come. */
	async call(method: string, path: string, body?: unknown, agent: 'you' | 'panels' = 'you') {
		if (this.handle === undefined)
			throw new Error('No engine has the world at the moment. Send the call again.');
		const { path: callPath, query } = pathAndQuery(path);
		const beginTime = performance.now();
		const client = createClient(this.handle, { 'x-agent': agent, ...this.#options.session() });
		const bodyField = hasBody(method) ? { body: body ?? {} } : {};
		const response = await client.send({ method, path: callPath, query, ...bodyField });
		const text = decoder.decode(response.body);
		const json = response.headers['content-type']?.includes('json') === true;
		const ms = performance.now() - beginTime;
		this.#options.onAnswer(ms);
		return { status: response.status, body: text === '' ? null : json ? JSON.parse(text) : text, ms };
	}

	/** Sends a call while the page ends. */
	callAtEnd(method: string, path: string): void {
		const headers = { 'x-agent': PANELS, ...this.#options.session() };
		const url = new URL(path.slice(1), document.baseURI);
		fetch(url, { method, headers, keepalive: true }).catch(() => {
			// The page is gone by then. The next page repeats the work of this call.
		});
	}

	/** Returns a picture of a world; null if none can be taken. */
	async takePicture(world: string, width: number, height: number): Promise<Blob | null> {
		const query = new URLSearchParams({ world, width: String(width), height: String(height), hud: 'false' });
		if (world === 'main') query.delete('world');
		const bytes = await this.#bytes('/screenshot', query.toString(), 'image/webp');
		return bytes === null ? null : new Blob([bytes]);
	}

	/** Returns the bytes of an asset, or of a shipped sound; null if they do not exist. */
	async assetBytes(hash: string): Promise<ArrayBuffer | null> {
		if (hash.startsWith('sounds/')) {
			const response = await fetch(new URL(hash, document.baseURI));
			return response.ok ? response.arrayBuffer() : null;
		}
		const bytes = await this.#bytes(`/asset/${hash}`, '', ANY_BYTES);
		return bytes === null ? null : bytes.slice().buffer;
	}

	async #bytes(path: string, query: string, accept: string): Promise<Uint8Array<ArrayBuffer> | null> {
		if (this.handle === undefined) return null;
		const client = createClient(this.handle, { 'x-agent': PANELS });
		const { status, body } = await client.send({ method: 'GET', path, query, accept });
		return status === 200 ? (body as Uint8Array<ArrayBuffer>) : null;
	}
}
