/**
 * Progress of reading a journal, reported if it takes long. Owns: the limit for long, and the interval of reports.
 */

/** Milliseconds of reading before the first report, and between two reports. */
const LONG_MS = 1000;
const TOLD_EVERY_MS = 250;

/**
 * Returns a function to call after each entry. It calls `tell` at intervals. `clock`: milliseconds on a monotonic clock.
 */
export function readingProgress(
	tell: (next: number, end: number) => void,
	clock: () => number = () => performance.now(),
): (next: number, end: number) => void {
	let reportedAt = clock() + LONG_MS - TOLD_EVERY_MS;
	return (next, end) => {
		const now = clock();
		if (now - reportedAt < TOLD_EVERY_MS) return;
		reportedAt = now;
		tell(next, end);
	};
}
