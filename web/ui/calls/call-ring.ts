/**
 * The newest calls, in the order of their answers.
 * Owns: the maximum number of kept calls, and the sender of each. Never: draws; asks the engine.
 */

import { PANELS } from '../../../shared/contract/principal.ts';
import type { CallRecord } from '../../frames/frames.ts';

/** The newest `capacity` calls. Each change makes a new value, so that a signal notices. */
export interface CallRing {
	readonly capacity: number;
	/** Oldest first. */
	readonly calls: readonly CallRecord[];
	/** Number of calls seen so far, kept or not. Calls of the panels do not count. */
	readonly seen: number;
	/** Number of refused calls among them. */
	readonly refused: number;
}

export function emptyRing(capacity = 2000): CallRing {
	return { capacity, calls: [], seen: 0, refused: 0 };
}

/** Adds calls, oldest first. Calls whose number the ring already has are skipped. */
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

/** Kinds of sender that the log distinguishes. */
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

/** Returns the calls that match, newest first. The text may be in method, path, sender, world or status. */
export function filterCalls(calls: readonly CallRecord[], filter: CallFilter): readonly CallRecord[] {
	const query = filter.text.trim().toLowerCase();
	const matches: CallRecord[] = [];
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
		matches.push(call);
	}
	return matches;
}

/** Middle value of the milliseconds, or null if there are no calls. */
export function medianMs(calls: readonly CallRecord[]): number | null {
	if (calls.length === 0) return null;
	const sorted = calls.map(({ ms }) => ms).sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)]!;
}
