/** Name of an entity. */

import * as z from 'zod';
import { component, json, singleValueSpawn } from '../contract/component.ts';
import { optional, text } from '../contract/values.ts';

export const MAX_NAME = 64;

export const entityName = text('Name for people; need not be unique', MAX_NAME)
	.min(1)
	.regex(/^\S(?:.*\S)?$/, 'a name must be one line that neither begins nor ends with a blank');

export const Name = component({
	name: 'name',
	title: 'Name',
	scope: 'state',
	summary: 'Name for people; several entities may have the same',
	fields: { name: json<string>(z.string(), '', 'The name', { documentField: 'name' }) },
	readout: { schema: z.string(), from: (row) => row.name },
	spawn: singleValueSpawn('name', 'name', optional(entityName)),
});
