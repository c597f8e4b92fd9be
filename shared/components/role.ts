/** The role of an entity. */

import * as z from 'zod';
import { component, words } from '../contract/component.ts';
import { optional, word } from '../contract/values.ts';

export const ROLES = ['Hero', 'Minion', 'Tower', 'Structure'] as const;

/** Words of the roles in documents, in the same order. */
export const ROLE_WORDS = ['hero', 'minion', 'tower', 'structure'] as const;

export const Role = component({
	name: 'role',
	title: 'Role',
	scope: 'state',
	summary: 'Role of an entity; it sets which targets are attacked first',
	fields: { role: words(ROLES, 'The role') },
	readout: { schema: z.enum(ROLES), from: (row) => row.role },
	spawn: {
		fields: { role: optional(word(ROLE_WORDS, 'Role')) },
		row: ({ role }) => (role == null ? null : { role: ROLES[ROLE_WORDS.indexOf(role)]! }),
		describe: (row) => ({ role: row && ROLE_WORDS[ROLES.indexOf(row.role)]! }),
	},
});
