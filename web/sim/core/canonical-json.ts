/** JSON with sorted keys, so that equal values have equal bytes. */

/** Canonical text of a JSON value. Numbers print in their shortest exact form; undefined members are left out. */
export function canonicalJson(value: unknown): string {
	if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
	const record = value as Record<string, unknown>;
	const members = Object.keys(record)
		.filter((key) => record[key] !== undefined)
		.sort()
		.map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key])}`);
	return `{${members.join(',')}}`;
}

/** The same JSON value with the keys of its records sorted, at any depth. */
export function inKeyOrder<T>(value: T): T {
	return sorted(value) as T;
}

function sorted(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map(sorted);
	const record = value as Record<string, unknown>;
	const keys = Object.keys(record).sort();
	return Object.fromEntries(keys.map((key) => [key, sorted(record[key])]));
}
