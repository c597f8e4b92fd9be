/**
 * Results of a soak.
 * Owns: the counts, and the acknowledged writes, which the audit looks up in the journal.
 */

/** A write with a successful answer. */
export interface Acknowledged {
	readonly name: string;
	/** Digest of the world in the answer, if any. */
	readonly digest: string | undefined;
}

/** One kill of a process. */
export interface Kill {
	readonly victim: string;
	/** Time on the steady clock (ms). */
	readonly at: number;
	/** Time until the first answer to a call that was sent after the kill (ms). */
	recovery: number | undefined;
}

export class SoakTally {
	readonly calls = new Map<string, number>();
	/** Duration of each call until its answer (ms). */
	readonly times: number[] = [];
	/** Number of 5xx answers by call and code. */
	readonly serverErrors = new Map<string, number>();
	/** Number of failed connections by message. */
	readonly breaks = new Map<string, number>();
	/** Messages of errors. */
	readonly errors: string[] = [];
	/** Messages about acknowledged writes without effect. */
	readonly lost: string[] = [];
	/** Messages about calls that were applied more than once. */
	readonly doubled: string[] = [];
	/** Acknowledged writes by key. */
	readonly acknowledged = new Map<string, Acknowledged>();
	readonly kills: Kill[] = [];
	/** Number of repeated calls with a stored answer. */
	replayed = 0;
	/** Number of comparisons between answers and the world. */
	checks = 0;
	/** Acknowledged steps of main: the first and last tick of each call. */
	readonly steps: { readonly from: number; readonly to: number; readonly key: string }[] = [];

	/** Records the answer to a call that was sent at a time. */
	recordAnswer(sendTime: number): void {
		for (const kill of this.kills)
			if (kill.recovery === undefined && sendTime > kill.at) kill.recovery = performance.now() - kill.at;
	}

	/** Counts a comparison. Records a fault unless `holds`. */
	check(holds: boolean, fault: 'lost' | 'doubled', sentence: () => string): void {
		this.checks++;
		if (!holds) this[fault].push(sentence());
	}

	get faults(): number {
		return this.errors.length + this.lost.length + this.doubled.length;
	}
}

/** Increases the count of a name by one. */
export function count(counts: Map<string, number>, name: string): void {
	counts.set(name, (counts.get(name) ?? 0) + 1);
}
