/** Work that is done in slices, so that other work can run in between. */

/** Generator that yields after each slice, and returns the result. Its inputs must not change before the end. */
export type SlicedWork<T> = Generator<void, T>;

/** Runs all remaining slices now, and returns the result. */
export function finishWork<T>(work: SlicedWork<T>): T {
	for (let next = work.next(); ; next = work.next()) if (next.done) return next.value;
}
