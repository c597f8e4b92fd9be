/**
 * Work that is asked for more often than it may be done.
 * Owns: its pace: one run at a time and a rest between two.
 */

/** No rest is longer (ms): a run that once waited behind a long call must not make the page late for half a minute. */
export const MAX_REST_MS = 3000;

export interface PaceOptions {
	/** Milliseconds of rest at least. */
	readonly least?: number;
	/** The rest is at least this many times as long as the run took. */
	readonly factor?: number;
}

export interface Paced {
	ask(): void;
	stop(): void;
}

/**
 * Runs `work` when asked, one run at a time and with a rest between two; what is asked for meanwhile runs once, after.
 */
export function paced({ least = 0, factor = 0 }: PaceOptions, work: () => Promise<void>): Paced {
	let busy = false;
	let isAskedAgain = false;
	let stopped = false;
	let timer: ReturnType<typeof setTimeout> | undefined;
	const run = async (): Promise<void> => {
		busy = true;
		isAskedAgain = false;
		const began = performance.now();
		try {
			await work();
		} finally {
			const took = performance.now() - began;
			timer = setTimeout(
				() => {
					busy = false;
					if (isAskedAgain && !stopped) void run();
				},
				Math.min(MAX_REST_MS, Math.max(least, took * factor)),
			);
		}
	};
	return {
		ask() {
			if (busy) isAskedAgain = true;
			else if (!stopped) void run();
		},
		stop() {
			stopped = true;
			clearTimeout(timer);
		},
	};
}
