/**
 * The entity list: groups, search, rows, and the window of rows that is drawn.
 * Owns: the cases of entity.ts, entity-tree.ts and row-window.ts.
 */

import { describe, expect, it } from 'vitest';
import { PALETTE } from '../../shared/components/color.ts';
import { cssColor, type Entity, entityName, NAMED_COLORS } from '../../web/ui/entity.ts';
import { groupByTeam, matches, splitHits, treeRows } from '../../web/ui/entity-tree.ts';
import { rowWindow, scrollToRow } from '../../web/ui/row-window.ts';

const entities: readonly Entity[] = [
	{ id: 0, generation: 0, mesh: 'cube' },
	{ id: 1, generation: 0, mesh: 'cylinder', team: 2, role: 'Tower', tags: ['outer'] },
	{ id: 2, generation: 1, mesh: 'models/old/well.glb' },
	{ id: 7, generation: 0, team: 1, role: 'Hero', health: [10, 20] },
	{ id: 9, generation: 0, team: 12 },
];

describe('groupByTeam', () => {
	const groups = groupByTeam(entities);
	it('has teams in order and what has none last', () =>
		expect(groups.map(({ name }) => name)).toEqual(['Lapis', 'Vermilion', 'Team 12', 'No team']));
	it('keeps every entity once', () =>
		expect(groups.flatMap((group) => group.entities.map(({ id }) => id)).sort()).toEqual([0, 1, 2, 7, 9]));
	it('lists heads and the entities of open groups', () => {
		const rows = treeRows(groups, new Set(['w']));
		expect(rows).toHaveLength(4 + 3);
		expect(rows[0]).toMatchObject({ kind: 'group', open: true });
		expect(rows[1]).toMatchObject({ kind: 'entity', place: 1, of: 1 });
		expect(rows.at(-1)).toMatchObject({ kind: 'group', open: false });
	});
});

it('names entities by role, else by shape', () => {
	expect(entities.map(entityName)).toEqual(['Box', 'Tower', 'well', 'Hero', 'Entity']);
	expect(entityName({ id: 3, generation: 0 })).toBe('Rule');
	expect(entityName({ id: 3, generation: 0, assertion: { name: 'b' } })).toBe('Assertion');
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
		expect(hits('  ')).toHaveLength(5);
	});
});

it('cuts a name where the search hits it', () => {
	expect(splitHits('Tower', 'owe')).toEqual(['T', 'owe', 'r']);
	expect(splitHits('Tower', 'x')).toEqual(['Tower']);
});

describe('rowWindow', () => {
	it('draws only what is in sight, and a few more', () => {
		const window = rowWindow(10_000, 28, 28 * 5000, 560, 8);
		expect(window).toEqual({ first: 4992, end: 5028, before: 4992 * 28, total: 280_000 });
	});
	it('is right at both ends and for short lists', () => {
		expect(rowWindow(10_000, 28, 0, 560)).toMatchObject({ first: 0, end: 28 });
		expect(rowWindow(10_000, 28, 1e9, 560)).toMatchObject({ end: 10_000 });
		expect(rowWindow(3, 28, 0, 560)).toMatchObject({ first: 0, end: 3, total: 84 });
		expect(rowWindow(0, 28, 50, 560)).toMatchObject({ first: 0, end: 0, total: 0 });
	});
	it('scrolls as little as possible to a row', () => {
		expect(scrollToRow(5, 28, 0, 560)).toBe(0);
		expect(scrollToRow(30, 28, 0, 560)).toBe(31 * 28 - 560);
		expect(scrollToRow(2, 28, 500, 560)).toBe(56);
	});
});

it('has the same named colours as the engine', () => {
	expect(NAMED_COLORS).toEqual(PALETTE);
	expect(cssColor('0.5,1,0')).toBe('rgb(128 255 0)');
	expect(cssColor('no colour')).toBe('transparent');
});
