/**
 * The worker thread that runs engines in Node: each connects to the relay as the engine of a tab does, over ports instead of sockets.
 * Owns: starting an engine when its page is told to, and ending it in order.
 */

import { MessageChannel, parentPort } from 'node:worker_threads';
import type { LinkSocket } from '../../web/host/relay-socket.ts';
import { RelayTab } from '../../web/host/relay-tab.ts';
import { RemoteView } from '../../web/host/remote-view.ts';
import { DataFiles } from '../data-files.ts';
import { PUBLIC } from '../folders.ts';
import type { FromThread, ThreadSettings, ToThread } from './engine-worker.ts';
import { poolThreads } from './pool-threads.ts';
import { PortSocket } from './port-socket.ts';

const parent = parentPort!;

/** Files that come with the program. */
const shipped = new DataFiles(PUBLIC);

async function readPublic(path: string): Promise<Uint8Array | null> {
	const { outcome, bytes } = await shipped.read(path);
	return outcome === 'done' ? bytes : null;
}

function say(message: FromThread): void {
	parent.postMessage(message, 'port' in message ? [message.port] : []);
}

/** Opens a connection for an engine: the relay gets the other port. */
function open(engine: number): LinkSocket {
	const { port1, port2 } = new MessageChannel();
	const end = new PortSocket(port1);
	const socket: LinkSocket = {
		binaryType: 'arraybuffer',
		get readyState() {
			return end.readyState;
		},
		onopen: null,
		onclose: null,
		onerror: null,
		onmessage: null,
		send: (bytes) => end.send(bytes),
		close: (code = 1000) => end.close(code),
	};
	end.on('message', (data: ArrayBuffer) => socket.onmessage?.({ data }));
	end.on('close', (code: number) => socket.onclose?.({ code }));
	say({ engine, port: port2 });
	queueMicrotask(() => socket.onopen?.(undefined as never));
	return socket;
}

const tabs = new Map<number, RelayTab>();

function begin(engine: number, token: string, { name, hasPool, ...settings }: ThreadSettings): void {
	const tab = new RelayTab({
		url: '',
		token,
		open: () => open(engine),
		// The key of its page, which ends only with this engine.
		freshToken: async () => token,
		settings: {
			...settings,
			readPublic,
			...(hasPool === true ? { pool: poolThreads(settings.cluster) } : {}),
		},
		onBegun: (running) => {
			if (name !== undefined) running.setView(new RemoteView(name, running, tab.link.relayServices));
		},
		onChange: () => {},
		onReplaced: () => say({ engine, is: 'replaced' }),
		// The relay heard the reason, and reports it.
		onFailed: () => {},
	});
	tabs.set(engine, tab);
}

/** Ends an engine when everything that was applied is in the journal, with a state from which the next start is quick. */
async function end(engine: number): Promise<void> {
	try {
		await (await tabs.get(engine)?.engine)?.release();
	} finally {
		say({ engine, is: 'ended' });
	}
}

/** Frees what an engine has here. The engine may be at work, and may never end by itself. */
function drop(engine: number): void {
	const tab = tabs.get(engine);
	tabs.delete(engine);
	tab?.link.close();
	// An engine that did not start has nothing, and its journal may be out of reach.
	tab?.engine.then((running) => running.close().finally(() => running.worlds.dispose())).catch(() => {});
}

parent.on('message', (message: ToThread) => {
	if (message.do === 'begin') begin(message.engine, message.token, message.settings);
	// A failed release loses nothing: the next engine continues from the journal.
	else if (message.do === 'end') end(message.engine).catch(() => {});
	else drop(message.engine);
});
