/**
 * The library of the view Make: the engine accepts the call of each tile.
 * Owns: the tests of library-items.ts.
 */

import { expect, test } from 'vitest';
import { fits, GROUPS, itemsOf, shapes } from '../../../../web/ui/make/library-items.ts';
import { startEngine } from '../../../support/engine.ts';

const SIZED = { name: 'models/oak.glb', from: 'server', size: [2, 6, 2], low: [-1, -0.25, -1] } as const;
const GUARD = { ...SIZED, name: 'models/guard.glb' } as const;
const BROKEN = { name: 'models/broken.glb', from: 'data', problem: 'It is not a glTF file.' } as const;

test('the engine accepts the call of every item, and puts its entity at the requested position', async () => {
	const engine = await startEngine();
	const catalog = await engine.get('/catalog');
	const { details } = await engine.get('/prefab/list');
	const items = [
		...shapes('Static'),
		...shapes('Dynamic'),
		...shapes('none'),
		...itemsOf({ ...catalog, models: [SIZED, GUARD, BROKEN], sounds: [] }, details),
	];
	expect(GROUPS.filter((group) => !items.some((item) => item.group === group))).toEqual(['Sounds']);
	for (const { name, path, body } of items) {
		const answer = await engine.post(path, body([3, 2, 1]));
		const id = answer.id ?? answer.entity_id;
		// The position of a rule is the centre of its zone.
		if (path === '/rule/create')
			expect((await engine.get(`/rule/${id}`)).rule.when.zone.center, name).toEqual([3, 2, 1]);
		else expect((await engine.get(`/entities/${id}`)).local_transform.position, name).toEqual([3, 2, 1]);
	}
	const [oak, guard, ...otherModels] = items.filter(({ group }) => group === 'Models');
	expect([oak!.name, oak!.room, guard!.name, otherModels]).toEqual([
		'Oak',
		{ least: [-1, -0.25, -1], most: [1, 5.75, 1] },
		'Guard',
		[],
	]);
	// The guard is the only unit that has a model here. It patrols.
	const { entities } = await engine.must('POST', '/observe', { filter: 'tag:guard' });
	const [walker] = entities as { id: number }[];
	await engine.step(200);
	const [x, , z] = await engine.position(walker!.id);
	expect(Math.hypot(x! - 3, z! - 1)).toBeGreaterThan(3);
});

test('a trap and a zone on the ground affect an entity that walks there', async () => {
	const engine = await startEngine();
	const catalog = await engine.get('/catalog');
	const items = itemsOf({ ...catalog, models: [GUARD], sounds: [] }, []);
	const placeItem = (name: string, x: number, z: number) => {
		const { room, path, body } = items.find((item) => item.name === name)!;
		return engine.must('POST', path, body([x, -room.least[1], z]));
	};
	const { id } = await placeItem('Trap', 6, 3);
	const guard = await engine.spawn({
		health: 100,
		combat_speed: 2.5,
		ai_patrol: [
			[6, 0, 3],
			[2, 0, 1],
		],
		position: [2, 0, 1],
	});
	await engine.step(200);
	expect((await engine.get(`/rule/${id}`)).rule.fired).toBe(true);
	await placeItem('Damage zone', 6, 3);
	await engine.change(guard, { health: 100 });
	await engine.step(200);
	expect((await engine.get(`/entities/${guard}`)).health[0]).toBeLessThan(100);
});

test('the body of a model is its box, that of a tree is its trunk, and the choice "none" omits it', async () => {
	const engine = await startEngine();
	const house = { ...SIZED, name: 'models/house.glb', size: [4, 3, 0] as const };
	const oak = { ...SIZED, words: ['tree', 'plant'] };
	const catalog = { models: [house, oak] } as unknown as Parameters<typeof itemsOf>[0];
	const [houseItem, oakItem] = itemsOf(catalog, []);
	const ids = [];
	for (const item of [houseItem!, oakItem!, itemsOf(catalog, [], 'none')[0]!])
		ids.push((await engine.must('POST', '/spawn', item.body([0, 0, 0]))).id);
	const [placedHouse, placedOak, bodiless] = await Promise.all(
		ids.map((id) => engine.get(`/entities/${id}`)),
	);
	const extent = (entity: { collider: { points: number[][] } }, axis: number) => {
		const coordinates = entity.collider.points.map((point) => point[axis]!);
		return [Math.min(...coordinates), Math.max(...coordinates)].map(
			(coordinate) => Math.round(coordinate * 100) / 100,
		);
	};
	expect([placedHouse.physics_body, extent(placedHouse, 0), extent(placedHouse, 1)]).toEqual([
		'Static',
		[-1, 3],
		[-0.25, 2.75],
	]);
	expect([extent(placedOak, 0), extent(placedOak, 1)]).toEqual([
		[-0.3, 0.3],
		[-0.25, 5.75],
	]);
	expect([bodiless.physics_body, bodiless.collider]).toEqual([undefined, undefined]);
});

test('a search finds items of every group by their name, words or group', async () => {
	const engine = await startEngine();
	const catalog = await engine.get('/catalog');
	const items = [...shapes('Static'), ...itemsOf({ ...catalog, models: [SIZED, GUARD], sounds: [] }, [])];
	const found = (search: string) =>
		items.filter((item) => fits(item, search)).map(({ group, name }) => `${group}: ${name}`);
	expect(found('oak')).toEqual(['Models: Oak']);
	expect(found(' GUARD ')).toEqual(['Models: Guard', 'Units: Guard on patrol']);
	expect(found('zones heal')).toEqual(['Zones: Healing zone']);
	expect(found('no such thing')).toEqual([]);
	const [tree] = itemsOf({ ...catalog, models: [{ ...SIZED, words: ['tree', 'plant'] }], sounds: [] }, []);
	expect([fits(tree!, 'tree'), fits(tree!, 'models plant'), fits(tree!, 'house')]).toEqual([
		true,
		true,
		false,
	]);
});
