/** JSON with sorted keys, so that equal values have equal bytes. */

/**
 * Returns the canonical text of a JSON value. Numbers have their shortest exact form, and undefined members are omitted.
 * Keys that are whole numbers come first, ascending. The others follow in the order of their code units.
 */
export function canonicalJson(value: unknown): string {
	return JSON.stringify(sortKeys(value)) ?? 'null';
}

/** Depth to which a value is split into pieces. A deeper part came with one call, so its text is never too long. */
const MAX_DEPTH = 3;

/** Yields the canonical text in pieces, for values whose whole text may be longer than a JavaScript string can be. */
export function* canonicalPieces(value: unknown, levels = MAX_DEPTH): Generator<string> {
	if (levels === 0 || typeof value !== 'object' || value === null) {
		yield canonicalJson(value);
		return;
	}
	let separator = '';
	if (Array.isArray(value)) {
		yield '[';
		for (const item of value) {
			yield separator;
			yield* canonicalPieces(item, levels - 1);
			separator = ',';
		}
		yield ']';
		return;
	}
	const record = value as Readonly<Record<string, unknown>>;
	yield '{';
	for (const key of keysInOrder(record)) {
		if (record[key] === undefined) continue;
		yield `${separator}${JSON.stringify(key)}:`;
		yield* canonicalPieces(record[key], levels - 1);
		separator = ',';
	}
	yield '}';
}

function keysInOrder(record: Readonly<Record<string, unknown>>): string[] {
	// A JavaScript object moves whole-number keys to the front by itself.
	return Object.keys(
		Object.fromEntries(
			Object.keys(record)
				.sort()
				.map((key) => [key, null]),
		),
	);
}

/** Returns a JSON value with the keys of its records sorted, at any depth. */
export function withSortedKeys<T>(value: T): T {
	return sortKeys(value) as T;
}

/** Returns a value with sorted keys; the same object if it was already sorted. */
function sortKeys(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	return Array.isArray(value) ? sortedList(value) : sortedRecord(value as Record<string, unknown>);
}

function sortedList(list: readonly unknown[]): readonly unknown[] {
	let copy: unknown[] | null = null;
	for (let i = 0; i < list.length; i++) {
		const item = sortKeys(list[i]);
		if (copy === null && item !== list[i]) copy = list.slice(0, i);
		copy?.push(item);
	}
	return copy ?? list;
}

function sortedRecord(record: Readonly<Record<string, unknown>>): unknown {
	const keys = Object.keys(record);
	const values = keys.map((key) => sortKeys(record[key]));
	const isSame = keys.every((key, i) => values[i] === record[key] && (i === 0 || keys[i - 1]! < key));
	if (isSame) return record;
	const members = keys.map((key, i) => [key, values[i]] as const);
	return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
