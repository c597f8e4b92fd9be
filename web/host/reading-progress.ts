/** How far a journal is read, told where that takes long. Owns: how long is long, and how often it is told. */

/** Milliseconds of reading before it is told, and between two times. */
const LONG_MS = 1000;
const TOLD_EVERY_MS = 250;

/** A function for each entry that is read, which calls `tell` now and then. `clock`: milliseconds that only go forward. */
export function readingProgress(
	tell: (next: number, end: number) => void,
	clock: () => number = () => performance.now(),
): (next: number, end: number) => void {
	let told = clock() + LONG_MS - TOLD_EVERY_MS;
	return (next, end) => {
		const now = clock();
		if (now - told < TOLD_EVERY_MS) return;
		told = now;
		tell(next, end);
	};
}
