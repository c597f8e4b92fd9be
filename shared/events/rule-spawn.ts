/** A rule made somebody. */

import { event, someone } from '../contract/event.ts';
import { text } from '../contract/values.ts';

export const RuleSpawn = event({
	kind: 'rule_spawn',
	summary: 'A rule made an entity',
	subject: 'entity',
	fields: {
		entity: someone('Who was made'),
		mesh: text('Shape that is drawn').nullable(),
		color: text('Colour').nullable(),
	},
});
