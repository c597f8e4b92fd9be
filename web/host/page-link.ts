/**
 * The page's own socket to the relay, on the main thread: it says that the tab lives while its engine computes, hears whether this
 * page is to hold the world or to visit it, and claims the world for it.
 * Owns: that socket, and opening it again. Never: carries a call.
 */

import {
	decodeFrames,
	encodeFrames,
	type Holder,
	LINK_VERSION,
	type LinkFrame,
	type Role,
} from '../../shared/contract/link.ts';
import { tokenFromPage } from './relay-link.ts';

export interface PageRole {
	readonly role: Role;
	/** Token of this page's engine. */
	readonly key: string;
	readonly holder: Holder;
}

export interface PageLinkOptions {
	/** The relay's socket, such as `ws://127.0.0.1:3917/link`. */
	readonly url: string;
	/** The one-time token of the page that the relay served. */
	readonly token: string;
	/** True if this page has an engine with the world. */
	readonly holds: () => boolean;
	/** What this page is from now on; null while the relay is not reached. */
	readonly onRole: (role: PageRole | null) => void;
	/** The world does not move here, and why. */
	readonly onDeclined: (why: string) => void;
	/** The engine of this page is not the engine any more, though it may not know: it may hang. */
	readonly onReplaced: () => void;
}

const FIRST_WAIT = 100;
const LONGEST_WAIT = 1000;

export interface PageLink {
	/** Has the world move here, or says why it does not. */
	claim(): void;
	close(): void;
}

/** Connects the page, and keeps it connected until it is closed. */
export function linkPage(options: PageLinkOptions): PageLink {
	let wait = FIRST_WAIT;
	let closed = false;
	let socket: WebSocket | undefined;
	open(options.token);

	function open(token: string): void {
		const mine = new WebSocket(options.url);
		socket = mine;
		mine.binaryType = 'arraybuffer';
		const say = (frame: LinkFrame) => mine.send(encodeFrames([frame]));
		mine.onopen = () => say({ kind: 'page', version: LINK_VERSION, token, holds: options.holds() });
		mine.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
			for (const frame of decodeFrames(new Uint8Array(data))) {
				if (closed) return;
				if (frame.kind === 'ping') say({ kind: 'pong' });
				if (frame.kind === 'replaced') {
					end();
					options.onReplaced();
				}
				if (frame.kind === 'declined') options.onDeclined(frame.why);
				if (frame.kind !== 'role') continue;
				wait = FIRST_WAIT;
				options.onRole({ role: frame.role, key: frame.key, holder: frame.holder });
			}
		};
		mine.onclose = () => {
			if (closed) return;
			options.onRole(null);
			setTimeout(() => void again(), wait);
			wait = Math.min(wait * 2, LONGEST_WAIT);
		};
	}

	/** The relay's page gives out tokens; none comes while no relay is there. */
	async function again(): Promise<void> {
		let token = '';
		try {
			token = await tokenFromPage(new URL(location.href));
		} catch {
			// The socket fails too, and brings us back here.
		}
		if (!closed) open(token);
	}

	function end(): void {
		closed = true;
		socket?.close(1000);
	}

	return {
		claim() {
			if (socket?.readyState === WebSocket.OPEN) socket.send(encodeFrames([{ kind: 'claim' }]));
			else options.onDeclined('The server currently cannot be reached.');
		},
		close: end,
	};
}
