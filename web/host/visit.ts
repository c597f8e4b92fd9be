/**
 * A world that is held elsewhere, as this page reaches it: over HTTP, by way of the service worker or the relay.
 * Owns: asking for frames and for the status, each at a pace that follows how long an answer takes.
 * Never: starts an engine.
 */

import { PANELS } from '../../shared/contract/principal.ts';
import { type CallHandler, IDENTITY_HEADER } from '../../shared/contract/wire.ts';
import { ANY_BYTES } from '../../shared/documents/media-type.ts';
import { ownPaths } from '../../shared/transport/own-path.ts';
import { decodeFrame, FRAME_TYPE } from '../frames/frame-bytes.ts';
import type { EngineStatus, EngineToView, GpuInfo, ViewToEngine } from '../frames/frames.ts';

/** Least milliseconds between two frames, and between two looks at the status. */
const FRAME_MS = 33;
const STATUS_MS = 250;
/** Milliseconds after which an answer that did not come is asked for again. */
const RETRY_MS = 1000;

/** Address of a call: the page may be below a path of its server. */
const addressOf = (path: string): string => `.${path}`;

const overHttp: CallHandler = async ({ method, path, query, headers, body }) => {
	const response = await fetch(addressOf(query === '' ? path : `${path}?${query}`), {
		method,
		headers,
		cache: 'no-store',
		...(body.length > 0 ? { body: body as Uint8Array<ArrayBuffer> } : {}),
	});
	return {
		status: response.status,
		headers: Object.fromEntries(response.headers),
		body: new Uint8Array(await response.arrayBuffer()),
	};
};

/** The last call of a device. */
let lastInput: Promise<unknown> = Promise.resolve();

/**
 * Sends calls as any page does, to its own server. Rejects when none answers. Requests may overtake each other on their connections,
 * so each call of a device waits for the one before it.
 */
export const fetchHandle: CallHandler = ownPaths((request) => {
	if (!request.path.startsWith('/input/')) return overHttp(request);
	const sent = lastInput.then(() => overHttp(request));
	lastInput = sent.catch(() => {});
	return sent;
});

/** Answers the view's requests for frames on a port, and says what draws. Ends when the function that it answers is called. */
export function serveFrames(port: MessagePort, onGpu: (gpu: GpuInfo) => void): () => void {
	let ended = false;
	port.onmessage = async ({ data }: MessageEvent<ViewToEngine>) => {
		if (data.type === 'gpu') onGpu(data.info);
		if (data.type === 'asset') {
			const bytes = await assetOf(data.hash);
			if (ended) return;
			const message: EngineToView = { type: 'asset', hash: data.hash, bytes };
			port.postMessage(message, bytes === null ? [] : [bytes.buffer]);
		}
		if (data.type !== 'frame') return;
		const query = new URLSearchParams({
			world: data.world,
			known: Object.entries(data.known ?? {})
				.map(([name, version]) => `${name}:${version}`)
				.join(),
			...(data.since < 0 ? {} : { since: String(data.since) }),
		});
		for (;;) {
			const asked = performance.now();
			const taken = await frameAt(`/frame?${query}`);
			if (ended) return;
			if (taken === undefined) {
				// The fork may be gone, or the world on its way to another tab.
				query.set('world', 'main');
				await pause(RETRY_MS);
				if (ended) return;
				continue;
			}
			await pause(Math.max(FRAME_MS, 2 * (performance.now() - asked)) - (performance.now() - asked));
			if (ended) return;
			const message: EngineToView = { type: 'frame', frame: taken.frame };
			port.postMessage(message, taken.buffers);
			return;
		}
	};
	return () => {
		ended = true;
		port.onmessage = null;
	};
}

/** A status, and the identity of the world that it is of. */
export interface SeenStatus {
	readonly status: Omit<EngineStatus, 'relay' | 'unkept'>;
	readonly world: string;
}

/** Asks for the status until the function that it answers is called. `undefined` when none came. */
export function watchStatus(hear: (seen: SeenStatus | undefined, ms: number) => void): () => void {
	let ended = false;
	let after = -1;
	void (async () => {
		while (!ended) {
			const asked = performance.now();
			const seen = await statusAfter(after);
			if (ended) return;
			hear(seen, performance.now() - asked);
			after = seen?.status.calls.at(-1)?.number ?? after;
			await pause(seen === undefined ? RETRY_MS : document.hidden ? RETRY_MS : STATUS_MS);
		}
	})();
	return () => {
		ended = true;
	};
}

async function frameAt(path: string) {
	try {
		const answer = await fetch(addressOf(path), { headers: { accept: FRAME_TYPE }, cache: 'no-store' });
		if (answer.headers.get('content-type') !== FRAME_TYPE) return undefined;
		return decodeFrame(new Uint8Array(await answer.arrayBuffer()));
	} catch {
		// Nothing answers at present.
		return undefined;
	}
}

/** The bytes of an asset; null where there is none, or nothing answers. */
async function assetOf(hash: string): Promise<Uint8Array<ArrayBuffer> | null> {
	try {
		const answer = await fetch(addressOf(`/asset/${hash}`), {
			headers: { accept: ANY_BYTES, 'x-agent': PANELS },
		});
		return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
	} catch {
		// Nothing answers at present.
		return null;
	}
}

async function statusAfter(after: number): Promise<SeenStatus | undefined> {
	try {
		const answer = await fetch(addressOf(`/watch?after=${after}`), { cache: 'no-store' });
		if (!answer.ok) return undefined;
		return { status: await answer.json(), world: answer.headers.get(IDENTITY_HEADER) ?? '' };
	} catch {
		// Nothing answers at present.
		return undefined;
	}
}

function pause(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
