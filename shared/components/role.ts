/** What part an entity plays. */

import * as z from 'zod';
import { component, words } from '../contract/component.ts';

export const ROLES = ['Hero', 'Minion', 'Tower', 'Structure'] as const;

export const Role = component({
	name: 'role',
	title: 'Role',
	scope: 'state',
	summary: 'The part an entity plays; decides who is attacked first',
	fields: { role: words(ROLES, 'The role') },
	readout: { schema: z.enum(ROLES), from: (row) => row.role },
});
