/**
 * Request of the service worker to a page for a port to the engine, and the page's answer.
 * Owns: those messages and their version. Never: imports anything at run time.
 */

/** Increased when these messages or the messages on the port change. */
export const PORT_VERSION = 3;

/** Service worker -> page, with one port in the transfer list for the reply. */
export interface PortRequest {
	readonly orrery: 'port-wanted';
	readonly version: number;
}

/** Page -> service worker on that port. `port` comes with a port to the engine in the transfer list. */
export type PortReply =
	/** `life`: name of a lock that is held while the engine exists. */
	| { readonly orrery: 'port'; readonly version: number; readonly port: MessagePort; readonly life: string }
	/** This page does not run the engine. */
	| { readonly orrery: 'not-here' }
	/** The worker has another version than the page. It is being replaced. */
	| { readonly orrery: 'other-version'; readonly version: number };

/** Page -> service worker: the engine has moved, so a kept port is useless. */
export interface PortChanged {
	readonly orrery: 'port-changed';
}
