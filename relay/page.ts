/**
 * One open page with its socket. The page's main thread serves this socket, so it answers while the engine computes.
 * Owns: the key with which the page's engine may connect, and the last role that was sent to the page.
 * Never: decides the role of the page.
 */

import type { WebSocket } from 'ws';
import { encodeFrames, type Holder, type LinkFrame, type TabRole } from '../shared/transport/link.ts';
import { framesOf } from './tab-connection.ts';
import { randomToken } from './tokens.ts';

export class Page {
	readonly key = randomToken();
	/** True if it is in the relay's own browser. */
	readonly keeper: boolean;
	/** Pings since the last message of the page. */
	unanswered = 0;
	readonly #socket: WebSocket;
	#lastRole = '';

	constructor(socket: WebSocket, keeper: boolean) {
		this.#socket = socket;
		this.keeper = keeper;
	}

	/** Sends the page its role and the holder of the world, unless neither has changed. */
	sendRole(role: TabRole, holder: Holder): void {
		if (this.#lastRole === `${role} ${holder}`) return;
		this.#lastRole = `${role} ${holder}`;
		this.send({ kind: 'role', role, key: this.key, holder });
	}

	/** Calls `onClaim` when the page claims the world, and `onClosed` once when its socket is lost. */
	listen(onClaim: () => void, onClosed: (code: number) => void): void {
		this.#socket.on('message', (data, isBinary) => {
			this.unanswered = 0;
			const frames = isBinary ? framesOf(data) : undefined;
			if (frames?.some(({ kind }) => kind === 'claim') === true) onClaim();
		});
		this.#socket.on('close', onClosed);
	}

	send(frame: LinkFrame): void {
		if (this.#socket.readyState === this.#socket.OPEN)
			this.#socket.send(encodeFrames([frame]), { binary: true });
	}

	end(): void {
		this.#socket.terminate();
	}
}
