/** Names of entities for sentences. */

import { entityLabel } from '../../entities/entity.ts';
import { usePanels } from '../../state/panels.ts';
import type { NameOf } from './rule-words.ts';

/** Returns a function that returns the name of an entity. */
export function useNames(): NameOf {
	const { entities } = usePanels();
	const named = new Map(entities.list.value.map((entity) => [entity.id, entity]));
	return (id) => {
		const entity = named.get(id);
		return entity === undefined ? `entity ${id}` : entityLabel(entity);
	};
}
