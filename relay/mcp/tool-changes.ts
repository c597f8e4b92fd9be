/**
 * Notices that the tools have changed, for clients that listen.
 * Owns: looking at the actions of the main world while there are such clients, and how many there may be.
 */

import type { CallSignal } from '../../shared/contract/wire.ts';
import { ProtocolError } from './messages.ts';

/** Milliseconds between two looks. */
const EVERY = 500;
/** Clients that listen together. */
const MAX_LISTENERS = 64;

/** The list as it is without an engine. */
const NONE = '[]';

export class ToolChanges {
	/** Reads the actions of the main world as text. */
	readonly #read: () => Promise<string>;
	readonly #listeners = new Set<() => void>();
	readonly #closing = new AbortController();
	/** The list as it was last seen; undefined before the first look. */
	#lastList: Promise<string> | undefined;
	#timer: NodeJS.Timeout | undefined;

	constructor(read: () => Promise<string>) {
		this.#read = read;
	}

	/**
	 * Calls `changed` at every change of the tools after `began`, until the signal is aborted or `close` is called.
	 * Rejects with a `ProtocolError` if too many clients listen.
	 */
	async follow(signal: CallSignal, began: () => void, changed: () => void): Promise<void> {
		if (this.#listeners.size >= MAX_LISTENERS)
			throw new ProtocolError(
				`${MAX_LISTENERS} clients listen for changes, which is the limit of the server.`,
			);
		this.#listeners.add(changed);
		try {
			this.#lastList ??= this.#list();
			await this.#lastList;
			if (signal.aborted || this.#closing.signal.aborted) return;
			began();
			this.#timer ??= this.#next();
			await new Promise<void>((resolve) => {
				for (const end of [signal, this.#closing.signal]) end.addEventListener('abort', () => resolve());
			});
		} finally {
			this.#listeners.delete(changed);
			if (this.#listeners.size === 0) this.#rest();
		}
	}

	/** Ends all listening. */
	close(): void {
		this.#closing.abort();
	}

	async #look(): Promise<void> {
		const timer = this.#timer;
		const before = await this.#lastList;
		const now = await this.#list();
		// No client listens any more, or another has begun again.
		if (this.#timer !== timer) return;
		this.#lastList = Promise.resolve(now);
		if (now !== before) for (const changed of this.#listeners) changed();
		this.#timer = this.#next();
	}

	#next(): NodeJS.Timeout {
		return setTimeout(() => void this.#look(), EVERY);
	}

	#list(): Promise<string> {
		return this.#read().catch(() => NONE);
	}

	#rest(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#lastList = undefined;
	}
}
