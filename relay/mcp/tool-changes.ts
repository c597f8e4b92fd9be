/**
 * Notifies clients of changes of the tools.
 * Owns: polling the actions of the main world while clients listen, and the limit on such clients.
 */

import type { CallSignal } from '../../shared/contract/wire.ts';
import { ProtocolError } from './messages.ts';

/** Milliseconds between two polls. */
const INTERVAL_MS = 500;
/** Maximum number of clients that listen. */
const MAX_LISTENERS = 64;

/** List of actions without an engine. */
const NO_ACTIONS = '[]';

export class ToolChanges {
	/** Reads the actions of the main world as text. */
	readonly #read: () => Promise<string>;
	readonly #listeners = new Set<() => void>();
	readonly #closing = new AbortController();
	/** The last list of actions; undefined before the first poll. */
	#lastList: Promise<string> | undefined;
	#timer: NodeJS.Timeout | undefined;

	constructor(read: () => Promise<string>) {
		this.#read = read;
	}

	/**
	 * Calls `onStart`, then `onChange` at every change of the tools, until the signal is aborted or `close` is called.
	 * Rejects with a `ProtocolError` if too many clients listen.
	 */
	async follow(signal: CallSignal, onStart: () => void, onChange: () => void): Promise<void> {
		if (this.#listeners.size >= MAX_LISTENERS)
			throw new ProtocolError(
				`${MAX_LISTENERS} clients listen for changes, which is the limit of the server.`,
			);
		this.#listeners.add(onChange);
		try {
			this.#lastList ??= this.#readList();
			await this.#lastList;
			if (signal.aborted || this.#closing.signal.aborted) return;
			onStart();
			this.#timer ??= this.#schedulePoll();
			await new Promise<void>((resolve) => {
				for (const end of [signal, this.#closing.signal]) end.addEventListener('abort', () => resolve());
			});
		} finally {
			this.#listeners.delete(onChange);
			if (this.#listeners.size === 0) this.#stopPolling();
		}
	}

	/** Ends all listening. */
	close(): void {
		this.#closing.abort();
	}

	async #poll(): Promise<void> {
		const timer = this.#timer;
		const oldList = await this.#lastList;
		const newList = await this.#readList();
		// Polling was stopped meanwhile, or stopped and started again.
		if (this.#timer !== timer) return;
		this.#lastList = Promise.resolve(newList);
		if (newList !== oldList) for (const onChange of this.#listeners) onChange();
		this.#timer = this.#schedulePoll();
	}

	#schedulePoll(): NodeJS.Timeout {
		return setTimeout(() => void this.#poll(), INTERVAL_MS);
	}

	#readList(): Promise<string> {
		return this.#read().catch(() => NO_ACTIONS);
	}

	#stopPolling(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#lastList = undefined;
	}
}
