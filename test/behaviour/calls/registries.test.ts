/** Items, heroes, goals, zones and projectiles: warnings about accepted input without effect, and removing them. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { clientOf, type TestClient } from '../../support/engine.ts';

let engine: Engine;
let client: TestClient;
beforeEach(async () => {
	engine = await createEngine({ seed: 3 });
	client = clientOf(engine.handle);
});

describe('warnings', () => {
	test('an item warns of missing, shortened and misspelt parts', async () => {
		const define = async (item: object) => (await client.post('/item/define', item)).warnings;
		expect(await define({ id: 1, properties: { cost: 10.7, attak_damage: 3, luck: 1 } })).toEqual([
			expect.stringContaining('did you mean "attack_damage"?'),
			'cost 10.7 is rounded down to 10',
		]);
		const recipe = { components: [{ item_id: 1 }, { item_id: 2 }, { item_id: 77 }, { item_id: 77 }] };
		expect(await define({ id: 2, recipe })).toEqual([
			'the recipe contains the item itself',
			'the item 77 in the recipe is not defined yet',
		]);
		expect(await define({ id: 3, properties: { cost: 10, armor: 1 } })).toBeUndefined();
		expect(await define({ id: 4, properties: { damage: 10 } })).toEqual([
			expect.stringContaining('did you mean "attack_damage"?'),
		]);
	});

	test('a hero and an effect warn of misspelt stats', async () => {
		const hero = { name: 'K', base_stats: { attack_damag: 5 }, stat_growth: { armour: 1, charm: 2 } };
		expect((await client.post('/hero/define', hero)).warnings).toEqual([
			expect.stringContaining('"attack_damage"'),
			expect.stringContaining('"armor"'),
		]);
		const { id } = await client.post('/spawn', {});
		const slow = { entity_id: id, modifiers: ['move_sped:mul:0.5', 'move_speed:mul:0.5'] };
		expect((await client.post('/effect/apply', slow)).warnings).toEqual([
			expect.stringContaining('"move_speed"'),
		]);
		expect((await client.post('/hero/select', { entity_id: id, hero_name: 'K' })).warnings).toEqual([
			'without a team it has no enemies',
		]);
		const { id: other } = await client.post('/spawn', { team: 1 });
		expect(
			(await client.post('/hero/select', { entity_id: other, hero_name: 'K' })).warnings,
		).toBeUndefined();
	});

	test('a goal warns of its parts without effect', async () => {
		const [a, b] = [await client.post('/spawn', {}), await client.post('/spawn', {})];
		const aim = async (goal: object) => (await client.post('/ai/set', { entity_id: a.id, ...goal })).warnings;
		expect(await aim({ behavior: 'idle', target: b.id })).toEqual(['a target does nothing with idle']);
		expect(await aim({ behavior: 'patrol', target: b.id, waypoints: [[1, 0, 0]] })).toEqual([
			'a target does nothing with patrol',
		]);
		expect(await aim({ behavior: 'chase', target: b.id })).toBeUndefined();
		expect(await aim({ behavior: 'chase' })).toEqual(['without a target, the entity does not move']);
	});

	test('an observer warns of missing zones, and of rules beside clear', async () => {
		const { id } = await client.post('/spawn', {});
		const zone = await client.post('/trigger/create', {});
		const set = async (rules: string[]) =>
			(await client.post('/view-filter/set', { entity_id: id, rules })).warnings;
		expect(await set([`zone:${zone.id}`, 'tag:zone:99', `not:zone:${id}`, 'zone:4000000000'])).toEqual([
			`there is no trigger zone ${id}, so the rule matches nothing`,
			'there is no trigger zone 4000000000, so the rule matches nothing',
		]);
		const both = { entity_id: id, rules: ['always'], clear: true };
		expect((await clientOf(engine.handle).call('POST', '/view-filter/set', both)).status).toBe(422);
		expect((await client.get(`/entities/${id}`)).view_filter).toHaveLength(4);
	});
});

describe('removing', () => {
	test('a projectile is removed by its id, and nothing else', async () => {
		const { id: bystander } = await client.post('/spawn', {});
		const { id } = await client.post('/projectile/spawn', { lifetime: 5 });
		expect(await client.remove(`/projectile/${bystander}`)).toMatchObject({
			ok: false,
			code: 'no_projectile',
		});
		expect(await client.remove(`/projectile/${id}`)).toEqual({ ok: true, deleted: id });
		expect(await client.remove(`/projectile/${id}`)).toMatchObject({ ok: false, code: 'entity_not_found' });
		expect((await client.get('/projectile/list')).count).toBe(0);
		expect((await client.get('/')).entity_count).toBe(1);
	});

	test('a missing resource is 404, except a fork and an assertion, which the reference engine reports with 200', async () => {
		const removed = [
			'/fork/x',
			'/assert/5',
			'/rule/5',
			'/trigger/5',
			'/projectile/5',
			'/item/5',
			'/hero/x',
			'/template/x',
			'/prefab/x',
			'/snapshot/x',
			'/manifest',
			'/game/state',
		];
		for (const path of removed)
			expect(await clientOf(engine.handle).call('DELETE', path), path).toMatchObject({
				status: path === '/fork/x' || path === '/assert/5' ? 200 : 404,
				body: { ok: false },
			});
		for (const path of ['/entities/5', '/rule/5', '/hero/x', '/template/x', '/prefab/x', '/snapshot/x'])
			expect(await clientOf(engine.handle).call('GET', path), path).toMatchObject({
				status: 404,
				body: { ok: false },
			});
	});
});
