/** How deep JSON values nest. */

/** Whether lists and objects of a value nest deeper than `deepest`. Never recurses. */
export function nestsDeeper(value: unknown, deepest: number): boolean {
	const open: { readonly part: unknown; readonly depth: number }[] = [{ part: value, depth: 0 }];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const { part, depth } = next;
		if (typeof part !== 'object' || part === null) continue;
		if (depth === deepest) return true;
		for (const inner of Object.values(part))
			if (typeof inner === 'object') open.push({ part: inner, depth: depth + 1 });
	}
	return false;
}
