/**
 * The keys that walk a list of rows.
 * Owns: which row each of them goes to.
 */

/** Returns the row that a key goes to from row `at` of `count`, with `page` of them in sight; undefined: the key is another. */
export function rowForKey(key: string, at: number, count: number, page: number): number | undefined {
	const to: Readonly<Record<string, number>> = {
		ArrowDown: at + 1,
		ArrowUp: at - 1,
		PageDown: at + page,
		PageUp: at - page,
		Home: 0,
		End: count - 1,
	};
	const row = Object.hasOwn(to, key) ? to[key] : undefined;
	return row === undefined ? undefined : Math.max(0, Math.min(count - 1, row));
}
