/**
 * The entity list: groups, search and rows.
 * Owns: the cases of entity-tree.ts.
 */

import { describe, expect, it } from 'vitest';
import type { Entity } from '../../../../web/ui/entities/entity.ts';
import { groupByTeam, matches, splitHits, treeRows } from '../../../../web/ui/make/entity-tree.ts';

const entities: readonly Entity[] = [
	{ id: 0, generation: 0, mesh: 'cube' },
	{ id: 1, generation: 0, mesh: 'cylinder', team: 2, role: 'Tower', tags: ['outer'] },
	{ id: 2, generation: 1, mesh: 'models/old/well.glb' },
	{ id: 7, generation: 0, team: 1, role: 'Hero', health: [10, 20] },
	{ id: 9, generation: 0, team: 12 },
	{ id: 12, generation: 0, name: 'Old mill', mesh: 'cone' },
];

describe('groupByTeam', () => {
	const groups = groupByTeam(entities);
	it('has the teams in order, and entities without a team last', () =>
		expect(groups.map(({ name }) => name)).toEqual(['Lapis', 'Vermilion', 'Team 12', 'No team']));
	it('keeps every entity once', () =>
		expect(groups.flatMap((group) => group.entities.map(({ id }) => id)).sort()).toEqual([
			0, 1, 12, 2, 7, 9,
		]));
	it('lists heads and the entities of open groups', () => {
		const rows = treeRows(groups, new Set(['w']));
		expect(rows).toHaveLength(4 + 3);
		expect(rows[0]).toMatchObject({ kind: 'group', open: true });
		expect(rows[1]).toMatchObject({ kind: 'entity', position: 1, of: 1 });
		expect(rows.at(-1)).toMatchObject({ kind: 'group', open: false });
	});
	it('has children below their parents, and each entity once, also in a cycle', () => {
		const rest = { position: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] } as const;
		const placed = (id: number, parent?: number, team?: number): Entity => ({
			id,
			generation: 0,
			local_transform: rest,
			...(parent === undefined ? {} : { parent: { id: parent, generation: 0 } }),
			...(team === undefined ? {} : { team }),
		});
		const list = [placed(1, 5), placed(2, 1), placed(3, 5, 1), placed(5), placed(7, 8), placed(8, 7)];
		const rows = treeRows(groupByTeam(list), new Set());
		expect(rows.flatMap((row) => (row.kind === 'entity' ? [[row.entity.id, row.depth]] : []))).toEqual([
			[3, 0],
			[5, 0],
			[1, 1],
			[2, 2],
			[7, 0],
			[8, 1],
		]);
	});
});

describe('matches', () => {
	const hits = (search: string) => entities.filter((entity) => matches(entity, search)).map(({ id }) => id);
	it('finds names, tags, teams, components and ids', () => {
		expect(hits('tower')).toEqual([1]);
		expect(hits('OUTER')).toEqual([1]);
		expect(hits('lapis')).toEqual([7]);
		expect(hits('health')).toEqual([7]);
		expect(hits('9')).toEqual([9]);
		expect(hits('vermilion tower')).toEqual([1]);
		expect(hits('vermilion hero')).toEqual([]);
		expect(hits('old mill')).toEqual([12]);
		expect(hits('cone')).toEqual([12]);
		expect(hits('  ')).toHaveLength(6);
	});
});

it('cuts a name where the search hits it', () => {
	expect(splitHits('Tower', 'owe')).toEqual(['T', 'owe', 'r']);
	expect(splitHits('Tower', 'x')).toEqual(['Tower']);
});
