/**
 * Types of the part of a service worker's global scope that this worker uses.
 * Owns: these types. The compiler's types for service workers conflict with its types for pages.
 */

interface WaitingEvent extends Event {
	waitUntil(promise: Promise<unknown>): void;
}

export interface FetchEventLike extends Event {
	readonly request: Request;
	respondWith(response: Promise<Response>): void;
}

export type ClientList = readonly {
	postMessage(message: unknown, transfer: Transferable[]): void;
}[];

export interface WorkerScope {
	readonly location: Location;
	readonly navigator: Navigator;
	readonly clients: {
		matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<ClientList>;
		claim(): Promise<void>;
	};
	skipWaiting(): Promise<void>;
	addEventListener(type: 'install' | 'activate', listener: (event: WaitingEvent) => void): void;
	addEventListener(type: 'fetch', listener: (event: FetchEventLike) => void): void;
	addEventListener(type: 'message', listener: (event: MessageEvent & WaitingEvent) => void): void;
}
