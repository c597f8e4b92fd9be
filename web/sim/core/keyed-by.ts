/** Conversion of a list into a record. */

/** Returns the items of a list by the key that `keyOf` returns for each. */
export function keyedBy<T>(items: readonly T[], keyOf: (item: T) => string | number): Record<string, T> {
	return Object.fromEntries(items.map((item) => [keyOf(item), item]));
}
