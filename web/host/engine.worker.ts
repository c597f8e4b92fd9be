/**
 * The engine's dedicated Worker: starts one engine and connects it to the ports that the page hands over.
 * Owns: when the page is told what is going on.
 */

import { servePort } from '../../shared/contract/call-port.ts';
import { createEngine, type Engine } from './engine.ts';
import type { EngineOptions, EngineStatus, EngineToPage, PageToEngine } from './frames.ts';
import { digestsOf, type GivenWorlds, giveWorlds } from './give-worlds.ts';
import { originFiles } from './origin-files.ts';
import { linkRelay, type RelayLink, type RelayLinkOptions } from './relay-link.ts';
import { decodeSaved } from './saved-bytes.ts';
import { ViewLink } from './view-link.ts';

/** Least time between two status messages (ms). */
const STATUS_MS = 100;

let started: (engine: Engine) => void;
const engine = new Promise<Engine>((resolve) => {
	started = resolve;
});
let relay: EngineStatus['relay'] = 'off';
let link: RelayLink | undefined;
/** Worlds on offer to another tab of this browser. */
let offered: Promise<GivenWorlds> | undefined;
/** Where the page, which is about to go, looks whether the relay has the worlds. */
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
		postToPage({ type: 'status', status: { ...running.takeStatus(), relay } });
	};
	return () => {
		if (planned) return;
		planned = true;
		setTimeout(send, STATUS_MS);
	};
}

/** A file that the page's own server has. A page in its place means that it has none. */
async function readPublic(path: string): Promise<Uint8Array | null> {
	const response = await fetch(new URL(`/${path}`, self.location.origin));
	const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
	return response.ok && !isPage ? new Uint8Array(await response.arrayBuffer()) : null;
}

/** Tells the page that the engine answers, and lets everything that waits for it begin. */
function begin(running: Engine): void {
	running.onChange = statusSender(running);
	started(running);
	postToPage({ type: 'ready', world: running.identity });
	running.onChange();
}

/** Connects a running engine to the relay. */
function connect(running: Engine, more: Pick<RelayLinkOptions, 'url' | 'token'>): void {
	link = linkRelay({
		...more,
		handle: running.handleFrom('relay'),
		world: () => running.identity,
		give: () => giveWorlds(running),
		onKept: tellKept,
		onLastWorld: (last) => running.setLastWorld(last),
		onReplaced: () => postToPage({ type: 'replaced' }),
		onState(state) {
			relay = state;
			running.onChange();
		},
	});
	running.setFiles(link.files);
}

function tellKept(): void {
	if (kept !== undefined) Atomics.store(kept, 0, 1);
}

/** Has the worlds handed over, and begins when they are this tab's own. */
function take(options: EngineOptions, url: string, token: string): void {
	let running: Engine | undefined;
	let begun = false;
	let own = (): void => {};
	const mine = linkRelay({
		url,
		token,
		mode: 'take',
		handle: async (request) => (running ?? (await engine)).handleFrom('relay')(request),
		world: () => running?.identity ?? '',
		async take(bytes, identity) {
			const taken = await createEngine({
				...options,
				saved: { ...decodeSaved(bytes), identity },
				files: mine.files,
				readPublic,
			});
			// Until it is known that the other tab let go, nothing changes here.
			void taken.alone(
				() =>
					new Promise<void>((resolve) => {
						own = resolve;
					}),
			);
			running = taken;
			return digestsOf(taken.worlds);
		},
		give: async () => giveWorlds(running ?? (await engine)),
		onKept: tellKept,
		onArriving: (bytes) => postToPage({ type: 'arriving', bytes }),
		onOff: (why) => postToPage({ type: 'off', why }),
		onLastWorld: (last) => running?.setLastWorld(last),
		onReplaced: () => postToPage({ type: 'replaced' }),
		onState(state) {
			relay = state;
			if (running === undefined) return;
			if (state === 'ready' && !begun) {
				begun = true;
				own();
				begin(running);
			} else running.onChange();
		},
	});
	link = mine;
}

async function receive(message: PageToEngine): Promise<void> {
	if (message.type === 'start') {
		const running = await createEngine({ ...message.options, files: originFiles(), readPublic });
		if (message.digests !== undefined && message.digests !== digestsOf(running.worlds))
			throw new Error('The worlds that arrived are not equal to those that were sent.');
		begin(running);
		return;
	}
	if (message.type === 'take') {
		take(message.options, message.url, message.token);
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
		case 'relay':
			connect(running, message);
			return;
		case 'leave':
			kept = message.kept;
			running.cancelCalls();
			link?.leave();
			return;
		case 'give': {
			const mine = giveWorlds(running);
			offered = mine;
			const { saved, digests } = await mine;
			// The other tab may have ended while this one was at work.
			if (offered === mine) postToPage({ type: 'given', saved, digests });
			return;
		}
		case 'keep': {
			const kept = offered;
			offered = undefined;
			(await kept)?.keep();
		}
	}
}

self.onmessage = ({ data }: MessageEvent<PageToEngine>) => {
	receive(data).catch(fail);
};
