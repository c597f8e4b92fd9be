/**
 * Request of the service worker to a page for a port to the engine, and the page's answer.
 * Owns: those messages and their version. Never: imports anything at run time.
 */

/** Rises when the messages change, or what passes on the port. */
export const PORT_VERSION = 3;

/** Service worker -> page, with one port in the transfer list for the reply. */
export interface PortWanted {
	readonly orrery: 'port-wanted';
	readonly version: number;
}

/** Page -> service worker on that port. `port` comes with a port to the engine in the transfer list. */
export type PortReply =
	/** `life`: name of a lock that is held as long as the engine is there. */
	| { readonly orrery: 'port'; readonly version: number; readonly port: MessagePort; readonly life: string }
	/** This page does not hold the engine. */
	| { readonly orrery: 'not-here' }
	/** The worker is of another version than the page; it is being replaced. */
	| { readonly orrery: 'other-version'; readonly version: number };

/** Page -> service worker: the engine is somewhere else now; a kept port is of no use. */
export interface PortChanged {
	readonly orrery: 'port-changed';
}
