/**
 * A tab for the relay's tests: the engine's own link code, in Node, over the `ws` client.
 * Owns: fetching a token from the page, and cutting the connection when a test requests it.
 */

import { WebSocket } from 'ws';
import type { CallHandler, WireResponse } from '../../shared/contract/wire.ts';
import {
	decodeFrames,
	encodeFrames,
	LINK_PATH,
	LINK_VERSION,
	type LinkFrame,
} from '../../shared/transport/link.ts';
import { RemoteJournal } from '../../web/host/journal/remote-journal.ts';
import { RelayLink, type RelayLinkOptions } from '../../web/host/relay-link.ts';
import type { LinkSocket, RelayState } from '../../web/host/relay-socket.ts';

export interface FakeTab {
	readonly link: RelayLink;
	readonly states: readonly RelayState[];
	/** Resolves when the state is reached, immediately if it is the current one. */
	until(state: RelayState): Promise<void>;
	/** Cuts the current socket as a network fault does. The link reconnects. */
	cut(): void;
	/** Resolves when the tab has reported that it answers calls. */
	readonly loaded: Promise<void>;
	/** Returns the journal. Valid after the welcome. */
	journal(): RemoteJournal;
	/** Makes the link replace its socket while the relay still considers the old one open. */
	stall(): void;
	/** Stops reading, like a busy Worker. */
	freeze(): void;
	close(): void;
}

/** Returns the one-time token in the page that the relay serves. */
export async function pageToken(url: string): Promise<string> {
	const page = await fetch(url, { headers: { accept: 'text/html' } });
	const token = /<meta name="orrery-relay" content="([^"]+)"/.exec(await page.text())?.[1];
	if (token === undefined) throw new Error('The page has no token.');
	return token;
}

export function socketUrl(url: string): string {
	return `${url.replace('http', 'ws')}${LINK_PATH}`;
}

/**
 * Starts a tab that answers with `handle`. `more`: further options of its link. Resolves when the link has started.
 */
export async function startTab(
	url: string,
	handle: CallHandler,
	more: Partial<RelayLinkOptions> = {},
): Promise<FakeTab> {
	const states: RelayState[] = [];
	const resolvers = new Map<RelayState, (() => void)[]>();
	let socket: WebSocket | undefined;
	let journal: RemoteJournal | undefined;
	let journalId = '';
	const loaded = Promise.withResolvers<void>();
	const link: RelayLink = new RelayLink({
		url: socketUrl(url),
		token: await pageToken(url),
		handle,
		world: () => (journal === undefined || journal.epoch === 0 ? '' : 'fake'),
		lease: () =>
			journal === undefined || journal.epoch === 0 ? null : { journal: journalId, epoch: journal.epoch },
		onWelcome(welcome) {
			if (journal !== undefined) return;
			journalId = welcome.journal;
			journal = new RemoteJournal(link.journalChannel, welcome.durable);
			journal.acquire().then(
				() => {
					link.reportLoaded();
					loaded.resolve();
				},
				() => {},
			);
		},
		...more,
		freshToken: () => pageToken(url),
		open: (address) => {
			socket = new WebSocket(address, { origin: url });
			return socket as unknown as LinkSocket;
		},
		onState: (state) => {
			states.push(state);
			for (const resolve of resolvers.get(state) ?? []) resolve();
			resolvers.delete(state);
		},
	});
	const until = (state: RelayState): Promise<void> =>
		states.at(-1) === state
			? Promise.resolve()
			: new Promise((resolve) => resolvers.set(state, [...(resolvers.get(state) ?? []), resolve]));
	return {
		link,
		states,
		until,
		loaded: loaded.promise,
		journal: () => journal!,
		cut: () => socket?.terminate(),
		stall: () => socket?.emit('close', 1006, Buffer.alloc(0)),
		freeze: () => socket?.pause(),
		close: () => link.close(),
	};
}

/** Connects a tab that answers with `handle`, and waits until it is the engine. */
export async function openTab(
	url: string,
	handle: CallHandler,
	more: Partial<RelayLinkOptions> = {},
): Promise<FakeTab> {
	const tab = await startTab(url, handle, more);
	await tab.loaded;
	await tab.until('ready');
	return tab;
}

/** Socket of a page's main thread. It reports that the page is alive, and receives the page's role. */
export interface FakePage {
	readonly roles: readonly Role[];
	/** Returns the newest role. */
	role(): Role | undefined;
	/** Resolves when this is the newest role. */
	until(role: Role['role']): Promise<Role>;
	/** Claims the world for the page. */
	claim(): void;
	/** Resolves with the reason for which the page's first claim was declined. */
	readonly declined: Promise<string>;
	/** Sends a message of these bytes. */
	send(bytes: Uint8Array): void;
	/** Stops answering pings and obeying messages. */
	mute(): void;
	/** Resolves when its socket is closed, on either side. */
	readonly closed: Promise<void>;
	/** Closes the socket as a browser does when a person closes the tab. `dies`: without a close frame. */
	close(dies?: boolean): void;
}

type Role = LinkFrame & { readonly kind: 'role' };

export async function openPage(url: string, holds = false, search = ''): Promise<FakePage> {
	const token = await pageToken(`${url}/${search}`);
	const socket = new WebSocket(socketUrl(url), { origin: url });
	const roles: Role[] = [];
	const listeners = new Set<() => void>();
	const declines = Promise.withResolvers<string>();
	let answers = true;
	const sendFrame = (frame: LinkFrame): void => socket.send(encodeFrames([frame]), { binary: true });
	socket.on('open', () => sendFrame({ kind: 'page', version: LINK_VERSION, token, holds }));
	socket.on('error', () => {});
	socket.on('message', (data: Buffer) => {
		for (const frame of decodeFrames(data)) {
			if (frame.kind === 'ping' && answers) sendFrame({ kind: 'pong' });
			if (frame.kind === 'replaced' && answers) socket.close(1000);
			if (frame.kind === 'declined') declines.resolve(frame.why);
			if (frame.kind !== 'role') continue;
			roles.push(frame);
			for (const listener of listeners) listener();
		}
	});
	const page: FakePage = {
		roles,
		role: () => roles.at(-1),
		until: (role) =>
			new Promise((resolve) => {
				const listener = (): void => {
					const last = roles.at(-1);
					if (last?.role !== role) return;
					listeners.delete(listener);
					resolve(last);
				};
				listeners.add(listener);
				listener();
			}),
		claim: () => sendFrame({ kind: 'claim' }),
		declined: declines.promise,
		send: (bytes) => socket.send(bytes, { binary: true }),
		mute() {
			answers = false;
		},
		closed: new Promise((resolve) => socket.once('close', () => resolve())),
		// A browser closes with code 1001. A process that dies sends nothing.
		close: (dies = false) => (dies ? socket.terminate() : socket.close(1001)),
	};
	await new Promise<void>((resolve, reject) => {
		listeners.add(resolve);
		socket.once('close', () => reject(new Error('The relay refused the page.')));
	});
	return page;
}

/** Returns a response with status 200 and this text. */
export function text(body: string): WireResponse {
	return { status: 200, headers: { 'content-type': 'text/plain' }, body: new TextEncoder().encode(body) };
}
