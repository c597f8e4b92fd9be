/** Last attacker of an entity, which counts as its killer. */

import { component, entityRef } from '../contract/component.ts';
import { handle } from '../contract/handle.ts';

export const LastAttacker = component({
	name: 'last_attacker',
	title: 'LastAttacker',
	scope: 'state',
	summary: 'Source of the last damage that had a source; it counts as the killer when the entity dies',
	fields: { entity: entityRef('The attacker') },
	readout: { schema: handle.nullable(), from: (row) => row.entity },
});
