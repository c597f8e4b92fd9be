/**
 * The keys that move the focus in a list of rows.
 * Owns: the target row of each key.
 */

/** Returns the row that a key moves to from row `current` of `count`, or undefined for other keys. `page` rows are visible. */
export function rowForKey(key: string, current: number, count: number, page: number): number | undefined {
	const targets: Readonly<Record<string, number>> = {
		ArrowDown: current + 1,
		ArrowUp: current - 1,
		PageDown: current + page,
		PageUp: current - page,
		Home: 0,
		End: count - 1,
	};
	const row = Object.hasOwn(targets, key) ? targets[key] : undefined;
	return row === undefined ? undefined : Math.max(0, Math.min(count - 1, row));
}
