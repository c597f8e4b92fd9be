/**
 * Requests of the HTTP server that may become sockets.
 * Owns: the decision for each request. Node before 24.9 has no callback for this decision, only a property that it sets
 * and reads.
 */

import { IncomingMessage } from 'node:http';

const IS_UPGRADE_OFFERED = Symbol('upgrade offered');

/**
 * Returns the class of requests for `createServer`. Requests that `isSocket` does not accept are answered in HTTP/1.1,
 * even if they offer an upgrade.
 */
export function socketRequests(isSocket: (request: IncomingMessage) => boolean): typeof IncomingMessage {
	return class extends IncomingMessage {
		[IS_UPGRADE_OFFERED] = false;

		get upgrade(): boolean {
			return this[IS_UPGRADE_OFFERED] && (this.method === 'CONNECT' || isSocket(this));
		}

		set upgrade(offered: boolean) {
			this[IS_UPGRADE_OFFERED] = offered;
		}
	};
}
