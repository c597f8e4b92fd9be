/** The condition `entity`: an entity has a given id. */

import { entityId } from '../../contract/values.ts';
import { ABOUT_SUBJECT, typeCondition } from './condition.ts';

export const entity = typeCondition({
	name: 'entity',
	fields: () => ({ entity: entityId }),
	doc: 'Holds for the entity with this id. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	isSelector: true,
	colon: {
		form: 'entity:ID',
		read: (value) =>
			/^\d+$/.test(value ?? '') && Number(value) <= 0xffffffff ? { entity: Number(value) } : null,
	},
	write: (given) => `entity:${given.entity}`,
	sayGroup: (given) => `with id ${given.entity}`,
	say: (given) => `it is entity ${given.entity}`,
	reads: [],
});
