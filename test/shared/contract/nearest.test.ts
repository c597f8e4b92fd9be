/** Suggestions for misspelt words. Among equally near words, the one with the same letters wins. */

import { expect, test } from 'vitest';
import { nearest } from '../../../shared/contract/nearest.ts';
import { readCondition } from '../../../shared/verbs/condition-text.ts';

test.each([
	['heath', ['death', 'health'], 'health'],
	['heath', ['health', 'death'], 'health'],
	['lave', ['live', 'leave'], 'leave'],
	['drgon', ['wagon', 'dragon'], 'dragon'],
	['healt', ['health', 'heal'], 'health'],
])('the word nearest to %s, of %j', (word, words, expected) => {
	expect(nearest(word, words)).toBe(expected);
});

test.each([
	['heath<5', 'Write field:health<5.'],
	['heath < 5', 'Write field:health<5.'],
	['glod>=3', 'Write field:gold>=3.'],
	['postion.y<1', 'Write field:position.y<1.'],
	['health.prcent<1', 'Write field:health.percent<1.'],
])('a misspelt comparison "%s" suggests a field', (text, fix) => {
	expect(() => readCondition(text, 'statement')).toThrow(expect.objectContaining({ fix }));
});
