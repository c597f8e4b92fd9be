/**
 * Results of a soak.
 * Owns: the counts, and acknowledged writes, so that they can be looked for in the journal afterwards.
 */

/** A write that was answered as done. */
export interface Acknowledged {
	readonly name: string;
	/** Digest of its world after it, if its answer had one. */
	readonly digest: string | undefined;
}

/** A process was killed. */
export interface Kill {
	readonly what: string;
	/** Milliseconds on the steady clock. */
	readonly at: number;
	/** Milliseconds until a call that was sent after it was answered. */
	recovery: number | undefined;
}

export class SoakTally {
	readonly calls = new Map<string, number>();
	/** Milliseconds of each call, until it was answered. */
	readonly times: number[] = [];
	/** Answers of 5xx, by call and code. */
	readonly fives = new Map<string, number>();
	/** Connections that broke or were not available, by message. */
	readonly breaks = new Map<string, number>();
	/** Errors, in words. */
	readonly errors: string[] = [];
	/** Acknowledged writes that are not there. */
	readonly lost: string[] = [];
	/** Calls that were done more than once. */
	readonly doubled: string[] = [];
	/** By key. */
	readonly acknowledged = new Map<string, Acknowledged>();
	readonly kills: Kill[] = [];
	/** Answers that were given again. */
	replayed = 0;
	/** Comparisons of what clients were told with what there is. */
	checks = 0;
	/** Ticks of main that were acknowledged as made by one call: from one tick to another. */
	readonly steps: { readonly from: number; readonly to: number; readonly key: string }[] = [];

	/** A call that was sent then has been answered. */
	answered(sent: number): void {
		for (const kill of this.kills)
			if (kill.recovery === undefined && sent > kill.at) kill.recovery = performance.now() - kill.at;
	}

	/** Says what is not as it should be, of `lost` or `doubled`, unless it is. */
	check(holds: boolean, fault: 'lost' | 'doubled', sentence: () => string): void {
		this.checks++;
		if (!holds) this[fault].push(sentence());
	}

	get faults(): number {
		return this.errors.length + this.lost.length + this.doubled.length;
	}
}

/** Counts one more. */
export function count(counts: Map<string, number>, name: string): void {
	counts.set(name, (counts.get(name) ?? 0) + 1);
}
