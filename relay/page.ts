/**
 * One open page: its own socket, served by the page's main thread, which lives on while its engine computes.
 * Owns: the key with which the page's engine may connect, and what the page was last told.
 * Never: decides what the page is.
 */

import type { WebSocket } from 'ws';
import { encodeFrames, type Holder, type LinkFrame, type Role } from '../shared/contract/link.ts';
import { randomToken } from './tokens.ts';

export class Page {
	readonly key = randomToken();
	/** It is in the relay's own browser. */
	readonly keeper: boolean;
	/** Identity of the world that it came with; empty when it came with none. */
	readonly world: string;
	/** Pings since anything was heard. */
	unanswered = 0;
	readonly #socket: WebSocket;
	#told = '';

	constructor(socket: WebSocket, keeper: boolean, world: string) {
		this.#socket = socket;
		this.keeper = keeper;
		this.world = world;
	}

	/** Tells the page what it is, unless that is what it was told last. */
	tellRole(role: Role, holder: Holder): void {
		if (this.#told === `${role} ${holder}`) return;
		this.#told = `${role} ${holder}`;
		this.send({ kind: 'role', role, key: this.key, holder });
	}

	send(frame: LinkFrame): void {
		if (this.#socket.readyState === this.#socket.OPEN)
			this.#socket.send(encodeFrames([frame]), { binary: true });
	}

	end(): void {
		this.#socket.terminate();
	}
}
