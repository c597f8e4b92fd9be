/** Depth of JSON values. */

/** Returns true if lists and objects of a value nest deeper than `deepest`. Looks no further down than that. */
export function nestsDeeper(value: unknown, deepest: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (deepest === 0) return true;
	if (Array.isArray(value)) return value.some((part) => nestsDeeper(part, deepest - 1));
	for (const key in value) if (nestsDeeper(value[key as keyof typeof value], deepest - 1)) return true;
	return false;
}
