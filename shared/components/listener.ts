/**
 * Position from which sounds are heard, in place of the camera. It only decides what is heard, so no digest has it.
 */

import * as z from 'zod';
import { component } from '../contract/component.ts';
import { flag, optional } from '../contract/values.ts';

const SAYS = 'Sounds are heard from this entity instead of the camera; of several, the lowest id counts';

export const Listener = component({
	name: 'listener',
	title: 'Listener',
	scope: 'view',
	summary: SAYS,
	fields: {},
	readout: { schema: z.literal(true), from: () => true },
	spawn: {
		fields: { listener: optional(flag(SAYS)) },
		row: ({ listener }) => (listener === true ? {} : null),
		describe: (row) => ({ listener: row && true }),
	},
});
