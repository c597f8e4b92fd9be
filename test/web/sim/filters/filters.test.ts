/** Filters: a visit of matches equals a test of every entity, in slot order. */

import { expect, test } from 'vitest';
import { Health } from '../../../../shared/components/health.ts';
import { eachEntity } from '../../../../web/sim/core/entities.ts';
import { despawn, has } from '../../../../web/sim/core/world.ts';
import { eachMatch, matches, parseFilter } from '../../../../web/sim/rules/conditions/filter.ts';
import { spawnEntity } from '../../../../web/sim/spawn/spawn-entity.ts';
import { freshWorld } from '../../../support/engine.ts';

test('every kind of filter visits exactly the matching entities', async () => {
	const world = await freshWorld();
	for (let i = 0; i < 200; i++)
		spawnEntity(world, {
			position: [i, 0, 0],
			...(i % 2 === 0 ? { health: 10 } : {}),
			...(i % 3 === 0 ? { team: i % 4 } : {}),
			...(i % 5 === 0 ? { tags: i % 10 === 0 ? ['a', 'b'] : ['b'] } : {}),
			...(i % 7 === 0 ? { role: 'hero' as const } : {}),
		});
	for (let i = 0; i < 200; i += 11) despawn(world, i);
	const filters = [
		'any',
		'entity:6',
		'entity:11',
		'entity:5000',
		'team:0',
		'team:2',
		'role:hero',
		'role:tower',
		'tag:a',
		'tag:none',
		'component:health',
		'tag:b+team:0',
		'role:hero+component:health',
		'entity:30+tag:a',
	];
	for (const text of filters)
		for (const having of [[], [Health]]) {
			const filter = parseFilter(text);
			const expected: number[] = [];
			eachEntity(world, (id) => {
				if (matches(world, id, filter) && having.every((component) => has(world, id, component)))
					expected.push(id);
			});
			const found: number[] = [];
			eachMatch(world, filter, having, (id) => found.push(id));
			expect(found, text).toEqual(expected);
		}
});
