/**
 * One open page: its own socket, served by the page's main thread, which lives on while its engine computes.
 * Owns: the key with which the page's engine may connect, and what the page was last told.
 * Never: decides what the page is.
 */

import type { WebSocket } from 'ws';
import { encodeFrames, type Holder, type LinkFrame, type TabRole } from '../shared/transport/link.ts';
import { framesOf } from './tab-connection.ts';
import { randomToken } from './tokens.ts';

export class Page {
	readonly key = randomToken();
	/** It is in the relay's own browser. */
	readonly keeper: boolean;
	/** Pings since anything was heard. */
	unanswered = 0;
	readonly #socket: WebSocket;
	#lastReport = '';

	constructor(socket: WebSocket, keeper: boolean) {
		this.#socket = socket;
		this.keeper = keeper;
	}

	/** Reports to the page what it is, unless that equals the last report. */
	tellRole(role: TabRole, holder: Holder): void {
		if (this.#lastReport === `${role} ${holder}`) return;
		this.#lastReport = `${role} ${holder}`;
		this.send({ kind: 'role', role, key: this.key, holder });
	}

	/** Calls `claim` when it claims the world, and `closed` once when its socket is lost. */
	listen(claim: () => void, closed: (code: number) => void): void {
		this.#socket.on('message', (data, isBinary) => {
			this.unanswered = 0;
			const frames = isBinary ? framesOf(data) : undefined;
			if (frames?.some(({ kind }) => kind === 'claim') === true) claim();
		});
		this.#socket.on('close', closed);
	}

	send(frame: LinkFrame): void {
		if (this.#socket.readyState === this.#socket.OPEN)
			this.#socket.send(encodeFrames([frame]), { binary: true });
	}

	end(): void {
		this.#socket.terminate();
	}
}
