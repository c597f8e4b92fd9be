/**
 * The engine's side of the socket to the relay. It receives calls, and sends answers, file operations and journal entries.
 * Owns: the meaning of the relay's frames for the engine, and the engine's welcome.
 * Never: parses a body, or uses the DOM. It runs in the engine's Worker, and in Node for tests.
 */

import { reasonOf } from '../../shared/contract/reason.ts';
import type { CallHandler } from '../../shared/contract/wire.ts';
import type { RelayServices } from '../../shared/transport/errand.ts';
import { LINK_VERSION, type LinkFrame, type ShownLease } from '../../shared/transport/link.ts';
import type { Files } from '../store/files.ts';
import { RelayCalls } from './relay-calls.ts';
import { RelayRequests } from './relay-requests.ts';
import { type LinkSocket, RelaySocket, type RelayState } from './relay-socket.ts';

export type Welcome = LinkFrame & { readonly kind: 'welcome' };

export interface RelayLinkOptions {
	/** The relay's socket, such as `ws://127.0.0.1:3917/link`. */
	readonly url: string;
	/** The key of the engine's page, or the one-time token of a page that the relay served. */
	readonly token: string;
	readonly handle: CallHandler;
	readonly onState: (state: RelayState) => void;
	/** Returns the identity of the loaded world; an empty text before it is loaded. */
	readonly world: () => string;
	/** Returns the lease of this engine; null before the first one. */
	readonly lease?: () => ShownLease | null;
	/** Called at every welcome. */
	readonly onWelcome?: (welcome: Welcome) => void;
	/** Writes a state and releases the lease. An engine without it keeps its world. */
	readonly release?: () => Promise<void>;
	/** Called when another engine has the lease. The link has ended. */
	readonly onReplaced?: () => void;
	/** Called when the answers of these calls were delivered. */
	readonly onReceived?: (relay: string, ids: readonly number[]) => void;
	/** Called with the names of other worlds. */
	readonly onNames?: (names: readonly string[]) => void;
	/** Opens a socket; a plain `WebSocket` if omitted. */
	readonly open?: (url: string) => LinkSocket;
	/** Returns another token; if omitted, the link reads it from `page`. */
	readonly freshToken?: () => Promise<string>;
	/** Address of the tab's page, by which the relay recognises its own browser; `/` if omitted. */
	readonly page?: string;
	/** Milliseconds after which a file operation fails while there is no relay; 10 000 if omitted. */
	readonly fileTimeout?: number;
}

/** Connection for frames about the journal. */
export interface JournalChannel {
	/** Sends a frame, unless there currently is no relay. */
	send(frame: LinkFrame): void;
	/** Sets the only receiver of the relay's frames. */
	listen(listener: JournalListener): void;
}

export interface JournalListener {
	onAnswer(frame: LinkFrame & { readonly kind: 'journaled' }): void;
	/**
	 * Called when the relay is connected again. The listener must repeat unanswered frames, because the relay may have missed
	 * some.
	 */
	onWelcome(): void;
	/** Called when the relay is unreachable, temporarily or permanently. */
	onLoss(why: string): void;
}

/** Connects the engine to the relay and keeps it connected. Never throws: `onState` reports changes. */
export class RelayLink {
	/** Connection to the journal that the relay keeps. */
	readonly journalChannel: JournalChannel;
	readonly #options: RelayLinkOptions;
	readonly #socket: RelaySocket;
	readonly #calls: RelayCalls;
	readonly #requests: RelayRequests;
	#journal: JournalListener | undefined;
	#relay = '';
	/** True once the lease was released. A lost socket then means that another engine has it. */
	#isReleased = false;

	constructor(options: RelayLinkOptions) {
		this.#options = options;
		const post = (frame: LinkFrame): void => this.#socket.post(frame);
		this.#calls = new RelayCalls(options.handle, (id, response) => post({ kind: 'answer', id, response }));
		this.#requests = new RelayRequests({
			post,
			isConnected: () => this.#socket.isWelcome,
			fileTimeout: options.fileTimeout ?? 10_000,
		});
		this.journalChannel = {
			send: post,
			listen: (end) => {
				this.#journal = end;
			},
		};
		const { url, page = '/' } = options;
		this.#socket = new RelaySocket({
			url,
			token: options.token,
			hello: (token) => ({
				kind: 'engine',
				version: LINK_VERSION,
				token,
				lease: options.lease?.() ?? null,
			}),
			freshToken: options.freshToken ?? (() => tokenFromPage(new URL(page, url.replace(/^ws/, 'http')))),
			open: options.open ?? ((at) => new WebSocket(at) as LinkSocket),
			onFrame: (frame) => this.#receive(frame),
			onLost: () => this.#handleLoss(),
			onState: (state) => this.#setState(state),
			onReplaced: () => this.#handleReplacement(),
			onAway: (now) => this.#requests.rejectOverdue(now),
			isBusy: () => this.#calls.isBusy,
		});
	}

	/** The relay's data folder. */
	get files(): Files {
		return this.#requests.files;
	}

	/** Services of the relay for the engine. */
	get relayServices(): RelayServices {
		return this.#requests;
	}

	/** Reports that the world is loaded and the engine answers. */
	reportLoaded(): void {
		const world = this.#options.world();
		if (world !== '') this.#socket.post({ kind: 'loaded', world });
	}

	/** Reports how much of the journal the engine has read. */
	reportReading(next: number, end: number): void {
		this.#socket.post({ kind: 'reading', next, end });
	}

	/** Reports that the engine cannot load the world of the journal. */
	reportUnreadable(why: string): void {
		this.#socket.post({ kind: 'unreadable', why });
	}

	/** Closes the socket permanently. Waiting file operations are rejected. */
	close(): void {
		this.#requests.close('The link to the relay was closed.');
		this.#socket.close();
	}

	#receive(frame: LinkFrame): void {
		switch (frame.kind) {
			case 'welcome':
				this.#welcome(frame);
				return;
			case 'request':
				this.#calls.receive(frame.id, frame.again, frame.request);
				return;
			case 'cancel':
				this.#calls.cancel(frame.id);
				return;
			case 'received':
				this.#options.onReceived?.(this.#relay, frame.ids);
				return;
			case 'file':
			case 'errand-answer':
				this.#requests.receive(frame);
				return;
			case 'journaled':
				this.#journal?.onAnswer(frame);
				return;
			case 'names':
				this.#options.onNames?.(frame.names);
				return;
			case 'release':
				void this.#release();
				return;
			default:
		}
	}

	#welcome(frame: Welcome): void {
		this.#socket.welcome();
		this.#relay = frame.relay;
		this.#calls.setRelay(frame.relay);
		this.#requests.storage = frame.storage;
		this.#requests.server = frame.server;
		this.#requests.resendOperations();
		this.reportLoaded();
		this.#journal?.onWelcome();
		this.#options.onWelcome?.(frame);
		this.#socket.ready();
	}

	async #release(): Promise<void> {
		try {
			if (this.#options.release === undefined) throw new Error('This engine does not release its world.');
			await this.#options.release();
			this.#isReleased = true;
			this.#socket.post({ kind: 'released' });
			this.#socket.flush();
			if (!this.#socket.isWelcome) this.#handleReplacement();
		} catch (error) {
			this.#socket.post({ kind: 'declined', why: reasonOf(error) });
		}
	}

	#handleLoss(): void {
		this.#requests.failErrands();
		if (this.#isReleased) this.#handleReplacement();
	}

	#handleReplacement(): void {
		this.#requests.close('Another tab is now the engine.');
		this.#socket.close();
		this.#options.onReplaced?.();
	}

	#setState(state: RelayState): void {
		if (state === 'lost') this.#journal?.onLoss('The relay cannot be reached.');
		this.#options.onState(state);
	}
}

/** Reads a new one-time token from the relay's page. Only a page of the same origin can do this. */
export async function tokenFromPage(page: URL): Promise<string> {
	const response = await fetch(page, { headers: { accept: 'text/html' }, cache: 'no-store' });
	const token = /<meta name="orrery-relay" content="([^"]+)"/.exec(await response.text())?.[1];
	if (token === undefined) throw new Error(`The page at ${page.href} has no token of a relay.`);
	return token;
}
