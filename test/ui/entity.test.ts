/** Reading an entity out of an answer: what is not a component of it is not shown as one. */

import { expect, test } from 'vitest';
import { componentKeys, readEntity } from '../../web/ui/entity.ts';

test('the answer of GET /entities/{id} says that it is one; the entity has no such component', () => {
	const entity = readEntity({ ok: true, id: 3, generation: 1, team: 2, gold: 5 });
	expect(entity).toEqual({ id: 3, generation: 1, team: 2, gold: 5 });
	expect(componentKeys(entity!)).toEqual(['team', 'gold']);
	expect(readEntity({ ok: false, code: 'entity_not_found' })).toBeNull();
});
