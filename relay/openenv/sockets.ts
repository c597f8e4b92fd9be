/** WebSockets of OpenEnv. Owns: the upgrade, and their end with the server. */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { MAX_DOCUMENT_BYTES, type WireRequest, type WireResponse } from '../../shared/contract/wire.ts';
import type { CallerKey } from '../caller.ts';
import { OpenEnv } from './serve.ts';

export class OpenEnvSockets {
	readonly openEnv = new OpenEnv();
	readonly #server = new WebSocketServer({
		noServer: true,
		perMessageDeflate: false,
		maxPayload: MAX_DOCUMENT_BYTES,
	});

	/** Accepts the upgrade of a player. `headers`: headers that each of its calls gets. */
	upgrade(
		request: IncomingMessage,
		stream: Duplex,
		head: Buffer,
		headers: Readonly<Record<string, string>>,
		send: (request: WireRequest) => Promise<WireResponse>,
		caller: CallerKey,
	): void {
		this.#server.handleUpgrade(request, stream, head, (socket) =>
			this.openEnv.serve(socket, headers, send, caller),
		);
	}

	close(): void {
		for (const socket of this.#server.clients) socket.terminate();
		this.#server.close();
		this.openEnv.stop();
	}
}
