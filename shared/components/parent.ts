/** The parent of an entity. */

import { component, entityRef } from '../contract/component.ts';
import { handle } from '../contract/handle.ts';

export const Parent = component({
	name: 'parent',
	title: 'Parent',
	scope: 'state',
	summary: 'The entity whose pose this one follows. Only entities without a parent are moved by physics',
	fields: { entity: entityRef('The parent') },
	readout: { schema: handle.nullable(), from: (row) => row.entity },
});
