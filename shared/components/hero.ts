/** Hero definition of an entity. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';

export const Hero = component({
	name: 'hero',
	title: 'HeroName',
	scope: 'state',
	summary: 'Name of the hero definition that was applied to the entity',
	fields: { name: json<string>(z.string(), '', 'Name of the hero') },
	readout: { schema: z.string(), from: (row) => row.name },
});
