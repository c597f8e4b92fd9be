/**
 * Admission of tabs' sockets at the relay.
 * Owns: the upgrade and the hello. Never: decides which engine is the owner.
 */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { CLOSE_REFUSED, LINK_VERSION, MAX_MESSAGE_BYTES } from '../shared/transport/link.ts';
import { refuseStream } from './malformed-request.ts';
import type { OriginCheck } from './origin-check.ts';
import type { Ownership } from './ownership.ts';
import { framesOf } from './tab-connection.ts';

export interface TabSocketOptions {
	readonly originCheck: OriginCheck;
	readonly ownership: Ownership;
	/** Milliseconds in which a socket must send its hello. After that it is closed. */
	readonly helloWait: number;
}

/**
 * Maximum bytes of a message from a socket that is not an engine, with the headers of its frames. The frames stay in
 * memory until the message is complete.
 */
const MAX_PAGE_MESSAGE_BYTES = 64 * 1024;

/** Ends the socket if it sends a longer message. Returns a function that lifts this limit. */
function limitMessages(socket: WebSocket, stream: Duplex): () => void {
	let size = 0;
	const addBytes = ({ length }: Buffer): void => {
		size += length;
		if (size > MAX_PAGE_MESSAGE_BYTES) socket.terminate();
	};
	const startMessage = (): void => {
		size = 0;
	};
	stream.on('data', addBytes);
	socket.on('message', startMessage);
	return () => {
		stream.off('data', addBytes);
		socket.off('message', startMessage);
	};
}

export class TabSocket {
	readonly #options: TabSocketOptions;
	readonly #server = new WebSocketServer({
		noServer: true,
		perMessageDeflate: false,
		maxPayload: MAX_MESSAGE_BYTES,
		clientTracking: true,
	});

	constructor(options: TabSocketOptions) {
		this.#options = options;
	}

	/** Accepts an HTTP upgrade, or refuses it with an error in JSON. */
	upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
		const error = this.#options.originCheck.checkSocket(request.headers);
		if (error !== undefined) {
			refuseStream(stream, error);
			return;
		}
		this.#server.handleUpgrade(request, stream, head, (socket) => this.#greet(socket, stream));
	}

	/** Accepts a connection from this process. It must show a token too. */
	join(socket: WebSocket): void {
		this.#greet(socket);
	}

	/** Closes every socket. */
	close(): void {
		for (const socket of this.#server.clients) socket.terminate();
		this.#server.close();
	}

	/** Waits for the hello of a socket, and passes it on for admission. Its origin has been checked. */
	#greet(socket: WebSocket, stream?: Duplex): void {
		socket.on('error', () => socket.terminate());
		const liftLimit = stream === undefined ? () => {} : limitMessages(socket, stream);
		const helloTimer = setTimeout(() => socket.terminate(), this.#options.helloWait);
		socket.once('close', () => clearTimeout(helloTimer));
		socket.once('message', (data, isBinary) => {
			clearTimeout(helloTimer);
			const hello = isBinary ? framesOf(data)?.[0] : undefined;
			const isHello = hello?.kind === 'page' || hello?.kind === 'engine';
			if (!isHello || hello.version !== LINK_VERSION) socket.close(CLOSE_REFUSED, 'hello');
			else this.#options.ownership.admit(socket, hello);
			// Only an engine sends whole documents.
			if (hello?.kind === 'engine' && socket.readyState === socket.OPEN) liftLimit();
		});
	}
}
