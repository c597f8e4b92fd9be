/**
 * The worker thread that runs the engine in Node: it connects to the relay as the engine of a tab does, over ports instead of sockets.
 * Owns: starting that engine when its page is told to, and ending it in order.
 */

import { MessageChannel, parentPort, workerData } from 'node:worker_threads';
import type { LinkSocket } from '../../web/host/relay-socket.ts';
import { RelayTab } from '../../web/host/relay-tab.ts';
import { DataFiles } from '../data-files.ts';
import { PUBLIC } from '../folders.ts';
import type { ThreadSettings, ToThread } from './engine-thread.ts';
import { poolThreads } from './pool-threads.ts';
import { PortSocket } from './port-socket.ts';

const settings = workerData as ThreadSettings;
const parent = parentPort!;

/** Files that come with the program. */
const shipped = new DataFiles(PUBLIC);

async function readPublic(path: string): Promise<Uint8Array | null> {
	const { outcome, bytes } = await shipped.read(path);
	return outcome === 'done' ? bytes : null;
}

/** Opens a connection: the relay gets the other port. */
function open(): LinkSocket {
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
	parent.postMessage(port2, [port2]);
	queueMicrotask(() => socket.onopen?.(undefined as never));
	return socket;
}

let tab: RelayTab | undefined;

function begin(token: string): void {
	tab = new RelayTab({
		url: '',
		token,
		open,
		// The key of its page, which ends only with this thread.
		freshToken: async () => token,
		settings: { ...settings, readPublic, pool: poolThreads() },
		onBegun: () => {},
		onChange: () => {},
		onReplaced: () => parent.postMessage('replaced'),
		// The relay heard the reason, and reports it.
		onFailed: () => {},
	});
}

/** Ends when everything that was applied is in the journal, with a state from which the next start is quick. */
async function end(): Promise<void> {
	try {
		await (await tab?.engine)?.release();
	} finally {
		process.exit(0);
	}
}

parent.on('message', (message: ToThread) => {
	if (message === 'end') void end();
	else begin(message.token);
});
