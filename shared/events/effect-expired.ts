/** A status effect ended. */

import { event, someone } from '../contract/event.ts';
import { integer, text } from '../contract/values.ts';

export const EffectExpired = event({
	kind: 'effect_expired',
	summary: 'A status effect ended because its time was over',
	subject: 'entity',
	source: 'source',
	fields: {
		entity: someone('Who had it'),
		tag: text('Name of the effect'),
		effect_id: integer('Its id'),
		source: someone('Who had applied it').nullable(),
	},
});
