/**
 * The engine's dedicated Worker: starts one engine and connects it to the ports that the page hands over.
 * Owns: when the page is told what is going on.
 */

import { servePort } from './call-port.ts';
import { createEngine, type Engine } from './engine.ts';
import type { EngineStatus, EngineToPage, PageToEngine } from './frames.ts';
import { originFiles } from './origin-files.ts';
import { linkRelay } from './relay-link.ts';
import { saveWorlds } from './saved-worlds.ts';
import { ViewLink } from './view-link.ts';

/** Least time between two status messages (ms). */
const STATUS_MS = 100;

let started: (engine: Engine) => void;
const engine = new Promise<Engine>((resolve) => {
	started = resolve;
});
let relay: EngineStatus['relay'] = 'off';
let closeLink = (): void => {};

function tell(message: EngineToPage): void {
	self.postMessage(message);
}

function fail(error: unknown): void {
	tell({ type: 'failed', error: error instanceof Error ? error.message : String(error) });
}

/** A function that sends a status soon, and not more often than the page can use. */
function statusSender(running: Engine): () => void {
	let planned = false;
	const send = () => {
		planned = false;
		tell({ type: 'status', status: { ...running.takeStatus(), relay } });
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

async function receive(message: PageToEngine): Promise<void> {
	if (message.type === 'start') {
		const running = await createEngine({ ...message.options, files: originFiles(), readPublic });
		running.onChange = statusSender(running);
		started(running);
		tell({ type: 'ready' });
		running.onChange();
		return;
	}
	const running = await engine;
	switch (message.type) {
		case 'calls':
			servePort(message.port, running.handleFrom(message.door));
			return;
		case 'view':
			running.setView(new ViewLink(message.port, running.worlds));
			return;
		case 'relay': {
			const link = linkRelay({
				url: message.url,
				token: message.token,
				handle: running.handleFrom('relay'),
				onState(state) {
					relay = state;
					running.onChange();
				},
			});
			running.setFiles(link.files);
			closeLink = () => link.close();
			return;
		}
		case 'let-go': {
			closeLink();
			running.close();
			tell({ type: 'saved', saved: saveWorlds(running.worlds, running.identity) });
		}
	}
}

self.onmessage = ({ data }: MessageEvent<PageToEngine>) => {
	receive(data).catch(fail);
};
