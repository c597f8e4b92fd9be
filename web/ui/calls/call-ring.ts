/**
 * The newest calls, in the order in which they were answered.
 * Owns: how many are kept, and the sender of each. Never: draws; asks the engine.
 */

import { PANELS } from '../../../shared/contract/principal.ts';
import type { CallRecord } from '../../frames/frames.ts';

/** Keeps the newest `capacity` calls. A new value each time, so that a signal notices. */
export interface CallRing {
	readonly capacity: number;
	/** Oldest first. */
	readonly calls: readonly CallRecord[];
	/** Calls seen in all, kept or not, but for those of the panels. */
	readonly seen: number;
	/** Of those, the refused ones. */
	readonly refused: number;
}

export function emptyRing(capacity = 2000): CallRing {
	return { capacity, calls: [], seen: 0, refused: 0 };
}

/** Adds calls, oldest first; those with a number that is already there are left out. */
export function appendCalls(ring: CallRing, added: readonly CallRecord[]): CallRing {
	const last = ring.calls.at(-1)?.number ?? -1;
	// A restarted engine counts from 0: a number more than `capacity` below the last one means a restart.
	const restarted = added.length > 0 && added.at(-1)!.number < last - ring.capacity;
	const fresh = restarted ? added : added.filter(({ number }) => number > last);
	if (fresh.length === 0) return ring;
	const others = fresh.filter((call) => senderOf(call).kind !== 'panels');
	return {
		capacity: ring.capacity,
		calls: [...ring.calls, ...fresh].slice(-ring.capacity),
		seen: ring.seen + others.length,
		refused: ring.refused + others.filter(isRefused).length,
	};
}

export function isRefused(call: CallRecord): boolean {
	return call.status >= 400 || call.fix !== undefined;
}

const SOURCE_NAMES: Readonly<Record<string, string>> = {
	process: 'in process',
	page: 'page',
	worker: 'same origin',
	relay: 'relay',
};

/** The kinds of sender that the log tells apart. */
export type SenderKind = 'you' | 'panels' | 'agent';

/** Properties of a call that name its sender, wherever the call is. */
export interface CallSource {
	readonly sender: string;
	readonly door: string;
}

/** Returns the sender of a call: the kind, and the name to show. */
export function senderOf(call: CallSource): { readonly kind: SenderKind; readonly name: string } {
	if (call.sender === PANELS) return { kind: 'panels', name: 'panels' };
	if (call.sender === 'you' || (call.door === 'page' && /^(Mozilla\/.*)?$/.test(call.sender)))
		return { kind: 'you', name: 'you' };
	if (/^Mozilla\//.test(call.sender)) return { kind: 'agent', name: 'browser' };
	const name = call.sender.split(/[/\s]/, 1)[0] ?? '';
	if (name !== '') return { kind: 'agent', name };
	return { kind: 'agent', name: SOURCE_NAMES[call.door] ?? call.door };
}

export interface CallFilter {
	readonly text: string;
	readonly from: 'everyone' | 'you' | 'agents';
	readonly refusedOnly: boolean;
	/** Also the panels' own refreshes. */
	readonly panels: boolean;
}

/** Returns the calls that pass, newest first. The text is looked for in method, path, sender, world and status. */
export function filterCalls(calls: readonly CallRecord[], filter: CallFilter): readonly CallRecord[] {
	const query = filter.text.trim().toLowerCase();
	const callRecords: CallRecord[] = [];
	for (let i = calls.length - 1; i >= 0; i--) {
		const call = calls[i]!;
		const { kind, name } = senderOf(call);
		if (kind === 'panels' && !filter.panels) continue;
		if (filter.from === 'you' && kind !== 'you') continue;
		if (filter.from === 'agents' && kind !== 'agent') continue;
		if (filter.refusedOnly && !isRefused(call)) continue;
		if (query !== '') {
			const line = `${call.method} ${call.path} ${name} ${call.door} ${call.world} ${call.status}`;
			if (!line.toLowerCase().includes(query)) continue;
		}
		callRecords.push(call);
	}
	return callRecords;
}

/** Middle value of the milliseconds, or null if there are no calls. */
export function medianMs(calls: readonly CallRecord[]): number | null {
	if (calls.length === 0) return null;
	const sorted = calls.map(({ ms }) => ms).sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)]!;
}
