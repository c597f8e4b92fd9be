/** Work that is done in slices, so that others get their turn in between. */

/** Yields after each slice, and returns the result. What it reads must not change until the end. */
export type SlicedWork<T> = Generator<void, T>;

/** Does all of it now. */
export function finished<T>(work: SlicedWork<T>): T {
	for (let next = work.next(); ; next = work.next()) if (next.done) return next.value;
}
