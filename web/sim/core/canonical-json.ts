/** JSON with sorted keys, so that equal values have equal bytes. */

/**
 * Canonical text of a JSON value. Numbers print in their shortest exact form; undefined members are left out. Keys
 * that are whole numbers come first, in rising order, the others in the order of their code units.
 */
export function canonicalJson(value: unknown): string {
	return JSON.stringify(sorted(value)) ?? 'null';
}

/** Depth to which a value is taken apart: a deeper part is never longer than a call that brought it. */
const TAKEN_APART = 3;

/** Returns the pieces of the canonical text, in order, for values whose text may be longer than a text can be. */
export function* canonicalPieces(value: unknown, levels = TAKEN_APART): Generator<string> {
	if (levels === 0 || typeof value !== 'object' || value === null) {
		yield canonicalJson(value);
		return;
	}
	let before = '';
	if (Array.isArray(value)) {
		yield '[';
		for (const item of value) {
			yield before;
			yield* canonicalPieces(item, levels - 1);
			before = ',';
		}
		yield ']';
		return;
	}
	const record = value as Readonly<Record<string, unknown>>;
	yield '{';
	for (const key of keysInOrder(record)) {
		if (record[key] === undefined) continue;
		yield `${before}${JSON.stringify(key)}:`;
		yield* canonicalPieces(record[key], levels - 1);
		before = ',';
	}
	yield '}';
}

function keysInOrder(record: Readonly<Record<string, unknown>>): string[] {
	// A record sorts its whole numbers by itself.
	return Object.keys(
		Object.fromEntries(
			Object.keys(record)
				.sort()
				.map((key) => [key, null]),
		),
	);
}

/** Returns the same JSON value with the keys of its records sorted, at any depth. */
export function inKeyOrder<T>(value: T): T {
	return sorted(value) as T;
}

/** Sorts a value. One that is already sorted is returned itself. */
function sorted(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	return Array.isArray(value) ? sortedList(value) : sortedRecord(value as Record<string, unknown>);
}

function sortedList(list: readonly unknown[]): readonly unknown[] {
	let copy: unknown[] | null = null;
	for (let i = 0; i < list.length; i++) {
		const item = sorted(list[i]);
		if (copy === null && item !== list[i]) copy = list.slice(0, i);
		copy?.push(item);
	}
	return copy ?? list;
}

function sortedRecord(record: Readonly<Record<string, unknown>>): unknown {
	const keys = Object.keys(record);
	const values = keys.map((key) => sorted(record[key]));
	const isSame = keys.every((key, i) => values[i] === record[key] && (i === 0 || keys[i - 1]! < key));
	if (isSame) return record;
	const members = keys.map((key, i) => [key, values[i]] as const);
	return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
