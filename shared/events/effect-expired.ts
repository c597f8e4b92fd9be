/** A status effect ended. */

import { event, someone } from '../contract/event.ts';
import { integer, text } from '../contract/values.ts';

export const EffectExpired = event({
	kind: 'effect_expired',
	summary: 'A status effect ended because its duration was over',
	subject: 'entity',
	source: 'source',
	fields: {
		entity: someone('Entity that had the effect'),
		tag: text('Name of the effect'),
		effect_id: integer('Id of the effect, unique within its entity'),
		source: someone('Entity that applied it').nullable(),
	},
});
