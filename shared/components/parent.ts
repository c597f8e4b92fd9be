/** The parent of an entity. */

import { component, entityRef } from '../contract/component.ts';
import { handle } from '../contract/handle.ts';

export const Parent = component({
	name: 'parent',
	title: 'Parent',
	scope: 'state',
	summary: 'Entity whose pose this one follows. Physics moves only entities without a parent',
	fields: { entity: entityRef('The parent') },
	readout: { schema: handle.nullable(), from: (row) => row.entity },
});
