/**
 * The page's side of the service worker. It registers the worker, and gives it ports to the engine of this page.
 * Owns: the registration and the handshake.
 * Never: passes on a call; calls go from the worker to the engine.
 */

import {
	PORT_VERSION,
	type PortChanged,
	type PortReply,
	type PortRequest,
} from '../../shared/transport/port-request.ts';

export interface ServiceWorkerOptions {
	/** Returns a new port to the engine's Worker, and the name of its lock; undefined while this page has no engine. */
	readonly port: () => Promise<{ readonly port: MessagePort; readonly life: string } | undefined>;
	/** Address of the script; `sw.js` beside the page if omitted. */
	readonly script?: string;
}

export interface ServiceWorkerPort {
	/** Resolves once the worker answers this page's calls. Rejects if the browser has no service workers or refuses this one. */
	readonly ready: Promise<void>;
	/** Reports that this page got or lost the engine, so that the worker requests a port again. */
	reportChange(): void;
	/** Makes the worker store the page, so that it opens without its server. */
	keepPage(): void;
	close(): void;
}

/** Registers the service worker and answers its requests for a port. */
export function serveServiceWorker(options: ServiceWorkerOptions): ServiceWorkerPort {
	const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
	if (workers === undefined) {
		const why = 'This browser offers no service worker here (it needs https or localhost).';
		const ready = Promise.reject(new Error(why));
		// Without a handler of the caller, the rejection must not count as unhandled.
		ready.catch(() => {});
		return { ready, reportChange: () => {}, keepPage: () => {}, close: () => {} };
	}
	const answer = async (event: MessageEvent): Promise<void> => {
		const request = event.data as Partial<PortRequest> | null;
		const reply = event.ports[0];
		if (request?.orrery !== 'port-wanted' || reply === undefined) return;
		if (request.version !== PORT_VERSION) {
			reply.postMessage({ orrery: 'other-version', version: PORT_VERSION } satisfies PortReply);
			void workers.getRegistration().then((registration) => registration?.update());
			return;
		}
		const pagePort = await options.port();
		if (pagePort === undefined) reply.postMessage({ orrery: 'not-here' } satisfies PortReply);
		else
			reply.postMessage({ orrery: 'port', version: PORT_VERSION, ...pagePort } satisfies PortReply, [
				pagePort.port,
			]);
	};
	const changed = (): void => {
		workers.controller?.postMessage({ orrery: 'port-changed' } satisfies PortChanged);
	};
	workers.addEventListener('message', answer);
	workers.addEventListener('controllerchange', changed);
	// Messages wait for this call while the page is still loading.
	workers.startMessages();
	const ready = workers.register(options.script ?? new URL('sw.js', document.baseURI)).then(async () => {
		await workers.ready;
		if (workers.controller === null) {
			await new Promise<void>((resolve) => {
				workers.addEventListener('controllerchange', () => resolve(), { once: true });
				if (workers.controller !== null) resolve();
			});
		}
		changed();
	});
	// As above, callers of `ready` get the error.
	ready.catch(() => {});
	return {
		ready,
		reportChange: changed,
		keepPage: () => {
			void ready.then(
				() => workers.controller?.postMessage({ orrery: 'keep-page' }),
				() => {},
			);
		},
		close: () => {
			workers.removeEventListener('message', answer);
			workers.removeEventListener('controllerchange', changed);
		},
	};
}
