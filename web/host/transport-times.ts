/** Times of answering calls, by transport. Owns: the last hundred durations of each transport. */

import type { Transport } from '../../shared/contract/wire.ts';
import type { CallRecord } from '../frames/frames.ts';

const MAX_DURATIONS = 100;

export class TransportDurations {
	readonly #durations = new Map<Transport, number[]>();

	add(calls: readonly Pick<CallRecord, 'door' | 'ms'>[]): void {
		for (const { door, ms } of calls) {
			const list = this.#durations.get(door) ?? [];
			list.push(ms);
			this.#durations.set(door, list.slice(-MAX_DURATIONS));
		}
	}

	/** Returns the median time of recent calls (ms); undefined before the first. */
	median(door: Transport): number | undefined {
		const list = [...(this.#durations.get(door) ?? [])].sort((a, b) => a - b);
		return list[list.length >> 1];
	}
}
