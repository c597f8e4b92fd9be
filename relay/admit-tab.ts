/**
 * The relay's end of a tab's sockets: which of them are let in.
 * Owns: the upgrade and the hello. Never: decides which engine is the owner.
 */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { CLOSE_REFUSED, LARGEST_MESSAGE, LINK_VERSION } from '../shared/transport/link.ts';
import { refuseStream } from './malformed-request.ts';
import type { OriginCheck } from './origin-check.ts';
import type { Ownership } from './ownership.ts';
import { framesOf } from './tab-connection.ts';

export interface TabSocketOptions {
	readonly originCheck: OriginCheck;
	readonly ownership: Ownership;
	/** Milliseconds after which a socket is closed that has not said hello. */
	readonly helloWait: number;
}

/** The longest message of one that is not an engine, in bytes with what belongs to its frames: they are held until it is whole. */
const MAX_TO_SAY = 64 * 1024;

/** Ends a socket that sends a longer message. Answers how that is lifted. */
function boundMessages(socket: WebSocket, stream: Duplex): () => void {
	let size = 0;
	const count = ({ length }: Buffer): void => {
		size += length;
		if (size > MAX_TO_SAY) socket.terminate();
	};
	const whole = (): void => {
		size = 0;
	};
	stream.on('data', count);
	socket.on('message', whole);
	return () => {
		stream.off('data', count);
		socket.off('message', whole);
	};
}

export class TabSocket {
	readonly #options: TabSocketOptions;
	readonly #server = new WebSocketServer({
		noServer: true,
		perMessageDeflate: false,
		maxPayload: LARGEST_MESSAGE,
		clientTracking: true,
	});

	constructor(options: TabSocketOptions) {
		this.#options = options;
	}

	/** Takes an HTTP upgrade: a socket, or a refusal in JSON. */
	upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
		const error = this.#options.originCheck.checkSocket(request.headers);
		if (error !== undefined) {
			refuseStream(stream, error);
			return;
		}
		this.#server.handleUpgrade(request, stream, head, (socket) => this.#greet(socket, stream));
	}

	/** Takes a connection of this process, which shows a token as any other. */
	join(socket: WebSocket): void {
		this.#greet(socket);
	}

	/** Closes every socket. */
	close(): void {
		for (const socket of this.#server.clients) socket.terminate();
		this.#server.close();
	}

	/** A socket of the right origin: nothing it sends counts until it shows a token. */
	#greet(socket: WebSocket, stream?: Duplex): void {
		socket.on('error', () => socket.terminate());
		const free = stream === undefined ? () => {} : boundMessages(socket, stream);
		const late = setTimeout(() => socket.terminate(), this.#options.helloWait);
		socket.once('close', () => clearTimeout(late));
		socket.once('message', (data, isBinary) => {
			clearTimeout(late);
			const hello = isBinary ? framesOf(data)?.[0] : undefined;
			const isHello = hello?.kind === 'page' || hello?.kind === 'engine';
			if (!isHello || hello.version !== LINK_VERSION) socket.close(CLOSE_REFUSED, 'hello');
			else this.#options.ownership.admit(socket, hello);
			// Only an engine sends whole documents.
			if (hello?.kind === 'engine' && socket.readyState === socket.OPEN) free();
		});
	}
}
