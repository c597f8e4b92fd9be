/**
 * Queue of entries that the journal has not stored yet.
 * Owns: their order, and the retry after a failure of the journal.
 * Never: decodes an entry.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { reasonOf } from '../../../shared/contract/reason.ts';
import {
	fencedError,
	type Journal,
	type JournalEntry,
	JournalError,
} from '../../../shared/transport/journal.ts';
import type { JournalTrouble } from '../../api/host-journal.ts';

/** Time between two tries after the journal failed (ms). */
const RETRY_MS = 1000;

interface PendingEntry {
	readonly entry: JournalEntry;
	readonly blobs: ReadonlyMap<string, Uint8Array>;
	readonly onStored: () => void;
	readonly onFailure: (error: ApiError) => void;
}

export interface OutboxOptions {
	readonly journal: Journal;
	/** Epoch of the lease under which entries are appended. */
	readonly epoch: number;
	/** Milliseconds since 1970. */
	readonly clock: () => number;
	/** Called when the journal fails, and when it works again. */
	readonly changed: () => void;
	/** Called with faults that no answer reports. */
	readonly report: (message: string, error: unknown) => void;
}

export class Outbox {
	readonly #options: OutboxOptions;
	/** Entries that the journal has not stored yet, in order. The first one gets the number `#next`. */
	readonly #pending: PendingEntry[] = [];
	#next: number;
	/** Resolves when the current append has ended; null if none runs. */
	#sending: Promise<void> | null = null;
	#trouble: JournalTrouble | null = null;
	#retryTimer: ReturnType<typeof setTimeout> | undefined;
	#isClosing = false;

	/** `next`: number of the next entry. */
	constructor(next: number, options: OutboxOptions) {
		this.#next = next;
		this.#options = options;
	}

	/** Reason why nothing can currently be stored; null if it can. */
	get trouble(): JournalTrouble | null {
		return this.#trouble;
	}

	/** Number of the next entry to send. */
	get next(): number {
		return this.#next + this.#pending.length;
	}

	/**
	 * Resolves if a call may be applied. Rejects with `not_kept` while the journal fails. `isRetry`: the call was applied before,
	 * and its entry waits here.
	 */
	async whenReady(isRetry: boolean): Promise<void> {
		if (this.#trouble !== null) await this.#sending;
		if (this.#trouble !== null) throw isRetry ? notStored(this.#trouble) : notApplied(this.#trouble);
	}

	/** Queues an entry. Calls `onStored` and resolves when the journal has stored it; rejects if that fails. */
	send(entry: JournalEntry, blobs: ReadonlyMap<string, Uint8Array>, onStored: () => void): Promise<void> {
		const promise = new Promise<void>((resolve, reject) => {
			if (this.#trouble !== null) reject(notStored(this.#trouble));
			this.#pending.push({
				entry,
				blobs,
				onFailure: reject,
				onStored() {
					onStored();
					resolve();
				},
			});
		});
		if (this.#trouble === null) this.#sending ??= this.#sendAll();
		return promise;
	}

	/** Resolves when the journal has stored all sent entries, or has failed. */
	async whenSettled(): Promise<void> {
		await this.#sending;
	}

	/** Resolves when the journal has stored all sent entries. Rejects with `not_kept` if it fails. */
	async whenStored(): Promise<void> {
		await this.#sending;
		if (this.#trouble !== null) throw notStored(this.#trouble);
	}

	/** Appends all waiting entries together, then those that came meanwhile. The journal skips entries that it already has. */
	async #sendAll(): Promise<void> {
		try {
			do await this.#append(this.#pending.slice());
			while (this.#pending.length > 0);
			if (this.#trouble === null) return;
			this.#trouble = null;
			this.#options.changed();
		} catch (error) {
			this.#handleFailure(error);
		} finally {
			this.#sending = null;
		}
	}

	async #append(batch: readonly PendingEntry[]): Promise<void> {
		const { journal, epoch } = this.#options;
		const blobs = new Map(batch.flatMap((pending) => [...pending.blobs]));
		await Promise.all([...blobs].map(([hash, bytes]) => journal.keepBlob(hash, bytes)));
		await journal.append(
			epoch,
			this.#next,
			batch.map(({ entry }) => entry),
		);
		this.#confirm(batch.length);
	}

	/** Removes entries that the journal has stored. */
	#confirm(count: number): void {
		this.#next += count;
		for (const { onStored } of this.#pending.splice(0, count)) onStored();
	}

	#handleFailure(error: unknown): void {
		const message = reasonOf(error);
		const isTaken = error instanceof JournalError && error.fault === 'fenced';
		this.#trouble = { message, since: this.#trouble?.since ?? this.#options.clock(), taken: isTaken };
		for (const { onFailure } of this.#pending) onFailure(notStored(this.#trouble));
		const why = error instanceof JournalError ? error : new JournalError('failed', message);
		this.#options.journal.lacks?.(this.#next, why);
		if (!(error instanceof JournalError)) this.#options.report('The journal failed.', error);
		this.#options.changed();
		if (!isTaken && !this.#isClosing) this.#retryTimer = setTimeout(() => this.retry(), RETRY_MS);
	}

	/** Appends the waiting entries now, because the journal may work again. Calls wait for the result. */
	retry(): void {
		const { taken } = this.#trouble ?? { taken: true };
		if (taken || this.#isClosing || this.#sending !== null) return;
		clearTimeout(this.#retryTimer);
		this.#sending = this.#sendAll();
	}

	/** Ends all appends, because another engine may acquire the lease. */
	release(): void {
		this.#trouble = { message: fencedError().message, since: this.#options.clock(), taken: true };
	}

	/** Ends the retries of failed appends. */
	close(): void {
		this.#isClosing = true;
		clearTimeout(this.#retryTimer);
	}
}

const RECONNECT = 'Another engine continues the world: connect again and read it before sending anything.';

/** Returns the refusal for a call that was applied, but is not stored. */
function notStored({ message, taken }: JournalTrouble): ApiError {
	const fix = taken
		? RECONNECT
		: 'Do not send the call again. It is stored as soon as the journal works; GET /journal shows this.';
	const details = { applied: true };
	return new ApiError(
		'not_kept',
		`The call was applied, but could not be stored in the journal: ${message} The change is lost if the engine ends now.`,
		{ fix, details },
	);
}

/** Returns the refusal for a call that was not applied, because it could not be stored. */
function notApplied({ message, taken }: JournalTrouble): ApiError {
	const fix = taken
		? RECONNECT
		: 'Free disk space, or remove the cause that the message names. Send the call again when GET /journal shows that writing works.';
	const details = { applied: false };
	return new ApiError(
		'not_kept',
		`The call was not applied, because the journal could not store it: ${message}`,
		{
			fix,
			details,
		},
	);
}
