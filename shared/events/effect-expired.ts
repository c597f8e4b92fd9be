/** A status effect ended. */

import { entityField, event } from '../contract/event.ts';
import { integer, text } from '../contract/values.ts';

export const EffectExpired = event({
	kind: 'effect_expired',
	summary: 'A status effect ended because its duration was over',
	subject: 'entity',
	source: 'source',
	fields: {
		entity: entityField('Entity that had the effect'),
		tag: text('Name of the effect'),
		effect_id: integer('Id of the effect, unique within its entity'),
		source: entityField('Entity that applied it').nullable(),
	},
});
