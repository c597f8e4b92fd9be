/**
 * Requests of the HTTP server, of which only some may become sockets.
 * Owns: that decision, for each request. Node before 24.9 has no callback for it, only a property that it sets and reads.
 */

import { IncomingMessage } from 'node:http';

const OFFERED = Symbol('upgrade offered');

/** Returns the class of requests, for `createServer`. All others that offer an upgrade are answered in HTTP/1.1. */
export function socketRequests(isSocket: (request: IncomingMessage) => boolean): typeof IncomingMessage {
	return class extends IncomingMessage {
		[OFFERED] = false;

		get upgrade(): boolean {
			return this[OFFERED] && (this.method === 'CONNECT' || isSocket(this));
		}

		set upgrade(offered: boolean) {
			this[OFFERED] = offered;
		}
	};
}
