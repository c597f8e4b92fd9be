/**
 * Sentences of the view Odds.
 * Owns: the cases of odds-words.ts.
 */

import { describe, expect, it } from 'vitest';
import { rowText, subtitle, title } from '../../../../web/ui/odds/odds-words.ts';

const THIN = '\u202f';
const peek = { tick: 43_446, next_tick: 43_447, exact: true };

describe('title', () => {
	it('has the number of outcomes, or a lower bound', () => {
		expect(title(peek, 9, false)).toBe(`Tick 43${THIN}447 has 9 outcomes`);
		expect(title(peek, 9, true)).toBe(`Tick 43${THIN}447 had 9 outcomes`);
		expect(title(peek, 1, false)).toBe(`Tick 43${THIN}447 has one outcome`);
		expect(title({ ...peek, exact: false }, 4096, false)).toBe(
			`Tick 43${THIN}447 has at least 4${THIN}096 outcomes`,
		);
	});
});

describe('subtitle', () => {
	const from = `Predicted at tick 43${THIN}446`;
	it.each([
		[1, null, `${from}; there is nothing to draw.`],
		[9, null, `${from} as exact fractions; nothing is drawn yet.`],
		[9, 1, `${from} as exact fractions; one was drawn.`],
		[9, 2, `${from} as exact fractions; one of 2 with the same state was drawn.`],
		[9, 0, `${from} as exact fractions; the drawn outcome is not listed.`],
	])('of %d ways, %s drawn', (ways, drawn, words) => expect(subtitle(peek, ways, drawn)).toBe(words));
});

it('describes a row in one sentence', () => {
	const eighth = { num: '1', den: '8' };
	expect(rowText(['crit', 'no rune'], eighth, true, '7ad1103c937f47c6')).toBe(
		'crit and no rune, one eighth, drawn, leads to 7ad1 103c',
	);
	expect(rowText([], eighth, false, '7ad1103c937f47c6')).toBe('no choice, one eighth, leads to 7ad1 103c');
});
