/**
 * The one request and the one answer that every transport carries.
 * Owns: the plain shape of a call, whatever brought it. Never: parses a body; imports anything.
 */

/** A call as it arrived: header names in lower case, the body as the bytes that came. */
export interface WireRequest {
	readonly method: string;
	/** Path as sent, percent-encoded, beginning with `/`, without the query. */
	readonly path: string;
	/** Query string without the `?`; empty if there is none. */
	readonly query: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
}

/** An answer: header names in lower case, the body as bytes. */
export interface WireResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
}

/** Transport that a call came through; shown in the call log and nowhere else. */
export type Door = 'process' | 'page' | 'worker' | 'relay';

/** The part of an `AbortSignal` that reports that the answer is no longer needed. */
export interface CallSignal {
	readonly aborted: boolean;
	addEventListener(type: 'abort', listener: () => void): void;
	removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Anything that answers calls: the engine, a port to it, or the relay's link to a tab. A caller that no longer wants
 * the answer aborts the signal. The call then ends at the next edge of a tick or request.
 */
export type CallHandler = (request: WireRequest, signal?: CallSignal) => Promise<WireResponse>;

/** The largest body of a usual call, in bytes (2 MiB). The engine holds callers to it. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;

/**
 * The largest document, whichever way it goes (64 MiB): a body that is a whole world, an answer, a file that is written
 * or read. What one call writes another can read.
 */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** Deepest nesting of lists and objects in the body of a usual call. */
export const MAX_DEPTH = 200;
/** The same for whole documents, which hold what calls have brought some levels further down. */
export const MAX_DOCUMENT_DEPTH = 250;

/** Header that names the world: of every answer, and of calls that want no other. */
export const IDENTITY_HEADER = 'x-orrery-world';

/** Version of the list of agents, which the relay adds to each call on a server with sign-in. */
export const RIGHTS_HEADER = 'x-orrery-rights';

/** Header of an answer: number of the call's entry in the journal. The relay passes the answer on when the journal has it. */
export const ENTRY_HEADER = 'x-orrery-entry';

/** Header of a request, which the link writes: the transport's own key of the call. An engine that loads a journal knows by it which calls were applied. */
export const CALL_HEADER = 'x-orrery-call';

/** Header of a request, which the link writes: an engine ended while it had this call. */
export const AGAIN_HEADER = 'x-orrery-again';

/** Header of a request: sent again with the same key, it is not done again. */
export const KEY_HEADER = 'idempotency-key';

export const EMPTY_BODY: Uint8Array = new Uint8Array(0);
