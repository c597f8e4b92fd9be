/**
 * Work that is requested more often than it may run.
 * Owns: the pace: one run at a time, and a rest between two runs.
 */

/** Maximum rest (ms). After a run that waited behind a long call, the page must not be out of date for half a minute. */
export const MAX_REST_MS = 3000;

export interface PaceOptions {
	/** Minimum rest (ms). */
	readonly minRest?: number;
	/** The rest is at least this multiple of the run's duration. */
	readonly factor?: number;
}

export interface Paced {
	ask(): void;
	stop(): void;
}

/**
 * Returns a queue that runs `work` on request. Requests during a run or its rest cause one more run afterwards.
 */
export function paced({ minRest: least = 0, factor = 0 }: PaceOptions, work: () => Promise<void>): Paced {
	let busy = false;
	let isRequested = false;
	let stopped = false;
	let timer: ReturnType<typeof setTimeout> | undefined;
	const run = async (): Promise<void> => {
		busy = true;
		isRequested = false;
		const startTime = performance.now();
		try {
			await work();
		} finally {
			const duration = performance.now() - startTime;
			timer = setTimeout(
				() => {
					busy = false;
					if (isRequested && !stopped) void run();
				},
				Math.min(MAX_REST_MS, Math.max(least, duration * factor)),
			);
		}
	};
	return {
		ask() {
			if (busy) isRequested = true;
			else if (!stopped) void run();
		},
		stop() {
			stopped = true;
			clearTimeout(timer);
		},
	};
}
