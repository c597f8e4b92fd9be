/**
 * Calls over a MessagePort: both of its ends, for the page and for the service worker.
 * Owns: the messages on the port. A caller that goes away, alone or with its port, ends its calls.
 */

import { Fault } from './errors.ts';
import { refusal } from './refusal.ts';
import type { CallHandler, WireRequest, WireResponse } from './wire.ts';

/** Caller -> engine: `id` is the caller's own and comes back with the answer. */
type ToEngine =
	| { readonly id: number; readonly request: WireRequest }
	/** Nobody waits for that answer any more. */
	| { readonly id: number; readonly request: null };

interface ToCaller {
	readonly id: number;
	readonly response: WireResponse;
}

/** Answers the calls that come in on a port. */
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

/** A handle that sends calls over a port. Calls whose engine goes away are refused with `engine_lost`. */
export function portHandle(port: MessagePort, onClose: () => void = () => {}): CallHandler {
	const waiting = new Map<number, (response: WireResponse) => void>();
	let next = 0;
	let closed = false;
	port.onmessage = ({ data }: MessageEvent<ToCaller>) => {
		waiting.get(data.id)?.(data.response);
		waiting.delete(data.id);
	};
	port.addEventListener('close', () => {
		closed = true;
		onClose();
		for (const resolve of waiting.values()) resolve(lost());
		waiting.clear();
	});
	return (request, signal) => {
		if (closed) return Promise.resolve(lost());
		return new Promise((resolve) => {
			const id = next++;
			const cancel = () => port.postMessage({ id, request: null } satisfies ToEngine);
			waiting.set(id, (response) => {
				signal?.removeEventListener('abort', cancel);
				resolve(response);
			});
			port.postMessage({ id, request } satisfies ToEngine);
			if (signal?.aborted) cancel();
			else signal?.addEventListener('abort', cancel);
		});
	};
}

function lost(): WireResponse {
	const why = 'The tab that had this call is gone, so there is no telling whether it was applied.';
	return refusal(new Fault('engine_lost', why));
}
