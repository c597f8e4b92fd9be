/** Times of answering calls, by transport. Owns: the last hundred durations of each transport. */

import type { Door } from '../../shared/contract/wire.ts';
import type { CallRecord } from '../frames/frames.ts';

const KEPT = 100;

export class TransportTimes {
	readonly #times = new Map<Door, number[]>();

	add(calls: readonly Pick<CallRecord, 'door' | 'ms'>[]): void {
		for (const { door, ms } of calls) {
			const list = this.#times.get(door) ?? [];
			list.push(ms);
			this.#times.set(door, list.slice(-KEPT));
		}
	}

	/** Returns the median time of recent calls (ms); undefined before the first. */
	median(door: Door): number | undefined {
		const list = [...(this.#times.get(door) ?? [])].sort((a, b) => a - b);
		return list[list.length >> 1];
	}
}
