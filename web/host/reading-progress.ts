/**
 * Reports the progress of reading a journal, if the reading takes long.
 * Owns: the time of the first report, and the interval of the reports.
 */

/** Milliseconds of reading before the first report, and between two reports. */
const SILENT_MS = 1000;
const INTERVAL_MS = 250;

/** Returns a function to call after each entry. It calls `report` at intervals. `clock`: milliseconds on a monotonic clock. */
export function readingProgress(
	report: (next: number, end: number) => void,
	clock: () => number = () => performance.now(),
): (next: number, end: number) => void {
	let reportedAt = clock() + SILENT_MS - INTERVAL_MS;
	return (next, end) => {
		const now = clock();
		if (now - reportedAt < INTERVAL_MS) return;
		reportedAt = now;
		report(next, end);
	};
}
