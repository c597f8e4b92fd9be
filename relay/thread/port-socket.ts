/**
 * Connection within this process, over a port. It has the parts of a `ws` socket that the relay uses.
 * Owns: closing codes, because a port has none.
 */

import { EventEmitter } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { WebSocket } from 'ws';

/** Code of a connection that ended without a code. */
const LOST_CODE = 1006;

/** Emits `message` with bytes and `true`, and `close` once with a code. */
export class PortSocket extends EventEmitter {
	readonly OPEN = 1;
	readonly #port: MessagePort;
	#isOpen = true;

	constructor(port: MessagePort) {
		super();
		this.#port = port;
		port.on('message', (message: ArrayBuffer | number) => {
			if (typeof message === 'number') this.#end(message);
			else if (this.#isOpen) this.emit('message', message, true);
		});
		port.on('close', () => this.#end(LOST_CODE));
	}

	get readyState(): number {
		return this.#isOpen ? this.OPEN : this.OPEN + 2;
	}

	/** Sends bytes. They are transferred, so the caller must not use them again. */
	send(bytes: Uint8Array<ArrayBuffer>): void {
		if (!this.#isOpen) return;
		const isWhole = bytes.byteLength === bytes.buffer.byteLength;
		const message = isWhole ? bytes.buffer : bytes.slice().buffer;
		this.#port.postMessage(message, [message]);
	}

	close(code: number): void {
		if (this.#isOpen) this.#port.postMessage(code);
		this.#end(code);
	}

	terminate(): void {
		this.#end(LOST_CODE);
	}

	/** Returns this connection under the type that the relay expects. */
	asWebSocket(): WebSocket {
		return this as unknown as WebSocket;
	}

	#end(code: number): void {
		if (!this.#isOpen) return;
		this.#isOpen = false;
		this.#port.close();
		this.emit('close', code);
	}
}
