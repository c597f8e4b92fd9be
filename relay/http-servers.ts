/**
 * HTTP servers on the loopback addresses of this machine.
 * Owns: listening on the port, the choice of accepted upgrades, and the queue of requests that arrive before the relay is
 * complete.
 * Never: answers a call.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '../shared/contract/errors.ts';
import { refuseStream } from './malformed-request.ts';
import { normalizeTarget } from './request-target.ts';
import { socketRequests } from './socket-requests.ts';

export interface HttpServersOptions {
	/** Maximum number of connections. */
	readonly connections: number;
	/** Milliseconds in which the head of a request must arrive. */
	readonly headWait: number;
	/** Milliseconds in which a whole request must arrive. */
	readonly requestWait: number;
	/** Returns true if a request asks for a socket of this server. */
	readonly isSocket: (request: IncomingMessage) => boolean;
}

/** Handlers of requests and sockets. */
export interface HttpHandlers {
	/** Handles a call. `expectsContinue`: the caller sends its body only after "100 Continue". */
	handleRequest(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void;
	handleUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
	/** Handles a connection that does not speak HTTP. */
	handleBroken(error: Error, stream: Duplex): void;
}

export class HttpServers {
	readonly #options: HttpServersOptions;
	readonly #servers: Server[] = [];
	#handlers: HttpHandlers | undefined;
	/** Requests that arrived before the handlers were set. */
	#earlyRequests: ((handlers: HttpHandlers) => void)[] = [];

	constructor(options: HttpServersOptions) {
		this.#options = options;
	}

	/** Listens on a port; 0 takes a free one. Returns the port. Rejects with a clear error if it is in use. */
	async listen(requestedPort: number): Promise<number> {
		const server = this.#newServer();
		await listenOn(server, requestedPort, '127.0.0.1');
		this.#servers.push(server);
		const { port } = server.address() as AddressInfo;
		const ipv6Server = this.#newServer();
		if (await listenOnIpv6(ipv6Server, port)) this.#servers.push(ipv6Server);
		return port;
	}

	/** Passes all earlier and later requests to the handlers. */
	serve(handlers: HttpHandlers): void {
		this.#handlers = handlers;
		for (const work of this.#earlyRequests.splice(0)) work(handlers);
	}

	async close(): Promise<void> {
		await Promise.all(this.#servers.map(closeServer));
	}

	#withHandlers(work: (handlers: HttpHandlers) => void): void {
		if (this.#handlers === undefined) this.#earlyRequests.push(work);
		else work(this.#handlers);
	}

	#newServer(): Server {
		const { connections, headWait, requestWait, isSocket } = this.#options;
		const server = createServer({
			noDelay: true,
			keepAliveTimeout: 65_000,
			headersTimeout: headWait,
			requestTimeout: requestWait,
			connectionsCheckingInterval: Math.min(1000, headWait / 4),
			// `OriginCheck` refuses requests without a Host header, with a clear error.
			requireHostHeader: false,
			IncomingMessage: socketRequests(isSocket),
		});
		server.maxConnections = connections;
		const handle = (expectsContinue: boolean) => (request: IncomingMessage, response: ServerResponse) =>
			this.#withHandlers((handlers) => handlers.handleRequest(request, response, expectsContinue));
		server.on('request', handle(false));
		server.on('checkContinue', handle(true));
		// Any other expectation than "continue" is ignored.
		server.on('checkExpectation', handle(false));
		server.on('connect', (_, stream) => refuseStream(stream, notAProxyError()));
		server.on('clientError', (error, stream) =>
			this.#withHandlers((handlers) => handlers.handleBroken(error, stream)),
		);
		server.on('upgrade', (request, stream, head) => {
			normalizeTarget(request);
			this.#withHandlers((handlers) => handlers.handleUpgrade(request, stream, head));
		});
		return server;
	}
}

function notAProxyError(): ApiError {
	return new ApiError('method_not_allowed', 'This server is not a proxy and does not support CONNECT.', {
		fix: 'Send the call itself: GET, POST or DELETE.',
	});
}

function listenOn(server: Server, port: number, host: string): Promise<void> {
	return new Promise((resolve, reject) => {
		const onError = (error: NodeJS.ErrnoException): void => {
			if (error.code === 'EADDRINUSE') {
				reject(
					new Error(
						`Port ${port} is in use by another program, perhaps another Orrery. Stop it, or choose a free port with --port N.`,
					),
				);
			} else if (error.code === 'EACCES') {
				reject(new Error(`This user may not open port ${port}. Choose one above 1023 with --port N.`));
			} else reject(error);
		};
		server.once('error', onError);
		server.listen(port, host, () => {
			server.off('error', onError);
			resolve();
		});
	});
}

/** Listens on ::1 too, which some programs try first for "localhost". Returns false if the machine has no IPv6. */
async function listenOnIpv6(server: Server, port: number): Promise<boolean> {
	try {
		await listenOn(server, port, '::1');
		return true;
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'EINVAL') return false;
		throw error;
	}
}

function closeServer(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
