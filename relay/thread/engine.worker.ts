/**
 * The worker thread that runs the engine in Node: it connects to the relay as the engine of a tab does, over ports instead of sockets.
 * Owns: starting that engine when its page is told to, and ending it in order.
 */

import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { LinkSocket } from '../../web/host/relay-link.ts';
import { openRelayTab, type RelayTab } from '../../web/host/relay-tab.ts';
import { DataFiles } from '../data-files.ts';
import type { ThreadSettings, ToThread } from './engine-thread.ts';

const settings = workerData as ThreadSettings;
const parent = parentPort!;
const OPEN = 1;
const CLOSED = 3;

/** Files that come with the program. */
const shipped = new DataFiles(join(import.meta.dirname, '../../public'));

async function readPublic(path: string): Promise<Uint8Array | null> {
	const { outcome, bytes } = await shipped.read(path);
	return outcome === 'done' ? bytes : null;
}

/** Opens a connection: the relay gets the other port. */
function open(): LinkSocket {
	const { port1: port, port2 } = new MessageChannel();
	let readyState = OPEN;
	const closed = (code: number): void => {
		if (readyState === CLOSED) return;
		readyState = CLOSED;
		port.close();
		socket.onclose?.({ code });
	};
	const socket: LinkSocket = {
		binaryType: 'arraybuffer',
		get readyState() {
			return readyState;
		},
		onopen: null,
		onclose: null,
		onerror: null,
		onmessage: null,
		send: (bytes) => port.postMessage(bytes.buffer, [bytes.buffer]),
		close(code = 1000) {
			if (readyState === OPEN) port.postMessage(code);
			closed(code);
		},
	};
	port.onmessage = ({ data }: MessageEvent<ArrayBuffer | number>) => {
		if (typeof data === 'number') closed(data);
		else socket.onmessage?.({ data });
	};
	parent.postMessage(port2, [port2]);
	queueMicrotask(() => socket.onopen?.(undefined as never));
	return socket;
}

let tab: RelayTab | undefined;

function begin(token: string): void {
	tab = openRelayTab({
		url: '',
		token,
		mode: 'new',
		open,
		// The key of its page, which ends only with this thread.
		freshToken: async () => token,
		settings: { ...settings, readPublic },
		onBegun: () => {},
		onChange: () => {},
		onReplaced: () => parent.postMessage('replaced'),
		// The relay heard the reason, and reports it.
		onFailed: () => {},
	});
}

/** Has everything written down that was applied, and ends. */
async function end(): Promise<void> {
	try {
		await (await tab?.engine)?.close();
	} finally {
		process.exit(0);
	}
}

parent.on('message', (message: ToThread) => {
	if (message === 'end') void end();
	else begin(message.token);
});
