/** Pages of answers: that nothing of an answer is lost, which ones go first, and what stays the same. */

import { describe, expect, test } from 'vitest';
import { AnswerPages } from '../../../../web/host/journal/answer-pages.ts';
import type { KeptAnswer } from '../../../../web/host/journal/keys.ts';

function answer(key: string, bytes: number, at = 0): KeptAnswer {
	const body = new Uint8Array(bytes).fill(key.length);
	const request = `POST /spawn? 2 ${key}`;
	const place = { entry: 7, world: 'main', tick: 3, digest: '0123456789abcdef' };
	return { key, request, status: 200, headers: { 'x-é': 'ü' }, body, at, ...place };
}

function filled(count: number, bytes: number): AnswerPages {
	const pages = new AnswerPages();
	for (let i = 0; i < count; i++) pages.add(answer(`key-${i}`, bytes, i));
	return pages;
}

describe('pages of answers', () => {
	test('have every answer as it was given', () => {
		const pages = filled(3000, 400);
		expect(pages.size).toBe(3000);
		for (const i of [0, 1, 1500, 2999]) expect(pages.find(`key-${i}`)).toEqual(answer(`key-${i}`, 400, i));
		expect(pages.find('key-3000')).toBeUndefined();
	});

	test('take little more than what the answers say', () => {
		const pages = filled(10_000, 300);
		expect(pages.bytes).toBeLessThan(10_000 * 600);
	});

	test('have one that is larger than a page, and what comes after it', () => {
		const pages = filled(10, 100);
		pages.add(answer('large', 1_000_000));
		pages.add(answer('after', 5));
		pages.add(answer('empty', 0));
		for (const key of ['key-9', 'large', 'after', 'empty']) expect(pages.find(key)?.key).toBe(key);
		expect(pages.find('large')!.body).toHaveLength(1_000_000);
	});

	test('have the last answer of a key, also when the page with the one before is dropped', () => {
		const pages = filled(3000, 400);
		pages.add(answer('key-0', 12, 9));
		expect(pages.size).toBe(3000);
		pages.dropOldest();
		expect(pages.find('key-0')).toEqual(answer('key-0', 12, 9));
		expect(pages.find('key-1')).toBeUndefined();
		expect(pages.find('key-2999')).toBeDefined();
	});

	test('drop the oldest first, until the one that is written to is the only one', () => {
		const pages = filled(3000, 400);
		const all = pages.all().length;
		expect(all).toBeGreaterThan(3);
		let before = Number.NEGATIVE_INFINITY;
		for (let left = all; left > 1; left--) {
			expect(pages.oldest).toBeGreaterThan(before);
			before = pages.oldest!;
			pages.dropOldest();
		}
		expect(pages.oldest).toBeUndefined();
		expect(pages.find('key-2999')).toBeDefined();
		pages.dropOldest();
		expect([pages.size, pages.bytes]).toEqual([0, 0]);
		pages.add(answer('again', 3));
		expect(pages.find('again')).toBeDefined();
	});

	test('are the same bytes each time but for the last one, and go on in another place', () => {
		const pages = filled(3000, 400);
		const before = pages.all();
		pages.add(answer('more', 20));
		const after = pages.all();
		expect(after).toHaveLength(before.length);
		for (let i = 0; i + 1 < before.length; i++) expect(after[i]).toBe(before[i]);
		const other = new AnswerPages();
		other.restore(after.map((page) => page.slice()));
		expect(other.size).toBe(3001);
		for (const key of ['key-0', 'key-2999', 'more']) expect(other.find(key)).toEqual(pages.find(key));
		other.add(answer('here', 20));
		expect(other.find('here')).toBeDefined();
		expect(other.find('more')).toEqual(pages.find('more'));
	});

	test('that are cut off are refused', () => {
		const [page] = filled(3, 40).all();
		expect(() => new AnswerPages().restore([page!.subarray(0, page!.length - 1)])).toThrow(RangeError);
		expect(() => new AnswerPages().restore([page!.subarray(0, 5)])).toThrow(RangeError);
	});
});
