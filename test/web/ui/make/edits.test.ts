/**
 * Edits of several entities as calls, and descriptions of calls.
 * Owns: the requests, poses below parents, and the words of undo.
 */

import { expect, test } from 'vitest';
import type { Entity } from '../../../../web/ui/entities/entity.ts';
import { shownSelection, signsOf } from '../../../../web/ui/entities/shown-selection.ts';
import { callWords } from '../../../../web/ui/make/call-words.ts';
import {
	copiedOf,
	copyRequests,
	groupRequests,
	parentRequests,
	poseRequests,
	removeRequests,
	ungroupRequests,
} from '../../../../web/ui/make/edits.ts';
import { createDoings } from '../../../../web/ui/state/doings.ts';

const HALF = Math.SQRT1_2;

/** 1 is turned by 90 degrees about y and has twice the size. 2 is its child, and 3 is a child of 2. 5 has no parent. */
const list: readonly Entity[] = [
	entity(1, [4, 0, 0], undefined, [0, HALF, 0, HALF], [2, 2, 2]),
	entity(2, [1, 0, 0], 1),
	entity(3, [0, 1, 0], 2),
	{ ...entity(5, [0, 2, 2]), agent_id: 7 },
];

function entity(
	id: number,
	position: readonly [number, number, number],
	parent?: number,
	rotation: readonly [number, number, number, number] = [0, 0, 0, 1],
	scale: readonly [number, number, number] = [1, 1, 1],
): Entity {
	return {
		id,
		generation: 0,
		mesh: 'cube',
		local_transform: { position, rotation, scale },
		...(parent === undefined ? {} : { parent: { id: parent, generation: 0 } }),
	};
}

const near = (...numbers: readonly number[]) => numbers.map((number) => expect.closeTo(number, 6));

test('a shown selection has the poses of selected entities, and the children that move with them', () => {
	const [selectedEntity, two] = shownSelection([1, 2], list, []);
	expect(selectedEntity).toMatchObject({ id: 1, descendants: [2, 3], isCarried: false });
	expect(two).toMatchObject({ id: 2, descendants: [3], isCarried: true });
	expect(two!.pose!.slice(0, 3)).toEqual(near(4, 0, -2));
	expect(shownSelection([8], list, [entity(8, [1, 1, 1])])).toHaveLength(1);
	const { mesh: _, ...lamp } = { ...entity(6, [1, 0, 0], 1), light: {} };
	expect(signsOf([...list, lamp])).toEqual([
		{ id: 6, generation: 0, kind: 'light', position: near(4, 0, -2) },
	]);
});

test('a drag changes the local pose, for any parents', () => {
	const [alone, child] = poseRequests(
		[
			{ id: 5, generation: 0, position: [1, 2, 3] },
			{ id: 2, generation: 0, position: [4, 0, -6] },
			{ id: 3, generation: 4, position: [9, 9, 9] },
		],
		list,
	);
	expect(alone).toEqual({
		path: '/entities/5/components',
		body: { generation: 0, agent_id: 7, transform: { position: [1, 2, 3] } },
	});
	expect(child!.body.transform).toEqual({ position: near(3, 0, 0) });
});

test('copies keep their children, are placed beside the originals, have free names, and escape texts with $', () => {
	const documents = [
		{ id: 1, name: 'Oak 7', position: [4, 0, 0], ai_patrol: [[4, 0, 2]] },
		{ id: 2, name: 'Oak', parent: 1, position: [1, 0, 0], script: '$x', components: { health: null } },
		{ id: 3, parent: 2, position: [0, 1, 0] },
		{ id: 5, position: [0, 2, 2] },
	];
	const copied = copiedOf([list[1]!, list[0]!], list, documents);
	expect(copied.map(({ id }) => id)).toEqual([1, 2, 3]);
	const others = [{ ...list[0]!, name: 'Oak 1' }, ...list.slice(1)];
	expect(copyRequests(copied, others)).toEqual([
		{
			path: '/spawn',
			as: 'copy_1',
			body: { name: 'Oak 2', position: [5, 0, 0], ai_patrol: [[5, 0, 2]] },
		},
		{
			path: '/spawn',
			as: 'copy_2',
			body: { name: 'Oak 3', position: [1, 0, 0], script: '$$x', parent: '$copy_1.id' },
		},
		{ path: '/spawn', as: 'copy_3', body: { position: [0, 1, 0], parent: '$copy_2.id' } },
	]);
	const [below] = copyRequests([documents[1] as (typeof copied)[number]], list);
	expect(below!.body).toEqual({ name: 'Oak 1', position: [2, 0, 0], script: '$$x', parent: 1 });
});

test('grouping and ungrouping keep the places in the world, and deleting includes all descendants', () => {
	const [group, first, second, ...none] = groupRequests([list[0]!, list[1]!, list[3]!], list);
	expect(none).toEqual([]);
	expect(group!.body).toMatchObject({ name: 'Group 1', position: [2, 1, 1] });
	expect([first, second].map((one) => one!.body)).toMatchObject([
		{ parent: '$group.id', transform: { position: [2, -1, -1] } },
		{ parent: '$group.id', transform: { position: [-2, 1, 1] } },
	]);
	const [freed] = ungroupRequests([list[0]!], list);
	expect(freed!.body).toMatchObject({ remove: ['parent'], transform: { position: near(4, 0, -2) } });
	expect(removeRequests([list[0]!], list).map(({ body }) => body.entity_id)).toEqual([1, 2, 3]);
});

test('undo has a description of each call', () => {
	const words = (path: string, body: unknown) => callWords('POST', path, body, (id) => `Box ${id}`);
	const moved = { generation: 0, transform: { position: [0, 0, 0] } };
	expect(words('/entities/3/components', moved)).toBe('Move Box 3');
	expect(words('/entities/3/components', { mana: 5 })).toBe('Change mana of Box 3');
	expect(words('/entities/3/components', { remove: ['light'] })).toBe('Remove light of Box 3');
	expect(words('/spawn', { mesh: 'sphere' })).toBe('Spawn Ball');
	expect(words('/despawn', { entity_id: 4 })).toBe('Delete Box 4');
	expect(words('/sky/set', {})).toBe('Sky set');
	// The console can send any body.
	expect(words('/spawn', { tags: 5, mesh: 7 })).toBe('Spawn an entity');
	expect(words('/batch', { requests: [null, { path: 3 }] })).toBe('An empty batch');
	const play = { path: '/entities/3/components', body: { generation: 0, player: true } };
	const stop = { path: '/input/press', body: { action: 'stop', entity_id: 3 } };
	expect(words('/batch', { requests: [play, stop] })).toBe('Play Box 3');
	expect(words('/entities/3/components', { generation: 0, remove: ['player'] })).toBe('Stop playing Box 3');
	// A new world, in place of one that is kept.
	const keep = [
		{ path: '/fork', body: {} },
		{ path: '/rename?world=old-1', body: { name: 'Old' } },
	];
	const reset = { path: '/reset', body: { fresh: true } };
	const ground = [reset, { path: '/spawn', body: {} }, { path: '/rename', body: { name: 'Ground 2' } }];
	expect(words('/batch', { requests: ground })).toBe('Open Ground 2');
	const arena = { path: '/scenario', body: { name: 'Arena: two lanes' } };
	expect(words('/batch', { requests: [...keep, reset, arena] })).toBe('Open Arena');
	expect(words('/batch', { requests: [{ path: '/pause' }, reset] })).toBe('Open an empty world');
	// After a reload, only the path is known.
	const unknown = ['/entities/3/components', '/spawn', '/despawn', '/batch'].map((path) =>
		words(path, undefined),
	);
	expect(unknown).toEqual(['Change components of Box 3', 'Spawn an entity', 'Delete an entity', 'Batch']);
	const both = (path: string, body: object) => ({ requests: [1, 2].map(() => ({ path, body })) });
	expect(words('/batch', both('/despawn', { entity_id: 1 }))).toBe('Delete 2 entities');
	expect(words('/batch', both('/entities/1/components', moved))).toBe('Move 2 entities');
	expect(words('/batch', { requests: groupRequests([list[0]!, list[3]!], list) })).toBe('Group 2 entities');
});

test('descriptions follow undo and redo, but not for calls of others', () => {
	const doings = createDoings();
	doings.record('main', 'POST /spawn', 'Spawn Box');
	doings.record('main', 'POST /entities/0/components', 'Move Box 0');
	doings.record('fork', 'POST /spawn', 'Spawn Ball');
	expect(doings.recordTurn('main', 'POST /entities/9/components', false)).toBeNull();
	expect(doings.recordTurn('main', 'POST /entities/0/components', false)).toBe('Move Box 0');
	expect([doings.next('main', false), doings.next('main', true)]).toEqual(['Spawn Box', 'Move Box 0']);
	expect(doings.recordTurn('main', 'POST /entities/0/components', true)).toBe('Move Box 0');
	doings.record('main', 'POST /despawn', 'Delete Box 0');
	expect(doings.next('main', true)).toBeNull();
});

test('entities keep their place under a new parent and without one, and cycles are omitted', () => {
	const [turned, , leaf, apart] = list as [Entity, Entity, Entity, Entity];
	const [under] = parentRequests([apart], turned, list);
	expect(under).toMatchObject({ path: '/entities/5/components', body: { parent: 1, agent_id: 7 } });
	const { position } = under!.body.transform as { position: number[] };
	// The offset is turned by 90 degrees and halved.
	expect(position.map((part) => Math.round(part * 100) / 100 + 0)).toEqual([-1, 1, -2]);
	const [out] = parentRequests([leaf], null, list);
	expect(out!.body).toMatchObject({ remove: ['parent'] });
	expect(parentRequests([turned], leaf, list)).toEqual([]);
	expect(parentRequests([turned], turned, list)).toEqual([]);
	expect(parentRequests([apart], null, list)).toEqual([]);
});
