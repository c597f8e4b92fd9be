/** Marks an entity that has died and is still in the world. */

import * as z from 'zod';
import { component } from '../contract/component.ts';

export const Dead = component({
	name: 'dead',
	title: 'Dead',
	scope: 'state',
	summary: 'Marks a dead entity. It takes no damage and is no target. Pictures show a dead unit lying down',
	fields: {},
	readout: { schema: z.literal(true), from: () => true },
	removable: false,
});
