/**
 * The engine's dedicated Worker: starts one engine and connects it to the ports that the page hands over.
 * Owns: when the page gets the engine's status.
 */

import { servePort } from '../../shared/contract/call-port.ts';
import type { Engine } from './engine.ts';
import type { EngineOptions, EngineToPage, PageToEngine } from './frames.ts';
import { type GivenWorlds, giveWorlds, takenIn } from './give-worlds.ts';
import { readPublic } from './read-public.ts';
import { readingProgress } from './reading-progress.ts';
import type { RelayTab, RelayTabOptions } from './relay-tab.ts';
import { ViewLink } from './view-link.ts';

/** Least time between two status messages (ms). */
const STATUS_MS = 100;

let started: (engine: Engine) => void;
const engine = new Promise<Engine>((resolve) => {
	started = resolve;
});
/** Undefined without a relay. */
let tab: RelayTab | undefined;
/** Called after anything that the page shows has changed. */
let changed = (): void => {};
/** Worlds on offer to another tab of this browser. */
let offered: Promise<GivenWorlds> | undefined;
/** Where the page, which is about to go, looks whether anything would be lost by that. */
let kept: Int32Array | undefined;

function postToPage(message: EngineToPage): void {
	self.postMessage(message);
}

function fail(error: unknown): void {
	postToPage({ type: 'failed', error: error instanceof Error ? error.message : String(error) });
}

/** A function that sends a status soon, and not more often than the page can use. */
function statusSender(running: Engine): () => void {
	let planned = false;
	const send = () => {
		planned = false;
		const unkept = running.journalTrouble?.message;
		postToPage({
			type: 'status',
			status: {
				...running.takeStatus(),
				relay: tab?.state ?? 'off',
				...(unkept === undefined ? {} : { unkept }),
			},
		});
	};
	return () => {
		if (planned) return;
		planned = true;
		setTimeout(send, STATUS_MS);
	};
}

/** Tells the page that the engine answers, and lets everything that waits for it begin. */
function begin(running: Engine, isKept: boolean): void {
	changed = statusSender(running);
	started(running);
	postToPage({ type: 'ready', world: running.identity, isKept });
}

/** Connects to the relay; the engine begins as that and its journal say. */
async function overRelay(
	options: EngineOptions,
	more: Pick<RelayTabOptions, 'mode' | 'url' | 'token' | 'page'> & { readonly running?: Engine },
): Promise<void> {
	const { openRelayTab } = await import('./relay-tab.ts');
	tab = openRelayTab({
		...more,
		settings: { ...options, readPublic },
		onBegun: (running) => begin(running, true),
		onChange: () => changed(),
		onReading: (next, end) => postToPage({ type: 'reading', next, end }),
		onArriving: (bytes) => postToPage({ type: 'arriving', bytes }),
		onOff: (why) => postToPage({ type: 'off', why }),
		onKept: () => {
			if (kept !== undefined) Atomics.store(kept, 0, 1);
		},
		onReplaced: () => postToPage({ type: 'replaced' }),
		onFailed: fail,
	});
}

/** Begins; with worlds of another tab of this browser at once, else with what the relay has, where there is one, or this browser. */
async function start({ options, digests, relay }: PageToEngine & { readonly type: 'start' }): Promise<void> {
	if (relay !== undefined) {
		const taken =
			options.saved === undefined ? {} : { running: await takenIn({ ...options, readPublic }, digests) };
		return overRelay(options, { ...relay, mode: 'new', ...taken });
	}
	const { beginWithOrigin } = await import('./origin-engine.ts');
	const replaying = readingProgress((next, end) => postToPage({ type: 'reading', next, end }));
	const { engine, isKept, goesOn } = await beginWithOrigin({ ...options, readPublic, replaying }, digests);
	// A tab that handed its worlds over ends, and lets go of its journal, when the page has heard of this.
	begin(engine, isKept);
	engine.onChange = changed;
	changed();
	await goesOn;
}

/** Hands out a copy of the worlds, and holds still. */
async function give(running: Engine): Promise<void> {
	if (tab?.journal) {
		const why = 'The server that stores this world cannot be reached at the moment.';
		postToPage({ type: 'given', refused: why });
		return;
	}
	const mine = giveWorlds(running);
	offered = mine;
	try {
		const { saved, digests } = await mine;
		// The other tab may have ended while this one was at work.
		if (offered === mine) postToPage({ type: 'given', saved, digests });
	} catch (error) {
		// The journal cannot have what was applied, or there is no room for a copy: the worlds go on here.
		if (offered !== mine) return;
		offered = undefined;
		postToPage({ type: 'given', refused: error instanceof Error ? error.message : String(error) });
	}
}

async function receive(message: PageToEngine): Promise<void> {
	if (message.type === 'start') return start(message);
	if (message.type === 'take') {
		return overRelay(message.options, { ...message.relay, mode: 'take' });
	}
	if (message.type === 'leave') {
		kept = message.kept;
		tab?.leave();
		return;
	}
	const running = await engine;
	switch (message.type) {
		case 'calls':
			servePort(message.port, running.handleFrom(message.door));
			return;
		case 'view':
			running.setView(new ViewLink(message.port, running, message.gpu));
			return;
		case 'give':
			return give(running);
		case 'keep': {
			const kept = offered;
			offered = undefined;
			// Who asked hears of worlds that could not be given.
			(await kept?.catch(() => undefined))?.keep();
		}
	}
}

self.onmessage = ({ data }: MessageEvent<PageToEngine>) => {
	receive(data).catch(fail);
};
