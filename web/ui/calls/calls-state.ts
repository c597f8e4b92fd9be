/**
 * The live log: every answered call that the status brought.
 * Owns: the ring, its filter, holding it still, and the summary for screen readers.
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
/** Marks of agents, given out in the order in which they first call. */
export const SENDER_MARKS = ['disc', 'rhomb', 'square', 'cross'] as const;
export type SenderMark = 'triangle' | 'ring' | (typeof SENDER_MARKS)[number];

export interface Calls {
	readonly ring: ReadonlySignal<CallRing>;
	readonly filter: Signal<CallFilter>;
	/** Filtered, newest first; stands still while held. */
	readonly shown: ReadonlySignal<readonly CallRecord[]>;
	/** Calls that came since the log was held, or null while it runs. */
	readonly waiting: ReadonlySignal<number | null>;
	/** Said politely each 10 s while calls come. */
	readonly summary: ReadonlySignal<string>;
	/** Holds the log, or lets it run. */
	toggleHold(): void;
	hold(): void;
	/** A sender keeps its mark for the session. */
	markOf(call: CallSource): SenderMark;
	stop(): void;
}

export function createCalls(services: PanelServices): Calls {
	const ring = signal(emptyRing());
	const filter = signal<CallFilter>({ text: '', from: 'everyone', refusedOnly: false, panels: false });
	const frozen = signal<CallRing | null>(null);
	const summary = signal('');
	const marks = new Map<string, SenderMark>();
	let told = { seen: 0, refused: 0 };

	const endStatus = effect(() => {
		const status = services.status.value;
		if (status === null || status.calls.length === 0) return;
		untracked(() => {
			ring.value = appendCalls(ring.value, status.calls);
		});
	});
	const timer = setInterval(() => {
		const { seen, refused } = ring.value;
		if (seen === told.seen) return;
		summary.value = `${count(seen - told.seen, 'call')}, ${refused - told.refused} refused`;
		told = { seen, refused };
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
