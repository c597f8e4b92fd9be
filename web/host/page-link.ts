/**
 * The page's own socket to the relay, on the main thread. It shows that the tab lives while its engine computes. It
 * learns if this page owns the world or visits it, and claims the world.
 * Owns: the meaning of its frames. Never: carries a call.
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
	readonly holds: () => boolean;
	/** Called with the role of this page from now on; null while the relay is not reached. */
	readonly onRole: (role: PageRole | null) => void;
	/** The world does not move here, and why. */
	readonly onDeclined: (why: string) => void;
	/** The engine of this page is not the engine any more, though it may not know: it may hang. */
	readonly onReplaced: () => void;
}

/** Connects the page, and keeps it connected until it is closed. */
export class PageLink {
	readonly #options: PageLinkOptions;
	readonly #socket: RelaySocket;

	constructor(options: PageLinkOptions) {
		this.#options = options;
		const { url, token, holds, onRole, onReplaced } = options;
		this.#socket = new RelaySocket({
			url,
			token,
			hello: (token) => ({ kind: 'page', version: LINK_VERSION, token, holds: holds() }),
			freshToken: () => tokenFromPage(new URL(location.href)),
			open: (at) => new WebSocket(at) as LinkSocket,
			take: (frame) => this.#take(frame),
			onLost: () => onRole(null),
			onState: () => {},
			onReplaced,
			onAway: () => {},
			isBusy: () => false,
		});
	}

	/** Has the world move here, or says why it does not. */
	claim(): void {
		if (this.#socket.isWelcome) this.#socket.post({ kind: 'claim' });
		else this.#options.onDeclined('The server currently cannot be reached.');
	}

	close(): void {
		this.#socket.close();
	}

	#take(frame: LinkFrame): void {
		if (frame.kind === 'declined') this.#options.onDeclined(frame.why);
		if (frame.kind !== 'role') return;
		this.#socket.welcome();
		this.#options.onRole({ role: frame.role, key: frame.key, holder: frame.holder });
	}
}
