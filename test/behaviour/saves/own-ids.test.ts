/** Ids within a document mean its own entities, wherever a schema says that an id stands. */

import { expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { post, get, spawn } = playing();

const taunt = (id: number) => ({ ApplyCc: { cc_type: { Taunt: { target_entity: id } }, duration: 1 } });
const ability = (id: number) => ({
	slot: 'Q',
	name: 'Taunt',
	effect: { AreaEffect: { radius: 3, effect: { Chain: [{ Heal: { amount: 1 } }, taunt(id)] } } },
});

/** A level whose two entities are 10 and 11, seen as 0 and 1 by whoever else is there. */
const level = {
	version: 1,
	templates: { knight: { health: 5, abilities: [ability(10)] } },
	resources: { heroes: [] as unknown[] },
	entities: [
		{ id: 10, tags: ['target'], health: 50 },
		{
			id: 11,
			health: 50,
			parent: 10,
			abilities: [ability(10)],
			loot: [{ label: 'ghost', weight: 1, spawn: { abilities: [ability(11)] } }],
			components: { view_filter: { rules: ['not:zone:10', 'tag:entity:10'] } },
		},
	],
	rules: [
		{
			when: {
				kind: 'all',
				of: [
					{ kind: 'tick', every: 1 },
					{ kind: 'enter', zone: { entity: 10, radius: 2 } },
				],
			},
			filter: 'team:1+entity:11',
			do: [
				{ action: 'damage', target: { entity: 11 }, amount: 1 },
				{ action: 'heal', target: { nearest: 'entity:10' }, amount: 1 },
				{
					action: 'emit',
					name: 'entity:10',
					data: { entity: 10, filter: 'entity:10' },
					about: { all: 'entity:11' },
				},
				{ action: 'spawn', mesh: 'cube', position: [0, 0, 0], parent: 10 },
				'score entity:10 1',
			],
		},
	],
	assertions: [
		{ name: 'text', condition: 'exists entity:10' },
		{ name: 'typed', condition: { type: 'entity_exists', filter: { type: 'entity', entity: 11 } } },
	],
};

test('every id is that of the entity that was made, and what only looks like one stays', async () => {
	for (let i = 0; i < 3; i++) await spawn({});
	const loaded = await post('/level/load', { level });
	expect(loaded.ok, loaded.message).toBe(true);
	const { entity_ids } = loaded;
	expect(entity_ids).toEqual([3, 4]);
	const document = await get('/scenario?exact=false');
	// A signal's data and name are the caller's, and so is a tag.
	expect(document.rules[0].actions[2]).toMatchObject({
		name: 'entity:10',
		data: { entity: 10, filter: 'entity:10' },
	});
	const [, , , , owner] = document.entities;
	expect(owner).toMatchObject({
		parent: 3,
		components: { view_filter: { rules: ['not:zone:3', 'tag:entity:10'] } },
	});
	expect(document.rules[0]).toMatchObject({
		filter: 'team:1+entity:4',
		actions: [
			{ target: { entity: 4 } },
			{ target: { nearest: 'entity:3' } },
			{ about: { all: 'entity:4' } },
			{ parent: 3 },
			{ target: { entity: 3 } },
		],
	});
	for (const [at, id] of [
		[document.templates.knight.abilities, 3],
		[owner.loot[0].spawn.abilities, 4],
	] as const)
		expect(at[0].effect.AreaEffect.effect.Chain[1]).toEqual(
			expect.objectContaining({
				ApplyCc: expect.objectContaining({ cc_type: { Taunt: { target_entity: id } } }),
			}),
		);
	const { assertions } = document;
	expect(assertions.map(({ condition }: { condition: { filter: unknown } }) => condition.filter)).toEqual([
		{ type: 'entity', entity: 3 },
		{ type: 'entity', entity: 4 },
	]);
});

test('abilities hold effects eight deep, not nine, whatever else was checked before', async () => {
	const nested = (depth: number): object =>
		depth === 0 ? { Heal: { amount: 1 } } : { AreaEffect: { radius: 1, effect: nested(depth - 1) } };
	for (let i = 0; i < 2; i++) {
		const body = (depth: number) => ({ abilities: [{ slot: 'Q', name: 'a', effect: nested(depth) }] });
		expect((await post('/spawn', body(9))).message).toContain('at most 8 deep');
		expect((await post('/spawn', body(8))).ok).toBe(true);
	}
});
