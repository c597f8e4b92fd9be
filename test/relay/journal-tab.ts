/**
 * A tab as a page's Worker connects it, with a real engine that writes to the relay's journal.
 * Owns: ending one as a kill does, and keeping frames from the relay when a test asks for it.
 */

import { WebSocket } from 'ws';
import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import { decodeFrames, encodeFrames, type LinkFrame } from '../../shared/transport/link.ts';
import type { Engine, EngineSettings } from '../../web/host/engine.ts';
import type { LinkSocket } from '../../web/host/relay-socket.ts';
import { RelayTab } from '../../web/host/relay-tab.ts';
import { type FakePage, openPage, pageToken, socketUrl } from './fake-tab.ts';

export interface JournalTab {
	readonly tab: RelayTab;
	/** Resolves when it answers; rejects when it never will. */
	readonly engine: Promise<Engine>;
	/** Resolves when another engine has its world. */
	readonly replaced: Promise<void>;
	/** Reports of its reading of the journal. */
	readonly readings: readonly (readonly [next: number, end: number])[];
	/** Cuts the present socket as a network fault does; the link comes back by itself. */
	cut(): void;
	/** From now on the tab reads nothing, as a process that is stopped; `thaw` continues it. */
	freeze(): void;
	thaw(): void;
	/** Ends it without a word. */
	kill(): void;
}

export interface JournalTabOptions {
	readonly token?: string;
	readonly settings?: EngineSettings;
	/** Draws frames of other engines; nothing draws unless given. */
	readonly draw?: (request: WireRequest, tab: RelayTab) => Promise<WireResponse>;
	/** Returns true if a frame goes out; all unless given. */
	readonly sends?: (frame: LinkFrame) => boolean;
}

export async function openJournalTab(url: string, options: JournalTabOptions = {}): Promise<JournalTab> {
	const replaced = Promise.withResolvers<void>();
	const readings: [number, number][] = [];
	let socket: WebSocket | undefined;
	let killed = false;
	// A killed tab may be storing a state, and reports that this failed.
	const report = (message: string, error: unknown) => {
		if (!killed) console.error(message, error);
	};
	const tab: RelayTab = new RelayTab({
		url: socketUrl(url),
		token: options.token ?? (await pageToken(url)),
		settings: { report, ...options.settings },
		...(options.draw === undefined ? {} : { draw: (request) => options.draw!(request, tab) }),
		freshToken: () => pageToken(url),
		open(at) {
			const opened = new WebSocket(at, { origin: url });
			socket = opened;
			const send = opened.send.bind(opened) as (data: Uint8Array) => void;
			const { sends } = options;
			if (sends !== undefined)
				opened.send = ((data: Uint8Array) => {
					const frames = decodeFrames(data).filter(sends);
					if (frames.length > 0) send(encodeFrames(frames));
				}) as typeof opened.send;
			return opened as unknown as LinkSocket;
		},
		onBegun: () => {},
		onChange: () => {},
		onReading: (next, end) => readings.push([next, end]),
		onReplaced: replaced.resolve,
		onFailed: () => {},
	});
	return {
		tab,
		engine: tab.engine,
		replaced: replaced.promise,
		readings,
		cut: () => socket?.terminate(),
		freeze: () => socket?.pause(),
		thaw: () => socket?.resume(),
		kill() {
			killed = true;
			socket?.terminate();
			tab.link.close();
			tab.engine.then(
				(engine) => engine.close(),
				() => {},
			);
		},
	};
}

/** A page with its engine: it starts one as soon as it may. */
export interface JournalPage {
	readonly page: FakePage;
	/** The engine's tab, once the page may start one. */
	readonly tab: Promise<JournalTab>;
	/** As when a person closes the tab, unless it dies. */
	close(dies?: boolean): void;
}

/** `search`: of the page's address, by which the relay knows its own browser. */
export async function openJournalPage(
	url: string,
	options: Omit<JournalTabOptions, 'token'> = {},
	search = '',
): Promise<JournalPage> {
	const page = await openPage(url, false, search);
	const tab = page.until('hold').then(({ key }) => openJournalTab(url, { ...options, token: key }));
	let opened: JournalTab | undefined;
	tab.then(
		(journalTab) => {
			opened = journalTab;
			// Its page reloads, as a browser's does.
			void journalTab.replaced.then(() => page.close());
		},
		() => {},
	);
	return {
		page,
		tab,
		close(dies) {
			opened?.kill();
			page.close(dies);
		},
	};
}
