/** Calls over a MessagePort: both of its ends. */

import type { CallHandler, WireResponse } from '../../shared/contract/wire.ts';
import type { PortRequest, PortResponse } from './frames.ts';

/** Answers the calls that come in on a port. */
export function servePort(port: MessagePort, handle: CallHandler): void {
	port.onmessage = async ({ data }: MessageEvent<PortRequest>) => {
		const response = await handle(data.request);
		const answer: PortResponse = { id: data.id, response };
		port.postMessage(answer);
	};
}

/** A handle that sends calls over a port. */
export function portHandle(port: MessagePort): CallHandler {
	const waiting = new Map<number, (response: WireResponse) => void>();
	let next = 0;
	port.onmessage = ({ data }: MessageEvent<PortResponse>) => {
		waiting.get(data.id)?.(data.response);
		waiting.delete(data.id);
	};
	return (request) =>
		new Promise((resolve) => {
			const id = next++;
			waiting.set(id, resolve);
			const call: PortRequest = { id, request };
			port.postMessage(call);
		});
}
