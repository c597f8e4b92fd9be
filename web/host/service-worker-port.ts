/**
 * The page's side of the service worker: registers it, and gives it ports to the engine that this page holds.
 * Owns: the registration and the handshake. Never: carries a call itself; those go from worker to engine.
 */

import {
	PORT_VERSION,
	type PortChanged,
	type PortReply,
	type PortRequest,
} from '../../shared/transport/port-request.ts';

export interface ServiceWorkerOptions {
	/**
	 * Returns a fresh port connected to the engine's Worker and the lock of its life, or undefined while this page
	 * does not hold the engine.
	 */
	readonly port: () => Promise<{ readonly port: MessagePort; readonly life: string } | undefined>;
	/** The script; `sw.js` beside the page unless given. */
	readonly script?: string;
}

export interface ServiceWorkerPort {
	/** Resolves once the worker answers for this page's calls; rejects when the browser has none or refuses it. */
	readonly ready: Promise<void>;
	/** This page has just become the engine's, or is no longer: the worker asks again. */
	changed(): void;
	/** Has the worker keep the page, so that it opens without its server. */
	keepPage(): void;
	close(): void;
}

/** Registers the service worker and answers its requests for a port. */
export function serveServiceWorker(options: ServiceWorkerOptions): ServiceWorkerPort {
	const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
	if (workers === undefined) {
		const why = 'This browser offers no service worker here (it needs https or localhost).';
		const ready = Promise.reject(new Error(why));
		// The caller may not care; an unheard rejection must not count as a fault.
		ready.catch(() => {});
		return { ready, changed: () => {}, keepPage: () => {}, close: () => {} };
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
	// Messages wait until this is called, and the page may not have finished loading.
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
	// As above: callers of `ready` get the error.
	ready.catch(() => {});
	return {
		ready,
		changed,
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
