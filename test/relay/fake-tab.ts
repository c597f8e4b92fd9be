/**
 * A tab for the relay's tests: the engine's own link code, in Node, over the `ws` client.
 * Owns: fetching a token from the page, and cutting the wire when a test asks for it.
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
	/** Resolves when the state is reached, at once if it is there. */
	until(state: RelayState): Promise<void>;
	/** Cuts the present socket as a network fault does; the link comes back by itself. */
	cut(): void;
	/** Resolves when it has said that it answers. */
	readonly loaded: Promise<void>;
	/** Returns the journal, once it was welcomed. */
	journal(): RemoteJournal;
	/** The link counts the present socket as dead and comes back over another, and the relay has heard nothing of it. */
	stall(): void;
	/** From now on the tab reads nothing, as a Worker that computes. */
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
 * Returns a tab that answers with `handle`, and what else a test gives its link. Resolves when its socket was opened
 * first.
 */
export async function startTab(
	url: string,
	handle: CallHandler,
	more: Partial<RelayLinkOptions> = {},
): Promise<FakeTab> {
	const states: RelayState[] = [];
	const waiting = new Map<RelayState, (() => void)[]>();
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
			journal = new RemoteJournal(link.line, welcome.durable);
			journal.acquire().then(
				() => {
					link.loaded();
					loaded.resolve();
				},
				() => {},
			);
		},
		...more,
		freshToken: () => pageToken(url),
		open: (at) => {
			socket = new WebSocket(at, { origin: url });
			return socket as unknown as LinkSocket;
		},
		onState: (state) => {
			states.push(state);
			for (const resolve of waiting.get(state) ?? []) resolve();
			waiting.delete(state);
		},
	});
	const until = (state: RelayState): Promise<void> =>
		states.at(-1) === state
			? Promise.resolve()
			: new Promise((resolve) => waiting.set(state, [...(waiting.get(state) ?? []), resolve]));
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

/** A page's own socket, as its main thread has it: it says that it lives, and hears what the page is. */
export interface FakePage {
	readonly roles: readonly Role[];
	/** Returns the newest role. */
	role(): Role | undefined;
	/** Resolves when the page was last told this role. */
	until(role: Role['role']): Promise<Role>;
	/** Claims the world for the page. */
	claim(): void;
	/** Reason that its first claim was declined. */
	readonly declined: Promise<string>;
	/** Sends a message of these bytes. */
	send(bytes: Uint8Array): void;
	/** From now on it answers no ping, and does nothing of what it is told. */
	mute(): void;
	/** Resolves when its socket is closed, on either side. */
	readonly closed: Promise<void>;
	/** As when a person closes the tab, unless it dies. */
	close(dies?: boolean): void;
}

type Role = LinkFrame & { readonly kind: 'role' };

export async function openPage(url: string, holds = false, search = ''): Promise<FakePage> {
	const token = await pageToken(`${url}/${search}`);
	const socket = new WebSocket(socketUrl(url), { origin: url });
	const roles: Role[] = [];
	const looks = new Set<() => void>();
	const declines = Promise.withResolvers<string>();
	let answers = true;
	const say = (frame: LinkFrame): void => socket.send(encodeFrames([frame]), { binary: true });
	socket.on('open', () => say({ kind: 'page', version: LINK_VERSION, token, holds }));
	socket.on('error', () => {});
	socket.on('message', (data: Buffer) => {
		for (const frame of decodeFrames(data)) {
			if (frame.kind === 'ping' && answers) say({ kind: 'pong' });
			if (frame.kind === 'replaced' && answers) socket.close(1000);
			if (frame.kind === 'declined') declines.resolve(frame.why);
			if (frame.kind !== 'role') continue;
			roles.push(frame);
			for (const look of looks) look();
		}
	});
	const page: FakePage = {
		roles,
		role: () => roles.at(-1),
		until: (role) =>
			new Promise((resolve) => {
				const look = (): void => {
					const last = roles.at(-1);
					if (last?.role !== role) return;
					looks.delete(look);
					resolve(last);
				};
				looks.add(look);
				look();
			}),
		claim: () => say({ kind: 'claim' }),
		declined: declines.promise,
		send: (bytes) => socket.send(bytes, { binary: true }),
		mute() {
			answers = false;
		},
		closed: new Promise((resolve) => socket.once('close', () => resolve())),
		// A browser says 1001 when a page goes; a process that dies says nothing.
		close: (dies = false) => (dies ? socket.terminate() : socket.close(1001)),
	};
	await new Promise<void>((resolve, reject) => {
		looks.add(resolve);
		socket.once('close', () => reject(new Error('The page was not let in.')));
	});
	return page;
}

/** Returns a 200 with this text. */
export function text(body: string): WireResponse {
	return { status: 200, headers: { 'content-type': 'text/plain' }, body: new TextEncoder().encode(body) };
}
