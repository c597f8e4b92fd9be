/** The action `score`: gives points in the match. */

import { integer } from '../../contract/values.ts';
import { AT_ONCE, action, target } from './action.ts';
import { aimWord, inOrder, wholeWord } from './words.ts';

export const score = action({
	kind: 'score',
	when: AT_ONCE,
	fields: { target, points: integer('Points', { min: -0x80000000, max: 0x7fffffff }) },
	form: 'TARGET POINTS',
	...inOrder(aimWord, wholeWord('points', 'the points')),
	access: { reads: ['team', 'match'], writes: ['match'], emits: ['score'] },
});
