/**
 * Entities in answers of the API: their components and their names.
 * Owns: the cases of entity.ts.
 */

import { expect, test } from 'vitest';
import { PALETTE } from '../../../../shared/media/palette.ts';
import {
	componentKeys,
	cssColor,
	type Entity,
	entityName,
	freeName,
	NAMED_COLORS,
	readEntity,
} from '../../../../web/ui/entities/entity.ts';

const REST = { position: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] } as const;

test('an entity is read from an answer, without `ok` as a component', () => {
	const entity = readEntity({ ok: true, id: 3, generation: 1, team: 2, gold: 5 });
	expect(entity).toEqual({ id: 3, generation: 1, team: 2, gold: 5 });
	expect(componentKeys(entity!)).toEqual(['team', 'gold']);
	expect(readEntity({ ok: false, code: 'entity_not_found' })).toBeNull();
});

test('an entity is called by its name, else by its role, else by its shape', () => {
	const entities: readonly Entity[] = [
		{ id: 0, generation: 0, mesh: 'cube' },
		{ id: 1, generation: 0, mesh: 'cylinder', team: 2, role: 'Tower', tags: ['outer'] },
		{ id: 2, generation: 1, mesh: 'models/old/well.glb' },
		{ id: 7, generation: 0, team: 1, role: 'Hero', health: [10, 20] },
		{ id: 9, generation: 0, team: 12 },
	];
	expect(entities.map(entityName)).toEqual(['Box', 'Tower', 'well', 'Hero', 'Entity']);
	expect(entityName({ id: 8, generation: 0, name: 'Wren', role: 'Hero' })).toBe('Wren');
	expect(entityName({ id: 4, generation: 0, transform: REST, terrain: {} })).toBe('Terrain');
	expect(entityName({ id: 5, generation: 0, light: {}, sound: {} })).toBe('Light');
	expect(entityName({ id: 3, generation: 0 })).toBe('Rule');
	expect(entityName({ id: 3, generation: 0, assertion: { name: 'b' } })).toBe('Assertion');
});

test('a new entity gets the first free number', () => {
	const named = ['Oak 1', 'Oak 3', undefined].map((name, id) => ({
		id,
		generation: 0,
		...(name && { name }),
	}));
	expect(['Oak', 'Box'].map((title) => freeName(title, named))).toEqual(['Oak 2', 'Box 1']);
});

test('the named colours equal those of the engine', () => {
	expect(NAMED_COLORS).toEqual(PALETTE);
	expect(cssColor('0.5,1,0')).toBe('rgb(128 255 0)');
	expect(cssColor('no colour')).toBe('transparent');
});
