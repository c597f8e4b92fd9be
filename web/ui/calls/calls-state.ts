/**
 * State of the live log: every answered call that the status reports.
 * Owns: the ring, its filter, pausing it, and the summary for screen readers.
 */

import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { CallRecord } from '../../frames/frames.ts';
import { count } from '../numbers.ts';
import type { PanelServices } from '../services.ts';
import {
	appendCalls,
	type CallFilter,
	type CallRing,
	type CallSource,
	emptyRing,
	filterCalls,
	senderOf,
} from './call-ring.ts';

const SUMMARY_MS = 10_000;
/** Marks of agents, assigned in the order of their first calls. */
export const SENDER_MARKS = ['disc', 'rhomb', 'square', 'cross'] as const;
export type SenderMark = 'triangle' | 'ring' | (typeof SENDER_MARKS)[number];

export interface Calls {
	readonly ring: ReadonlySignal<CallRing>;
	readonly filter: Signal<CallFilter>;
	/** Filtered calls, newest first. The list does not change while the log is paused. */
	readonly shown: ReadonlySignal<readonly CallRecord[]>;
	/** Number of calls since the log was paused; null while it runs. */
	readonly waiting: ReadonlySignal<number | null>;
	/** Text for screen readers, renewed every 10 s while calls arrive. */
	readonly summary: ReadonlySignal<string>;
	/** Pauses or resumes the log. */
	toggleHold(): void;
	hold(): void;
	/** Returns the mark of the call's sender, which keeps it for the session. */
	markOf(call: CallSource): SenderMark;
	stop(): void;
}

export function createCalls(services: PanelServices): Calls {
	const ring = signal(emptyRing());
	const filter = signal<CallFilter>({ text: '', from: 'everyone', refusedOnly: false, panels: false });
	const frozen = signal<CallRing | null>(null);
	const summary = signal('');
	const marks = new Map<string, SenderMark>();
	let reported = { seen: 0, refused: 0 };

	const endStatus = effect(() => {
		const status = services.status.value;
		if (status === null || status.calls.length === 0) return;
		untracked(() => {
			ring.value = appendCalls(ring.value, status.calls);
		});
	});
	const timer = setInterval(() => {
		const { seen, refused } = ring.value;
		if (seen === reported.seen) return;
		summary.value = `${count(seen - reported.seen, 'call')}, ${refused - reported.refused} refused`;
		reported = { seen, refused };
	}, SUMMARY_MS);

	const toggleHold = () => {
		frozen.value = frozen.value === null ? ring.value : null;
	};
	return {
		ring,
		filter,
		shown: computed(() => filterCalls((frozen.value ?? ring.value).calls, filter.value)),
		waiting: computed(() => {
			if (frozen.value === null) return null;
			const since = frozen.value.calls.at(-1)?.number ?? -1;
			const fresh = ring.value.calls.filter(({ number }) => number > since);
			return filterCalls(fresh, filter.value).length;
		}),
		summary,
		toggleHold,
		hold() {
			frozen.value ??= ring.value;
		},
		markOf(call) {
			const { kind, name } = senderOf(call);
			if (kind === 'you') return 'triangle';
			if (kind === 'panels') return 'ring';
			const cached = marks.get(name);
			if (cached !== undefined) return cached;
			const mark = SENDER_MARKS[marks.size % SENDER_MARKS.length]!;
			marks.set(name, mark);
			return mark;
		},
		stop() {
			endStatus();
			clearInterval(timer);
		},
	};
}
