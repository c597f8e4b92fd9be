/** An entity reached a level. */

import { entityField, event } from '../contract/event.ts';
import { integer } from '../contract/values.ts';

export const LevelUp = event({
	kind: 'level_up',
	summary: 'An entity reached a level',
	subject: 'entity',
	fields: { entity: entityField('Entity that reached it'), level: integer('The level') },
});
