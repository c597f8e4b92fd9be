/**
 * Request and answer of a call, in the same form for every transport.
 * Owns: this form. Never: parses a body; imports anything.
 */

/** Received call. Names of headers are in lower case, and the body is undecoded. */
export interface WireRequest {
	readonly method: string;
	/** Path as sent: percent-encoded, starting with `/`, without the query. */
	readonly path: string;
	/** Query string without the `?`; empty if there is none. */
	readonly query: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
}

/** Answer to a call. Names of headers are in lower case. */
export interface WireResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
}

/** Transport of a call. `process`: in this process. `page`: the page itself. `worker`: the service worker. */
export type Transport = 'process' | 'page' | 'worker' | 'relay';

/** The part of an `AbortSignal` that reports that the answer is no longer needed. */
export interface CallSignal {
	readonly aborted: boolean;
	addEventListener(type: 'abort', listener: () => void): void;
	removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Function that answers calls: the engine, a port to it, or the relay's link to a tab. The caller aborts the signal if it
 * no longer needs the answer. The call then ends after the current tick or request.
 */
export type CallHandler = (request: WireRequest, signal?: CallSignal) => Promise<WireResponse>;

/** Maximum bytes of a body (2 MiB), except for documents. The engine checks it. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;

/**
 * Maximum bytes of a document (64 MiB): a body with a whole world, an answer, or a file. The limit is the same for reads
 * and writes, so every written file can be read.
 */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** Maximum nesting of lists and objects in a body, except for documents. */
export const MAX_DEPTH = 200;
/** Maximum nesting in a document. It is larger, because documents contain the bodies of earlier calls a few levels deeper. */
export const MAX_DOCUMENT_DEPTH = 250;

/** Header with the identity of the world. Every answer has it, and a call that has it is refused for any other world. */
export const IDENTITY_HEADER = 'x-orrery-world';

/** Header with the version of the list of agents. The relay adds it to each call on a server with sign-in. */
export const RIGHTS_HEADER = 'x-orrery-rights';

/** Header of an answer: number of the call's journal entry. The relay passes the answer on after the entry is stored. */
export const ENTRY_HEADER = 'x-orrery-entry';

/** Header of a request, which the link adds: key of the call for the transport. By it, an engine that loads a journal finds calls that were applied. */
export const CALL_HEADER = 'x-orrery-call';

/** Header of a request, which the link adds if an earlier engine ended while it had the call. */
export const AGAIN_HEADER = 'x-orrery-again';

/** Header of a request. A call that is sent again with the same key is not applied again. */
export const KEY_HEADER = 'idempotency-key';

export const EMPTY_BODY: Uint8Array = new Uint8Array(0);
