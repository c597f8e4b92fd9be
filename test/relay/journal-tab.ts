/**
 * A tab with a real engine that writes to the relay's journal, connected as by a page's Worker.
 * Owns: ending a tab as a kill does, and dropping its frames when a test requests it.
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
	/** Resolves when the engine answers calls. Rejects if it cannot start. */
	readonly engine: Promise<Engine>;
	/** Resolves when another engine has the tab's world. */
	readonly replaced: Promise<void>;
	/** Reports of the tab's progress in reading the journal. */
	readonly readings: readonly (readonly [next: number, end: number])[];
	/** Cuts the current socket as a network fault does. The link reconnects. */
	cut(): void;
	/** Stops reading, like a stopped process. `thaw` continues it. */
	freeze(): void;
	thaw(): void;
	/** Ends the tab without a message to the relay. */
	kill(): void;
}

export interface JournalTabOptions {
	readonly token?: string;
	readonly settings?: EngineSettings;
	/** Draws frames of other engines. Default: none are drawn. */
	readonly draw?: (request: WireRequest, tab: RelayTab) => Promise<WireResponse>;
	/** Returns false for a frame that is dropped. Default: none are dropped. */
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

/** A page that starts its engine as soon as the relay permits it. */
export interface JournalPage {
	readonly page: FakePage;
	/** The engine's tab, once the page may start one. */
	readonly tab: Promise<JournalTab>;
	/** Closes the page as a person does. `dies`: ends it like a process that dies. */
	close(dies?: boolean): void;
}

/** Opens a page. `search` is the query of its address, by which the relay recognizes its own browser. */
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
			// A browser's page reloads here.
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
