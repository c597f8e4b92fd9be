/** The action `score`: gives points in the match. */

import { integer } from '../../contract/values.ts';
import { readWhole } from '../verb-text.ts';
import { AT_ONCE, action, aimed, target } from './action.ts';

export const score = action({
	kind: 'score',
	when: AT_ONCE,
	fields: { target, points: integer('Points', { min: -0x80000000, max: 0x7fffffff }) },
	form: 'TARGET POINTS',
	most: 2,
	read: ([whom, points]) => ({ ...aimed(whom), points: readWhole(points, 'the points') }),
	access: { reads: ['team', 'match'], writes: ['match'], emits: ['score'] },
});
