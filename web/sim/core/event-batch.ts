/**
 * The events of one tick.
 * Owns: their order, the bytes that they take, and that clones share them until one of the worlds changes them.
 */

import type { SentEvent } from './events.ts';
import { valueBytes } from './value-bytes.ts';

/** Events by kind, each oldest first; a kind without events has no list. */
export type Lists = Record<string, SentEvent[]>;

/** The events of one tick. Clones share them until one of the worlds changes them. */
export interface Batch {
	readonly lists: Lists;
	/** Bytes thought to be taken by all of it. */
	bytes: number;
	/** Values that signals carry, each once: many may carry the same. */
	readonly carried: Set<unknown>;
	shared: boolean;
}

export const noEvents = (): Batch => ({ lists: {}, bytes: 0, carried: new Set(), shared: false });

/** Bytes that an event takes in memory without what it carries. */
export const SENT_BYTES = 256;

/** Returns the events of all lists in the order in which they were sent. */
export function inOrder(lists: Lists): SentEvent[] {
	return Object.values(lists)
		.flat()
		.sort((a, b) => a.sequence - b.sequence);
}

export function batchOf(events: readonly SentEvent[]): Batch {
	const batch = noEvents();
	for (const event of events) append(batch, event);
	return batch;
}

/** Puts in the newest event; the bytes that it takes. */
export function append(batch: Batch, event: SentEvent): number {
	const { lists, carried } = batch;
	const list = lists[event.kind];
	if (list === undefined) lists[event.kind] = [event];
	else list.push(event);
	const { data } = event.data as { readonly data?: unknown };
	let bytes = SENT_BYTES;
	if (data != null && !carried.has(data)) {
		carried.add(data);
		bytes += valueBytes(data);
	}
	batch.bytes += bytes;
	return bytes;
}

/** Returns the batch to change: itself, or a copy when another world has it too. */
export function ownBatch(batch: Batch): Batch {
	if (!batch.shared) return batch;
	const lists: Lists = {};
	for (const kind in batch.lists) lists[kind] = batch.lists[kind]!.slice();
	return { lists, bytes: batch.bytes, carried: new Set(batch.carried), shared: false };
}

export function shareBatch(batch: Batch): void {
	batch.shared = true;
}
