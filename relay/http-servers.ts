/**
 * The HTTP servers on this machine's own addresses.
 * Owns: listening on the port, which upgrades are taken, and holding back what comes before the relay has everything.
 * Never: answers a call.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '../shared/contract/errors.ts';
import { refuseStream } from './malformed-request.ts';
import { takePath } from './request-target.ts';
import { socketRequests } from './socket-requests.ts';

export interface HttpServersOptions {
	/** Connections at once. */
	readonly connections: number;
	/** Milliseconds in which a request's head has to be there, and the whole request. */
	readonly headWait: number;
	readonly requestWait: number;
	/** Returns true if a request asks for a socket of this server. */
	readonly isSocket: (request: IncomingMessage) => boolean;
}

/** Handlers of requests and sockets, once the server is complete. */
export interface HttpHandlers {
	/** `waits`: the caller sends its body only when told to continue. */
	request(request: IncomingMessage, response: ServerResponse, waits: boolean): void;
	upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
	/** A connection that does not speak HTTP. */
	broken(error: Error, stream: Duplex): void;
}

export class HttpServers {
	readonly #options: HttpServersOptions;
	readonly #servers: Server[] = [];
	#handlers: HttpHandlers | undefined;
	/** Came before the handlers. */
	#early: ((handlers: HttpHandlers) => void)[] = [];

	constructor(options: HttpServersOptions) {
		this.#options = options;
	}

	/** Listens, and returns the port. Rejects with a sentence when it is taken. */
	async listen(wanted: number): Promise<number> {
		const server = this.#newServer();
		await listening(server, wanted, '127.0.0.1');
		this.#servers.push(server);
		const { port } = server.address() as AddressInfo;
		const second = this.#newServer();
		if (await listensOnSix(second, port)) this.#servers.push(second);
		return port;
	}

	/** Hands over what has come and what will come. */
	serve(handlers: HttpHandlers): void {
		this.#handlers = handlers;
		for (const go of this.#early.splice(0)) go(handlers);
	}

	async close(): Promise<void> {
		await Promise.all(this.#servers.map(closeServer));
	}

	#whenThere(work: (handlers: HttpHandlers) => void): void {
		if (this.#handlers === undefined) this.#early.push(work);
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
			// The guard refuses those without one, and says so.
			requireHostHeader: false,
			IncomingMessage: socketRequests(isSocket),
		});
		server.maxConnections = connections;
		const take = (waits: boolean) => (request: IncomingMessage, response: ServerResponse) =>
			this.#whenThere((handlers) => handlers.request(request, response, waits));
		server.on('request', take(false));
		server.on('checkContinue', take(true));
		// A caller that expects anything else than to be told to continue is answered as if it did not.
		server.on('checkExpectation', take(false));
		server.on('connect', (_, stream) => refuseStream(stream, notAProxy()));
		server.on('clientError', (error, stream) =>
			this.#whenThere((handlers) => handlers.broken(error, stream)),
		);
		server.on('upgrade', (request, stream, head) => {
			takePath(request);
			this.#whenThere((handlers) => handlers.upgrade(request, stream, head));
		});
		return server;
	}
}

function notAProxy(): ApiError {
	return new ApiError('method_not_allowed', 'This server is not a proxy and does not support CONNECT.', {
		fix: 'Send the call itself: GET, POST or DELETE.',
	});
}

function listening(server: Server, port: number, host: string): Promise<void> {
	return new Promise((resolve, reject) => {
		const failed = (error: NodeJS.ErrnoException): void => {
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
		server.once('error', failed);
		server.listen(port, host, () => {
			server.off('error', failed);
			resolve();
		});
	});
}

/** Also answers on ::1, where the machine has it: some programs try that first for "localhost". */
async function listensOnSix(server: Server, port: number): Promise<boolean> {
	try {
		await listening(server, port, '::1');
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
