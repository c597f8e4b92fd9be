/**
 * The page's own socket to the relay, on the main thread. It shows the relay that the tab is alive while its engine computes. The
 * relay reports the role of this page on the socket, and the page claims the world on it.
 * Owns: the meaning of the socket's frames.
 * Never: transports a call.
 */

import { type Holder, LINK_VERSION, type LinkFrame, type TabRole } from '../../shared/transport/link.ts';
import { tokenFromPage } from './relay-link.ts';
import { type LinkSocket, RelaySocket } from './relay-socket.ts';

export interface PageRole {
	readonly role: TabRole;
	/** Token of this page's engine. */
	readonly key: string;
	readonly holder: Holder;
}

export interface PageLinkOptions {
	/** The relay's socket, such as `ws://127.0.0.1:3917/link`. */
	readonly url: string;
	/** The one-time token of the page that the relay served. */
	readonly token: string;
	/** Returns true if this page has an engine with the world. */
	readonly isOwner: () => boolean;
	/** Called with each new role of this page; null while the relay cannot be reached. */
	readonly onRole: (role: PageRole | null) => void;
	/** Called with the reason when a claim is declined. */
	readonly onDeclined: (why: string) => void;
	/** Called when another engine has replaced this page's engine, which may not know this, because it may hang. */
	readonly onReplaced: () => void;
}

/** Connects the page, and keeps it connected until it is closed. */
export class PageLink {
	readonly #options: PageLinkOptions;
	readonly #socket: RelaySocket;

	constructor(options: PageLinkOptions) {
		this.#options = options;
		const { url, token, isOwner, onRole, onReplaced } = options;
		this.#socket = new RelaySocket({
			url,
			token,
			hello: (token) => ({ kind: 'page', version: LINK_VERSION, token, holds: isOwner() }),
			freshToken: () => tokenFromPage(new URL(location.href)),
			open: (at) => new WebSocket(at) as LinkSocket,
			onFrame: (frame) => this.#receive(frame),
			onLost: () => onRole(null),
			onState: () => {},
			onReplaced,
			onAway: () => {},
			isBusy: () => false,
		});
	}

	/** Claims the world for this page, or reports why this is impossible. */
	claim(): void {
		if (this.#socket.isWelcome) this.#socket.post({ kind: 'claim' });
		else this.#options.onDeclined('The server currently cannot be reached.');
	}

	close(): void {
		this.#socket.close();
	}

	#receive(frame: LinkFrame): void {
		if (frame.kind === 'declined') this.#options.onDeclined(frame.why);
		if (frame.kind !== 'role') return;
		this.#socket.welcome();
		this.#options.onRole({ role: frame.role, key: frame.key, holder: frame.holder });
	}
}
