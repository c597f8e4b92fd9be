/**
 * The drawn window of rows of a long list.
 * Owns: the cases of row-window.ts.
 */

import { describe, expect, it } from 'vitest';
import { rowWindow, scrollToRow } from '../../../../web/ui/controls/row-window.ts';

describe('rowWindow', () => {
	it('draws only visible rows, and a few more', () => {
		const window = rowWindow(10_000, 28, 28 * 5000, 560, 8);
		expect(window).toEqual({ first: 4992, end: 5028, before: 4992 * 28, total: 280_000 });
	});
	it('is correct at both ends and for short lists', () => {
		expect(rowWindow(10_000, 28, 0, 560)).toMatchObject({ first: 0, end: 28 });
		expect(rowWindow(10_000, 28, 1e9, 560)).toMatchObject({ end: 10_000 });
		expect(rowWindow(3, 28, 0, 560)).toMatchObject({ first: 0, end: 3, total: 84 });
		expect(rowWindow(0, 28, 50, 560)).toMatchObject({ first: 0, end: 0, total: 0 });
	});
	it('scrolls as little as possible to a row', () => {
		expect(scrollToRow(5, 28, 0, 560)).toBe(0);
		expect(scrollToRow(30, 28, 0, 560)).toBe(31 * 28 - 560);
		expect(scrollToRow(2, 28, 500, 560)).toBe(56);
	});
});
