/**
 * Estimated memory of a JSON value, including the text that the digest caches.
 * Owns: the estimate, which is rather too high, and its cache. Values are replaced, never changed in place.
 */

// Estimated bytes of each element of a value in memory.
const TEXT_BYTES = 24;
const CHARACTER_BYTES = 2;
const NUMBER_BYTES = 16;
const LIST_BYTES = 32;
const LIST_ITEM_BYTES = 8;
const RECORD_BYTES = 64;
const RECORD_MEMBER_BYTES = 24;

/** Values of at least this many bytes are cached, and reported as objects that worlds may share. */
export const LARGE_VALUE = 256;

const bytesByValue = new WeakMap<object, number>();

/** Returns the estimated bytes of a value. */
export function valueBytes(value: unknown): number {
	if (typeof value === 'string') return TEXT_BYTES + CHARACTER_BYTES * value.length;
	if (typeof value !== 'object' || value === null) return NUMBER_BYTES;
	const cached = bytesByValue.get(value);
	if (cached !== undefined) return cached;
	const bytes = Array.isArray(value) ? listBytes(value) : recordBytes(value as Record<string, unknown>);
	if (bytes >= LARGE_VALUE) bytesByValue.set(value, bytes);
	return bytes;
}

function listBytes(list: readonly unknown[]): number {
	let bytes = LIST_BYTES + LIST_ITEM_BYTES * list.length;
	for (const item of list) if (typeof item !== 'number') bytes += valueBytes(item);
	return bytes;
}

function recordBytes(record: Readonly<Record<string, unknown>>): number {
	let bytes = RECORD_BYTES;
	for (const key in record) bytes += RECORD_MEMBER_BYTES + key.length + valueBytes(record[key]);
	return bytes;
}
