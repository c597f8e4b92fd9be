/**
 * The engine as request handlers of msw, so that a test suite uses a real world without a server.
 * Owns: the conversion of a fetch Request to a call, and of the answer to a Response.
 * Never: runs in the page or in a Worker; it is for tests, in Node or beside a page.
 */

import { http, type RequestHandler } from 'msw';
import { isStream, resumeRequest, streamResponse } from '../../shared/contract/event-stream.ts';
import { type CallHandler, EMPTY_BODY, type WireResponse } from '../../shared/contract/wire.ts';

/**
 * Returns handlers for `setupServer` or `setupWorker` that answer every request below `base` with `handle`.
 * `base` is an absolute URL such as `http://world.test`; its path is removed before the engine receives the call.
 */
export function engineHandlers(base: string, handle: CallHandler): RequestHandler[] {
	const { origin, pathname } = new URL(base);
	const prefix = pathname.replace(/\/$/, '');
	const urlPattern = new RegExp(`^${escapePattern(origin + prefix)}(?:[/?#]|$)`);
	return [
		http.all(urlPattern, async ({ request }) => {
			const url = new URL(request.url);
			const bytes = request.body === null ? EMPTY_BODY : new Uint8Array(await request.arrayBuffer());
			const call = resumeRequest({
				method: request.method,
				path: url.pathname.slice(prefix.length) || '/',
				query: url.search.slice(1),
				headers: Object.fromEntries(request.headers),
				body: bytes,
			});
			const answer = await handle(call);
			return isStream(answer) ? streamResponse(call, answer, handle, request.signal) : asResponse(answer);
		}),
	];
}

function asResponse({ status, headers, body }: WireResponse): Response {
	const content = body.length === 0 ? null : (body as Uint8Array<ArrayBuffer>);
	return new Response(content, { status, headers });
}

function escapePattern(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
