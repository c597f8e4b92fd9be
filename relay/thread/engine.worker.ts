/**
 * Worker thread that runs engines in Node. Each connects to the relay like the engine of a tab, over a port instead of a
 * socket.
 * Owns: the start of an engine, and its end in order.
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

function post(message: FromThread): void {
	parent.postMessage(message, 'port' in message ? [message.port] : []);
}

/** Opens a connection for an engine. The relay gets the other port. */
function openSocket(engine: number): LinkSocket {
	const { port1, port2 } = new MessageChannel();
	const port = new PortSocket(port1);
	const socket: LinkSocket = {
		binaryType: 'arraybuffer',
		get readyState() {
			return port.readyState;
		},
		onopen: null,
		onclose: null,
		onerror: null,
		onmessage: null,
		send: (bytes) => port.send(bytes),
		close: (code = 1000) => port.close(code),
	};
	port.on('message', (data: ArrayBuffer) => socket.onmessage?.({ data }));
	port.on('close', (code: number) => socket.onclose?.({ code }));
	post({ engine, port: port2 });
	queueMicrotask(() => socket.onopen?.(undefined as never));
	return socket;
}

const tabs = new Map<number, RelayTab>();

function start(engine: number, token: string, { name, hasPool, ...settings }: ThreadSettings): void {
	const tab = new RelayTab({
		url: '',
		token,
		open: () => openSocket(engine),
		// The token is the key of its page, which stays valid as long as this engine.
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
		onReplaced: () => post({ engine, state: 'replaced' }),
		// The relay has received the reason, and reports it.
		onFailed: () => {},
	});
	tabs.set(engine, tab);
}

/** Ends an engine after all its changes are in the journal. It stores a state, so that the next start is quick. */
async function end(engine: number): Promise<void> {
	try {
		await (await tabs.get(engine)?.engine)?.release();
	} finally {
		post({ engine, state: 'ended' });
	}
}

/** Drops an engine and frees its memory. The engine may still run, and may never end by itself. */
function drop(engine: number): void {
	const tab = tabs.get(engine);
	tabs.delete(engine);
	tab?.link.close();
	// If the engine did not start, there is nothing to free.
	tab?.engine.then((running) => running.close().finally(() => running.worlds.dispose())).catch(() => {});
}

parent.on('message', (message: ToThread) => {
	if (message.action === 'start') start(message.engine, message.token, message.settings);
	// A failed release loses nothing, because the next engine continues from the journal.
	else if (message.action === 'end') end(message.engine).catch(() => {});
	else drop(message.engine);
});
