/** A rule spawned an entity. */

import { entityField, event } from '../contract/event.ts';
import { text } from '../contract/values.ts';

export const RuleSpawn = event({
	kind: 'rule_spawn',
	summary: 'A rule spawned an entity',
	subject: 'entity',
	fields: {
		entity: entityField('Entity that was spawned'),
		mesh: text('Shape that is drawn').nullable(),
		color: text('Colour').nullable(),
	},
});
