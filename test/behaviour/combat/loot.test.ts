/** Rules of loot. */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { call, post, get, spawn, step, kill, entity } = playing();

describe('loot', () => {
	test('is decided once for each death, with exact chances', async () => {
		const killer = await spawn({ gold: 10 });
		const id = await spawn({
			position: [3, 0, 0],
			health: 10,
			loot: [
				{ label: 'gold', weight: '1/3', gold: 90 },
				{ label: 'chest', weight: '2/3', spawn: { mesh: 'cube', tags: ['chest'], position: [0, 1, 0] } },
			],
		});
		await kill(id, killer);
		const { sampled } = await step();
		expect(sampled).toHaveLength(1);
		expect(sampled[0]).toMatchObject({ rule: 'loot', entity: id });
		const { entities } = await post('/observe');
		const chest = entities.find(({ tags }: { tags?: string[] }) => tags?.includes('chest'));
		if (sampled[0].label === 'gold') {
			expect(sampled[0].probability).toEqual({ num: '1', den: '3' });
			expect((await entity(killer)).gold).toBe(100);
			expect(chest).toBeUndefined();
		} else {
			expect(sampled[0].probability).toEqual({ num: '2', den: '3' });
			expect((await entity(killer)).gold).toBe(10);
			expect(chest.local_transform.position).toEqual([3, 1, 0]);
		}
		expect((await step(5)).sampled ?? []).toEqual([]);
	});

	test('a body spawns only where there is room', async () => {
		const spawned = { physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 } };
		for (let i = 0; i < 150; i++) await spawn({ ...spawned, position: [0, 0, 0] });
		const id = await spawn({ health: 1, loot: [{ label: 'ball', weight: 1, spawn: spawned }] });
		await kill(id);
		expect((await step()).ok).toBe(true);
	});

	test('items and gold go to a killer with a purse; without a killer only bodies spawn', async () => {
		await post('/item/define', { id: 1, name: 'Gem' });
		const table = [
			{ label: 'all', weight: 1, gold: 5, item: { item_id: 1, count: 2 }, spawn: { mesh: 'cone' } },
		];
		const [rich, poor] = [await spawn({ gold: 0 }), await spawn()];
		const cones = async () =>
			(await post('/observe')).entities.filter(({ mesh }: { mesh?: string }) => mesh === 'cone').length;
		for (const killer of [rich, poor, undefined]) {
			await kill(await spawn({ health: 1, loot: table }), killer);
			await step();
		}
		expect(await cones()).toBe(3);
		expect((await entity(rich)).gold).toBe(5);
		expect((await entity(poor)).gold).toBeUndefined();
		for (const id of [rich, poor])
			expect((await get(`/item/list/${id}`)).inventory).toMatchObject([{ item_id: 1, count: 2 }]);
	});

	test('drops again at the next death, before the match and the rules', async () => {
		await post('/game/create', { respawn_delay: 0 });
		const id = await spawn({
			health: 1,
			team: 1,
			loot: [{ label: 'cube', weight: 1, spawn: { mesh: 'cube', tags: ['drop'] } }],
		});
		await post('/rule/create', { when: 'death', actions: ['tag tag:drop +seen'] });
		for (let deaths = 1; deaths <= 2; deaths++) {
			await kill(id);
			await step();
			const { entities } = await post('/observe');
			const drops = entities.filter(({ tags }: { tags?: string[] }) => tags?.includes('drop'));
			expect(drops).toHaveLength(deaths);
			for (const { tags } of drops) expect(tags).toContain('seen');
		}
	});

	test('is in the read-out and in scenarios, with the weights as written', async () => {
		const table = [
			{ label: 'a', weight: '1/3', gold: 5 },
			{ label: 'b', weight: 0.25, spawn: { mesh: 'cube' } },
		];
		const id = await spawn({ health: 1, loot: table });
		expect((await entity(id)).loot).toEqual(table);
		await post('/scenario', await get('/scenario?exact=false'));
		expect((await entity(id)).loot).toEqual(table);
	});

	test('a table without possible results is refused', async () => {
		const { status } = await call('POST', '/spawn', {
			health: 1,
			loot: [{ label: 'none', weight: 0 }],
		});
		expect(status).toBe(422);
	});
});
