/**
 * Calls over a MessagePort: both of its ends, for the page and for the service worker.
 * Owns: the messages on the port. A caller that goes away, alone or with its port, ends its calls.
 */

import { engineLost } from '../contract/error-response.ts';
import type { CallHandler, WireRequest, WireResponse } from '../contract/wire.ts';

/** Caller -> engine. The caller chooses `id`, and the answer repeats it. */
type ToEngine =
	| { readonly id: number; readonly request: WireRequest }
	/** Cancels the call: its answer is no longer needed. */
	| { readonly id: number; readonly request: null };

interface ToCaller {
	readonly id: number;
	readonly response: WireResponse;
}

/** Answers the calls that arrive on a port. */
export function servePort(port: MessagePort, handle: CallHandler): void {
	const running = new Map<number, AbortController>();
	port.addEventListener('close', () => {
		for (const caller of running.values()) caller.abort();
	});
	port.onmessage = async ({ data: { id, request } }: MessageEvent<ToEngine>) => {
		if (request === null) {
			running.get(id)?.abort();
			return;
		}
		const caller = new AbortController();
		running.set(id, caller);
		const response = await handle(request, caller.signal);
		running.delete(id);
		port.postMessage({ id, response } satisfies ToCaller);
	};
}

/**
 * Returns a handle that sends calls over a port. When the port closes or `gone` resolves, its calls are refused with
 * `engine_lost`. A port does not always report that it was closed, so `gone` is needed too.
 */
export function portHandle(
	port: MessagePort,
	onClose: () => void = () => {},
	gone?: Promise<unknown>,
): CallHandler {
	const waiting = new Map<number, { request: WireRequest; answer: (response: WireResponse) => void }>();
	let next = 0;
	let closed = false;
	port.onmessage = ({ data }: MessageEvent<ToCaller>) => {
		waiting.get(data.id)?.answer(data.response);
		waiting.delete(data.id);
	};
	const close = (): void => {
		closed = true;
		onClose();
		for (const { request, answer } of waiting.values()) answer(engineLost(request));
		waiting.clear();
	};
	port.addEventListener('close', close);
	void gone?.then(close);
	return (request, signal) => {
		if (closed) return Promise.resolve(engineLost(request));
		return new Promise((resolve) => {
			const id = next++;
			const cancel = () => port.postMessage({ id, request: null } satisfies ToEngine);
			const answer = (response: WireResponse): void => {
				signal?.removeEventListener('abort', cancel);
				resolve(response);
			};
			waiting.set(id, { request, answer });
			port.postMessage({ id, request } satisfies ToEngine);
			if (signal?.aborted) cancel();
			else signal?.addEventListener('abort', cancel);
		});
	};
}
