/**
 * Storage of the events of one tick.
 * Owns: their order, their size in bytes, and copy on write between clones.
 */

import type { SentEvent } from './events.ts';
import { valueBytes } from './value-bytes.ts';

/** Events by kind, oldest first. A kind without events has no list. */
export type EventLists = Record<string, SentEvent[]>;

/** The events of one tick. Clones share them until one of the worlds changes them. */
export interface EventBatch {
	readonly lists: EventLists;
	/** Estimated bytes of the whole batch. */
	bytes: number;
	/** Data values of signals. Several signals may share one value, which counts once. */
	readonly signalData: Set<unknown>;
	shared: boolean;
}

export const emptyBatch = (): EventBatch => ({ lists: {}, bytes: 0, signalData: new Set(), shared: false });

/** Estimated bytes of an event in memory, without its signal data. */
export const BYTES_PER_EVENT = 256;

/** Returns the events of all lists in the order in which they were sent. */
export function eventsInOrder(lists: EventLists): SentEvent[] {
	return Object.values(lists)
		.flat()
		.sort((a, b) => a.sequence - b.sequence);
}

export function batchOf(events: readonly SentEvent[]): EventBatch {
	const batch = emptyBatch();
	for (const event of events) appendEvent(batch, event);
	return batch;
}

/** Appends the newest event. Returns its bytes. */
export function appendEvent(batch: EventBatch, event: SentEvent): number {
	const { lists, signalData } = batch;
	const list = lists[event.kind];
	if (list === undefined) lists[event.kind] = [event];
	else list.push(event);
	const { data } = event.data as { readonly data?: unknown };
	let bytes = BYTES_PER_EVENT;
	if (data != null && !signalData.has(data)) {
		signalData.add(data);
		bytes += valueBytes(data);
	}
	batch.bytes += bytes;
	return bytes;
}

/** Returns the batch to write to: `batch` itself, or a copy if another world shares it. */
export function ownBatch(batch: EventBatch): EventBatch {
	if (!batch.shared) return batch;
	const lists: EventLists = {};
	for (const kind in batch.lists) lists[kind] = batch.lists[kind]!.slice();
	return { lists, bytes: batch.bytes, signalData: new Set(batch.signalData), shared: false };
}

export function shareBatch(batch: EventBatch): void {
	batch.shared = true;
}
