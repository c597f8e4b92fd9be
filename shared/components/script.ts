/** Script of an entity. */

import * as z from 'zod';
import { component, json, yesNo } from '../contract/component.ts';
import { namesThing } from '../contract/thing.ts';
import { keyText, optional } from '../contract/values.ts';

/** Default function of a script that is called on every tick. */
export const UPDATE = 'on_update';

export const scriptName = keyText('Name of a script', 50).meta(namesThing('script'));

export const updateName = z
	.string()
	.regex(/^[A-Za-z_][A-Za-z0-9_]{0,49}$/, 'the name of a Lua function must have only letters, digits and _')
	.describe('Function of the script that is called on every tick, with the entity and dt');

export const Script = component({
	name: 'script',
	title: 'Script',
	scope: 'state',
	summary: 'Script that moves the entity on every tick. GET /script/list shows its errors',
	fields: {
		script: json<string>(scriptName, 'script', 'Name of the script'),
		update_fn: json<string>(updateName, UPDATE, 'Function called on every tick'),
		enabled: yesNo('1: it runs', 1),
	},
	spawn: {
		fields: {
			script: optional(scriptName.describe('Name of the script that moves it; POST /script/load adds one')),
		},
		row: ({ script }) => (script == null ? null : { script }),
		describe: (row) => ({ script: row?.script }),
	},
});
