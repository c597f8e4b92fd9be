/**
 * A tab as a page's Worker connects it, with a real engine that writes to the relay's journal.
 * Owns: ending one as a kill does, and keeping frames from the relay when a test asks for it.
 */

import { WebSocket } from 'ws';
import { decodeFrames, encodeFrames, type LinkFrame } from '../../shared/contract/link.ts';
import type { Engine, EngineSettings } from '../../web/host/engine.ts';
import type { LinkSocket } from '../../web/host/relay-link.ts';
import { openRelayTab, type RelayTab } from '../../web/host/relay-tab.ts';
import { pageToken, socketUrl } from './fake-tab.ts';

export interface JournalTab {
	readonly tab: RelayTab;
	/** Resolves when it answers; rejects when it never will. */
	readonly engine: Promise<Engine>;
	/** Resolves when another engine has its worlds. */
	readonly replaced: Promise<void>;
	/** Why nothing was handed over. */
	readonly off: Promise<string>;
	/** What it told of its reading of the journal. */
	readonly readings: readonly (readonly [next: number, end: number])[];
	/** How often it said that nothing would be lost by its going. */
	readonly kept: () => number;
	/** Ends it without a word. */
	kill(): void;
}

export interface JournalTabOptions {
	readonly mode?: 'new' | 'take';
	readonly token?: string;
	readonly settings?: EngineSettings;
	/** Whether a frame goes out; all unless given. */
	readonly sends?: (frame: LinkFrame) => boolean;
}

export async function openJournalTab(url: string, options: JournalTabOptions = {}): Promise<JournalTab> {
	const replaced = Promise.withResolvers<void>();
	const off = Promise.withResolvers<string>();
	let kept = 0;
	const readings: [number, number][] = [];
	let socket: WebSocket | undefined;
	let killed = false;
	// A killed tab may be storing a state, and reports that this failed.
	const report = (message: string, error: unknown) => {
		if (!killed) console.error(message, error);
	};
	const tab = openRelayTab({
		url: socketUrl(url),
		token: options.token ?? (await pageToken(url)),
		mode: options.mode ?? 'new',
		settings: { report, ...options.settings },
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
		onOff: off.resolve,
		onKept: () => {
			kept++;
		},
		onReplaced: replaced.resolve,
		onFailed: () => {},
	});
	return {
		tab,
		engine: tab.engine,
		replaced: replaced.promise,
		off: off.promise,
		kept: () => kept,
		readings,
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
