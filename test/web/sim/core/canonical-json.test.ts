/** Canonical JSON: equal values have equal bytes. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, canonicalPieces, withSortedKeys } from '../../../../web/sim/core/canonical-json.ts';
import { check } from '../../../support/property.ts';

/** Returns a value with the keys of every object in reverse order. */
function reverseKeys(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(reverseKeys);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.reverse()
			.map(([key, inner]) => [key, reverseKeys(inner)]),
	);
}

test('the order of keys has no effect, and the text contains the whole value', async () => {
	await check(500, [fc.jsonValue()], (value) => {
		const text = canonicalJson(value);
		expect(canonicalJson(reverseKeys(value))).toBe(text);
		expect(JSON.stringify(withSortedKeys(value))).toBe(text);
		for (const levels of [0, 1, 3]) expect([...canonicalPieces(value, levels)].join('')).toBe(text);
		expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
	});
});

test('keys have the order of their code units, whole numbers first, and undefined members are omitted', () => {
	const value = { b: 1, a: { d: [undefined], c: undefined }, 10: 0, 9: 0 };
	expect([...canonicalPieces(value)].join('')).toBe(canonicalJson(value));
	expect(canonicalJson(value)).toBe('{"9":0,"10":0,"a":{"d":[null]},"b":1}');
	expect(canonicalJson(undefined)).toBe('null');
});

test('a key may be any text', () => {
	const sent = JSON.parse('{"b":1,"__proto__":{"z":1,"y":2}}');
	expect(canonicalJson(sent)).toBe('{"__proto__":{"y":2,"z":1},"b":1}');
});

test('an ordered value is not copied', () => {
	const value = { a: [{ b: 1, c: 2 }], d: null };
	expect(withSortedKeys(value)).toBe(value);
});
