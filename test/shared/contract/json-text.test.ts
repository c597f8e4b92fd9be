/** JSON from outside: what JSON.parse accepts is accepted, except repeated keys, half characters and deep nesting. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../shared/contract/errors.ts';
import { parseJson, parseJsonText } from '../../../shared/contract/json-text.ts';
import { MAX_DEPTH, MAX_DOCUMENT_BYTES } from '../../../shared/contract/wire.ts';
import { check, SEED } from '../../support/property.ts';

function refusalOf(text: string): Refusal {
	try {
		parseJsonText(text, 'The body');
	} catch (error) {
		if (error instanceof Refusal) return error;
		throw error;
	}
	throw new Error('the text was accepted');
}

const nested = (depth: number, inner = '') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;
/** Every key except `__proto__`, which no record may have. */
const recordKeys = fc.string().filter((name) => name !== '__proto__');
const tokenSequence = fc
	.array(
		fc.constantFrom(
			'{',
			'}',
			'[',
			']',
			',',
			':',
			'"',
			'\\',
			'"a"',
			'"b"',
			'1',
			'null',
			' ',
			'"\\""',
			'\\u0061',
		),
		{
			maxLength: 24,
		},
	)
	.map((parts) => parts.join(''));

describe(`against JSON.parse (seed ${SEED})`, () => {
	test('every value reads back unchanged', () =>
		check(500, [fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, '\t')], (value, indent) => {
			const text = JSON.stringify(value, null, indent);
			expect(parseJsonText(text, 'It')).toEqual(JSON.parse(text));
		}));

	test('a text is refused exactly if it is no JSON or has a key twice', () =>
		check(3000, [tokenSequence], (text) => {
			let value: unknown;
			try {
				value = JSON.parse(text);
			} catch {
				expect(refusalOf(text).fix).toBeUndefined();
				return;
			}
			try {
				expect(parseJsonText(text, 'It')).toEqual(value);
			} catch (error) {
				if (!(error instanceof Refusal)) throw error;
				expect(error.message).toMatch(/^An object in It has the key ".*" more than once\.$/);
			}
		}));

	test('an added member with the same key is found at any place', () =>
		check(
			300,
			[fc.dictionary(recordKeys, fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 }), fc.nat(), fc.nat(5)],
			(record, keyIndex, nesting) => {
				const keys = Object.keys(record);
				const key = keys[keyIndex % keys.length]!;
				const twin = `${JSON.stringify(record).slice(0, -1)},${JSON.stringify(key)}:0}`;
				const { message, fix } = refusalOf(nested(nesting, twin));
				expect(fix).toBeDefined();
				expect(message).toBe(`An object in the body has the key "${key}" more than once.`);
			},
		));
});

test('a key in another spelling is the same key', () => {
	expect(refusalOf('{"a":1,"\\u0061":2}').fix).toBe('Send "a" once.');
	expect(refusalOf('[{"a":{"a":1}},{"constructor":1,"constructor":2}]').fix).toBe('Send "constructor" once.');
	expect(refusalOf(`{"${'k'.repeat(5000)}":1,"${'k'.repeat(5000)}":2}`).message.length).toBeLessThan(200);
});

test('nesting is counted, and refused before parsing', () => {
	expect(parseJsonText(nested(MAX_DEPTH), 'It')).toBeDefined();
	expect(refusalOf(nested(MAX_DEPTH + 1)).fix).toBe('Nest at most 200 levels.');
	expect(parseJsonText(JSON.stringify('['.repeat(1000)), 'It')).toBe('['.repeat(1000));
	expect(refusalOf('['.repeat(5_000_000)).message).toContain('deeper than 200');
});

describe('a text of a quarter of the maximum length', () => {
	// Long enough to break a check that recurses or backtracks, and short enough for a quick test.
	const textLength = MAX_DOCUMENT_BYTES / 4;
	const textOf = (unit: string) => `"${unit.repeat(Math.floor((textLength - 2) / unit.length))}"`;
	const listOf = (unit: string) =>
		`[${`${unit},`.repeat(Math.floor((textLength - 8) / (unit.length + 1)))}0]`;
	test.each([
		['one text', textOf('a')],
		['one text of escaped quotes', textOf('\\"')],
		['one text of backslashes', textOf('\\\\')],
		['numbers', listOf('1')],
		['empty texts', listOf('""')],
		['lists', listOf('[]')],
		['spaces', `${' '.repeat(textLength - 1)}1`],
	])('%s is accepted', (_, text) => {
		const value = parseJson(new TextEncoder().encode(text), 'It');
		expect(typeof value === 'object' ? (value as unknown[]).length : String(value).length).toBeGreaterThan(0);
	});

	test.each([
		['a text that does not end', textOf('a').slice(0, -1)],
		['a text that ends in a backslash', `"${'\\'.repeat(textLength - 2)}`],
		['colons', ':'.repeat(textLength)],
		['brackets that only close', ']'.repeat(textLength)],
	])('%s is not JSON', (_, text) => {
		expect(refusalOf(text).fix).toBeUndefined();
	});
});

test('bytes that are not UTF-8 are not JSON', () => {
	expect(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22), 'orc.json')).toThrow(/^orc\.json is not JSON: /);
});

test('half a character is refused at any place, and whole ones are accepted', () => {
	for (const text of [
		'"\\ud800"',
		'{"a\\udc00":1}',
		'["\\ud800\\ud800\\udc00"]',
		'"\\uD800x"',
		'"\\\\\\udfff"',
	])
		expect(refusalOf(text).message, text).toContain('half of a character');
	for (const text of ['"\\ud83d\\ude00"', '"\\\\ud800"', '"\\u00e9\\n"', '"😀"'])
		expect(parseJsonText(text, 'The body')).toBe(JSON.parse(text));
});
