/**
 * Position from which sounds are heard, instead of the camera. The state does not depend on it, so no digest includes
 * it.
 */

import * as z from 'zod';
import { component } from '../contract/component.ts';
import { flag, optional } from '../contract/values.ts';

const DESCRIPTION =
	'Sounds are heard from this entity instead of the camera; of several, the lowest id counts';

export const Listener = component({
	name: 'listener',
	title: 'Listener',
	scope: 'view',
	summary: DESCRIPTION,
	fields: {},
	readout: { schema: z.literal(true), from: () => true },
	spawn: {
		fields: { listener: optional(flag(DESCRIPTION)) },
		row: ({ listener }) => (listener === true ? {} : null),
		describe: (row) => ({ listener: row && true }),
	},
});
