/** The suggestion for a misspelt word: of words as near, the one made of its letters. */

import { expect, test } from 'vitest';
import { nearest } from '../../../shared/contract/nearest.ts';
import { readCondition } from '../../../shared/verbs/condition-text.ts';

test.each([
	['heath', ['death', 'health'], 'health'],
	['heath', ['health', 'death'], 'health'],
	['lave', ['live', 'leave'], 'leave'],
	['drgon', ['wagon', 'dragon'], 'dragon'],
	['healt', ['health', 'heal'], 'health'],
])('%s among %j', (word, among, expected) => {
	expect(nearest(word, among)).toBe(expected);
});

test.each([
	['heath<5', 'Write field:health<5.'],
	['heath < 5', 'Write field:health<5.'],
	['glod>=3', 'Write field:gold>=3.'],
	['postion.y<1', 'Write field:position.y<1.'],
	['health.prcent<1', 'Write field:health.percent<1.'],
])('comparisons are with fields, so "%s" suggests one', (text, fix) => {
	expect(() => readCondition(text, 'statement')).toThrow(expect.objectContaining({ fix }));
});
