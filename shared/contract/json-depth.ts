/** Nesting of JSON values. */

/** Returns true if lists and objects of a value nest deeper than `maxDepth`. Stops at that depth. */
export function nestsDeeper(value: unknown, maxDepth: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (maxDepth === 0) return true;
	if (Array.isArray(value)) return value.some((part) => nestsDeeper(part, maxDepth - 1));
	for (const key in value) if (nestsDeeper(value[key as keyof typeof value], maxDepth - 1)) return true;
	return false;
}
