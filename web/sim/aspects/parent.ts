/** Aspect: a new parent is alive, and no entity is its own ancestor. */

import { Parent } from '../../../shared/components/parent.ts';
import { entityAt } from '../core/entities.ts';
import { requireNoCycle, requireNoCycles, setParent } from '../transform/hierarchy.ts';
import type { Aspect } from './aspect.ts';

export const parent: Aspect = {
	components: [Parent],
	require(world, { document, id }) {
		if (document.parent == null) return;
		const newParent = entityAt(world, document.parent);
		if (id !== null) requireNoCycle(world, id, newParent);
	},
	begin(world, entity, { document }) {
		if (document.parent != null) setParent(world, entity, entityAt(world, document.parent));
		return undefined;
	},
	requireExisting: requireNoCycles,
};
