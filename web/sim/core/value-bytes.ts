/**
 * Memory of a JSON value: text, lists and records as JavaScript holds them, and the digest's record of them.
 * Owns: the estimate, which errs on the side of too much, and remembering it. Values are replaced, never changed in place.
 */

const TEXT = 24;
const CHARACTER = 2;
const NUMBER = 16;
const LIST = 32;
const PLACE = 8;
const RECORD = 64;
const MEMBER = 24;

/** From this many bytes on a value is worth remembering, and worth telling as a thing that worlds may share. */
export const LARGE_VALUE = 256;

const cache = new WeakMap<object, number>();

/** Returns bytes thought to be taken by a value. */
export function valueBytes(value: unknown): number {
	if (typeof value === 'string') return TEXT + CHARACTER * value.length;
	if (typeof value !== 'object' || value === null) return NUMBER;
	const before = cache.get(value);
	if (before !== undefined) return before;
	const bytes = Array.isArray(value) ? listBytes(value) : recordBytes(value as Record<string, unknown>);
	if (bytes >= LARGE_VALUE) cache.set(value, bytes);
	return bytes;
}

function listBytes(list: readonly unknown[]): number {
	let bytes = LIST + PLACE * list.length;
	for (const item of list) if (typeof item !== 'number') bytes += valueBytes(item);
	return bytes;
}

function recordBytes(record: Readonly<Record<string, unknown>>): number {
	let bytes = RECORD;
	for (const key in record) bytes += MEMBER + key.length + valueBytes(record[key]);
	return bytes;
}
