/** The condition `role`: an entity has a role. */

import { ROLES } from '../../components/role.ts';
import { word } from '../../contract/values.ts';
import { ABOUT_SUBJECT, typeCondition } from './condition.ts';

export const role = typeCondition({
	name: 'role',
	fields: () => ({ role: word(ROLES, 'Role') }),
	doc: 'Holds for entities with this role. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	isSelector: true,
	colon: {
		form: `role:${ROLES.map((name) => name.toLowerCase()).join('|')}`,
		values: ROLES,
		read: (value) => {
			const role = ROLES.find((name) => name.toLowerCase() === value?.toLowerCase());
			return role === undefined ? null : { role: role };
		},
	},
	write: (given) => `role:${given.role.toLowerCase()}`,
	sayGroup: (given) => `with role ${given.role.toLowerCase()}`,
	say: (given) => `it is a ${given.role.toLowerCase()}`,
	reads: ['role'],
});
