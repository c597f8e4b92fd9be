/**
 * Queue of entries that the journal does not have yet.
 * Owns: their order, and the retry after a failure of the journal.
 * Never: looks into an entry.
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

interface WaitingEntry {
	readonly entry: JournalEntry;
	readonly blobs: ReadonlyMap<string, Uint8Array>;
	readonly kept: () => void;
	readonly failed: (error: ApiError) => void;
}

export interface OutboxOptions {
	readonly journal: Journal;
	/** Of the lease under which entries are appended. */
	readonly epoch: number;
	/** Milliseconds since 1970. */
	readonly clock: () => number;
	/** Called when the journal fails, and when it works again. */
	readonly changed: () => void;
	/** Called with faults that no caller hears of. */
	readonly report: (message: string, error: unknown) => void;
}

export class Outbox {
	readonly #options: OutboxOptions;
	/** Entries that the journal does not have yet, in order; the first of them gets the number `#next`. */
	readonly #waitingEntries: WaitingEntry[] = [];
	#next: number;
	/** Appends what waits, for the first time or again; null if nothing is appended. */
	#sending: Promise<void> | null = null;
	#trouble: JournalTrouble | null = null;
	#retry: ReturnType<typeof setTimeout> | undefined;
	#isClosing = false;

	/** `next`: number of the next entry. */
	constructor(next: number, options: OutboxOptions) {
		this.#next = next;
		this.#options = options;
	}

	/** Reason that currently nothing can be stored; null if it can. */
	get trouble(): JournalTrouble | null {
		return this.#trouble;
	}

	/** Number of the entry after those that were sent. */
	get next(): number {
		return this.#next + this.#waitingEntries.length;
	}

	/** Before a call is applied. Rejects with `not_kept` when it could not be stored. `again`: it was applied before, and waits here. */
	async ready(isRetry: boolean): Promise<void> {
		if (this.#trouble !== null) await this.#sending;
		if (this.#trouble !== null) throw isRetry ? appliedOnly(this.#trouble) : notApplied(this.#trouble);
	}

	/** `had` is called when the journal has the entry; the promise rejects when that fails before. */
	send(entry: JournalEntry, blobs: ReadonlyMap<string, Uint8Array>, onStored: () => void): Promise<void> {
		const stored = new Promise<void>((resolve, reject) => {
			if (this.#trouble !== null) reject(appliedOnly(this.#trouble));
			this.#waitingEntries.push({
				entry,
				blobs,
				failed: reject,
				kept() {
					onStored();
					resolve();
				},
			});
		});
		if (this.#trouble === null) this.#sending ??= this.#sendAll();
		return stored;
	}

	/** Resolves when the journal has all that was sent, or has failed. */
	async settled(): Promise<void> {
		await this.#sending;
	}

	/** Resolves when the journal has all that was sent. Rejects with `not_kept` when it fails. */
	async stored(): Promise<void> {
		await this.#sending;
		if (this.#trouble !== null) throw appliedOnly(this.#trouble);
	}

	/** Appends what waits, all of it together, and what comes meanwhile together after it. The journal skips what it has already. */
	async #sendAll(): Promise<void> {
		try {
			do await this.#append(this.#waitingEntries.slice());
			while (this.#waitingEntries.length > 0);
			if (this.#trouble === null) return;
			this.#trouble = null;
			this.#options.changed();
		} catch (error) {
			this.#failed(error);
		} finally {
			this.#sending = null;
		}
	}

	async #append(batch: readonly WaitingEntry[]): Promise<void> {
		const { journal, epoch } = this.#options;
		const blobs = new Map(batch.flatMap((waiting) => [...waiting.blobs]));
		await Promise.all([...blobs].map(([hash, bytes]) => journal.keepBlob(hash, bytes)));
		await journal.append(
			epoch,
			this.#next,
			batch.map(({ entry }) => entry),
		);
		this.#confirm(batch.length);
	}

	/** The journal has some more of what waits. */
	#confirm(count: number): void {
		this.#next += count;
		for (const { kept } of this.#waitingEntries.splice(0, count)) kept();
	}

	#failed(error: unknown): void {
		const message = reasonOf(error);
		const isTaken = error instanceof JournalError && error.fault === 'fenced';
		this.#trouble = { message, since: this.#trouble?.since ?? this.#options.clock(), taken: isTaken };
		for (const { failed } of this.#waitingEntries) failed(appliedOnly(this.#trouble));
		const why = error instanceof JournalError ? error : new JournalError('failed', message);
		this.#options.journal.lacks?.(this.#next, why);
		if (!(error instanceof JournalError)) this.#options.report('The journal failed.', error);
		this.#options.changed();
		if (!isTaken && !this.#isClosing) this.#retry = setTimeout(() => this.tryAgain(), RETRY_MS);
	}

	/** The journal may work again: what waits is appended now, and calls wait for that. */
	tryAgain(): void {
		const { taken } = this.#trouble ?? { taken: true };
		if (taken || this.#isClosing || this.#sending !== null) return;
		clearTimeout(this.#retry);
		this.#sending = this.#sendAll();
	}

	/** Another engine may acquire the lease: nothing is appended any more. */
	release(): void {
		this.#trouble = { message: fencedError().message, since: this.#options.clock(), taken: true };
	}

	/** Failed appends are not retried. */
	close(): void {
		this.#isClosing = true;
		clearTimeout(this.#retry);
	}
}

const TAKEN = 'Another engine continues the world: connect again and read it before sending anything.';

/** For a call that was applied, and that the journal does not have. */
function appliedOnly({ message, taken }: JournalTrouble): ApiError {
	const fix = taken
		? TAKEN
		: 'Do not send the call again. It is stored as soon as the journal works; GET /journal shows this.';
	const details = { applied: true };
	return new ApiError(
		'not_kept',
		`The call was applied, but could not be stored in the journal: ${message} The change is lost if the engine ends now.`,
		{ fix, details },
	);
}

/** For a call that is not applied, since it could not be kept. */
function notApplied({ message, taken }: JournalTrouble): ApiError {
	const fix = taken
		? TAKEN
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
