/**
 * A tab for the relay's tests: the engine's own link code, in Node, over the `ws` client.
 * Owns: fetching a token from the page, and cutting the wire when a test asks for it.
 */

import { WebSocket } from 'ws';
import { LINK_PATH } from '../../shared/contract/link.ts';
import type { CallHandler, WireResponse } from '../../shared/contract/wire.ts';
import { type LinkSocket, linkRelay, type RelayLink, type RelayState } from '../../web/host/relay-link.ts';

export interface FakeTab {
	readonly link: RelayLink;
	readonly states: readonly RelayState[];
	/** Resolves when the state is reached, at once if it is there. */
	until(state: RelayState): Promise<void>;
	/** Cuts the present socket as a network fault does; the link comes back by itself. */
	cut(): void;
	close(): void;
}

/** The one-time token in the page that the relay serves. */
export async function pageToken(url: string): Promise<string> {
	const page = await fetch(url, { headers: { accept: 'text/html' } });
	const token = /<meta name="orrery-relay" content="([^"]+)"/.exec(await page.text())?.[1];
	if (token === undefined) throw new Error('The page has no token.');
	return token;
}

export function socketUrl(url: string): string {
	return `${url.replace('http', 'ws')}${LINK_PATH}`;
}

/** Connects a tab that answers with `handle`, and waits until it is the engine. */
export async function openTab(url: string, handle: CallHandler): Promise<FakeTab> {
	const states: RelayState[] = [];
	const waiting = new Map<RelayState, (() => void)[]>();
	let socket: WebSocket | undefined;
	const link = linkRelay({
		url: socketUrl(url),
		token: await pageToken(url),
		handle,
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
	await until('ready');
	return { link, states, until, cut: () => socket?.terminate(), close: () => link.close() };
}

/** A 200 with this text. */
export function text(body: string): WireResponse {
	return { status: 200, headers: { 'content-type': 'text/plain' }, body: new TextEncoder().encode(body) };
}
