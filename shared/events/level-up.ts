/** Somebody grew. */

import { event, someone } from '../contract/event.ts';
import { integer } from '../contract/values.ts';

export const LevelUp = event({
	kind: 'level_up',
	summary: 'An entity reached a level',
	subject: 'entity',
	fields: { entity: someone('Who'), level: integer('The level') },
});
