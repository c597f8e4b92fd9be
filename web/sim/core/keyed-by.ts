/** A list as a record. Owns: nothing. */

/** Things by the key that `keyOf` gives each. */
export function keyedBy<T>(things: readonly T[], keyOf: (thing: T) => string | number): Record<string, T> {
	return Object.fromEntries(things.map((thing) => [keyOf(thing), thing]));
}
