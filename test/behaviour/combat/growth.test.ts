/** Rules of gold, experience and levels. */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { call, post, get, remove, spawn, step, entity } = playing();

const kill = async (id: number, source: number) => {
	await post('/entity/damage', { entity_id: id, amount: 1e6, source });
	return step();
};
const hero = (more: object = {}) => spawn({ team: 1, health: 100, gold: 0, role: 'hero', ...more });

describe('rewards of a kill', () => {
	test('the killer is paid the bounty once, if it has a purse', async () => {
		const killer = await hero();
		const poor = await spawn({ team: 1, health: 10 });
		await kill(await spawn({ team: 2, health: 10, gold_bounty: 40 }), killer);
		await kill(await spawn({ team: 2, health: 10, gold_bounty: 40 }), poor);
		await step(5);
		expect((await entity(killer)).gold).toBe(40);
		expect((await entity(poor)).gold).toBeUndefined();
	});

	test('heroes of the killer within 15 m share the experience, and the victim and other teams get none', async () => {
		const killer = await hero({ position: [100, 0, 0] });
		const near = await hero({ position: [15, 0, 0] });
		const nearToo = await hero({ position: [0, 0, -3] });
		const far = await hero({ position: [15.1, 0, 0] });
		const enemy = await hero({ team: 2 });
		const victim = await hero({ team: 2, xp_bounty: 101 });
		await kill(victim, killer);
		const xp = async (id: number) => (await entity(id)).xp;
		expect(await Promise.all([killer, near, nearToo, far, enemy, victim].map(xp))).toEqual([
			0, 50, 50, 0, 0, 0,
		]);
	});

	test('exactly 15 m counts; the dead, minions and heroes without a level get none; each share is at least 1', async () => {
		const killer = await hero({ position: [500, 0, 0] });
		const rim = await hero({ position: [0, 15, 0] });
		const minion = await spawn({ team: 1, health: 10, gold: 0, role: 'minion' });
		const green = await spawn({ team: 1, health: 10, role: 'hero' });
		const many = await Promise.all([1, 2, 3].map(() => hero()));
		await kill(await spawn({ team: 2, health: 10, xp_bounty: 2 }), killer);
		const xp = async (id: number) => (await entity(id)).xp;
		expect(await Promise.all([rim, ...many].map(xp))).toEqual([1, 1, 1, 1]);
		expect([await xp(killer), await xp(minion), await xp(green)]).toEqual([0, 0, undefined]);
	});

	test('a negative bounty costs the killer; no killer and a suicide pay nothing', async () => {
		const killer = await hero({ gold: 10 });
		await kill(await spawn({ team: 2, health: 10, gold_bounty: -4 }), killer);
		expect((await entity(killer)).gold).toBe(6);
		const own = await spawn({ health: 10, gold: 1, gold_bounty: 30, xp_bounty: 30 });
		await kill(own, own);
		expect(await entity(own)).toMatchObject({ dead: true, gold: 1, xp: 0 });
		const victim = await spawn({ team: 2, health: 10, gold_bounty: 50, xp_bounty: 50 });
		await post('/entity/damage', { entity_id: victim, amount: 99 });
		await step(2);
		expect(await entity(killer)).toMatchObject({ gold: 6, xp: 0 });
	});

	test('without a hero near, the killer gets all', async () => {
		const killer = await hero({ position: [100, 0, 0] });
		await kill(await spawn({ team: 2, health: 10, xp_bounty: 70 }), killer);
		expect((await entity(killer)).xp).toBe(70);
	});

	test('a rule that removes the victim leaves the bounty to the killer', async () => {
		const killer = await hero();
		await post('/rule/create', { when: 'death', actions: ['despawn this'] });
		const victim = await spawn({ team: 2, health: 10, gold_bounty: 40, xp_bounty: 60 });
		await kill(victim, killer);
		expect(await get(`/entities/${victim}`)).toMatchObject({ ok: false });
		expect(await entity(killer)).toMatchObject({ gold: 40, xp: 60 });
	});
});

describe('levels', () => {
	test('level 1 ends at 180 XP; without growth a level gives 50 HP and 5 damage', async () => {
		const killer = await hero({ combat: true, combat_damage: 10 });
		await kill(await spawn({ team: 2, health: 10, xp_bounty: 179, position: [500, 0, 0] }), killer);
		expect(await entity(killer)).toMatchObject({ level: 1, xp: 179 });
		await kill(await spawn({ team: 2, health: 10, xp_bounty: 1, position: [500, 0, 0] }), killer);
		expect(await entity(killer)).toMatchObject({
			level: 2,
			xp: 0,
			health: [150, 150],
			combat: { damage: 15 },
		});
	});

	test.each([
		[1, 180],
		[10, 900],
		[17, 1460],
	])('level %i takes %i XP', async (level, xp) => {
		const id = await hero();
		await post('/rule/create', {
			when: 'tick:1',
			once: true,
			actions: [`set_field entity:${id} level.level ${level}`],
		});
		await step();
		expect((await get(`/ability/list/${id}`)).level).toEqual({ level, xp: 0, xp_to_next: xp });
		await kill(await spawn({ team: 2, health: 10, xp_bounty: xp - 1 }), id);
		expect((await entity(id)).level).toBe(level);
		await kill(await spawn({ team: 2, health: 10, xp_bounty: 1 }), id);
		expect(await entity(id)).toMatchObject({ level: level + 1, xp: 0 });
	});

	test('beyond level 18 experience is stored and has no effect', async () => {
		const id = await hero();
		await post('/rule/create', {
			when: 'tick:1',
			once: true,
			actions: [`set_field entity:${id} level.level 18`],
		});
		await step();
		await kill(await spawn({ team: 2, health: 10, xp_bounty: 9999 }), id);
		expect(await entity(id)).toMatchObject({ level: 18, xp: 9999, health: [100, 100] });
	});

	test('each level is an event', async () => {
		const id = await hero();
		await kill(await spawn({ team: 2, health: 10, xp_bounty: 180 + 260 }), id);
		expect(
			(await get('/events')).events.filter(({ type }: { type: string }) => type === 'LevelUpEvent'),
		).toMatchObject([
			{ entity: id, level: 2 },
			{ entity: id, level: 3 },
		]);
	});

	test('one gain can give several levels, the surplus stays, and 18 is the last', async () => {
		const killer = await hero();
		await kill(await spawn({ team: 2, health: 10, xp_bounty: 180 + 260 + 7 }), killer);
		expect(await entity(killer)).toMatchObject({ level: 3, xp: 7, health: [200, 200] });
		expect((await get(`/ability/list/${killer}`)).level).toEqual({ level: 3, xp: 7, xp_to_next: 340 });
		await kill(await spawn({ team: 2, health: 10, xp_bounty: 1_000_000 }), killer);
		expect((await entity(killer)).level).toBe(18);
	});

	test('growth adds to the base stats and applies; an empty table gets the defaults', async () => {
		await post('/hero/define', {
			name: 'Grower',
			health: 500,
			damage: 40,
			stat_growth: { max_health: 30, attack_damage: 4, strength: 2 },
		});
		await post('/hero/define', { name: 'Plain', health: 500, damage: 40 });
		const [grower, plain] = [await spawn({ team: 1 }), await spawn({ team: 1 })];
		await post('/hero/select', { entity_id: grower, hero_name: 'Grower' });
		await post('/hero/select', { entity_id: plain, hero_name: 'Plain' });
		await kill(await spawn({ team: 2, health: 10, xp_bounty: 360 }), grower);
		expect(await entity(grower)).toMatchObject({
			level: 2,
			health: [530, 530],
			combat: { damage: 40 },
			stats: { attack_damage: 44, max_health: 530, strength: 2 },
		});
		expect(await entity(plain)).toMatchObject({ level: 2, health: [550, 550], combat: { damage: 45 } });
	});

	test('the gain of a level applies to blows', async () => {
		await post('/hero/define', { name: 'Grower', damage: 40, stat_growth: { attack_damage: 10 } });
		const grower = await spawn({ team: 1 });
		await post('/hero/select', { entity_id: grower, hero_name: 'Grower' });
		await kill(
			await spawn({ team: 2, health: 10, xp_bounty: 180, role: 'minion', position: [50, 0, 0] }),
			grower,
		);
		const target = await spawn({ team: 2, health: 1000, position: [1, 0, 0] });
		await step(70);
		expect((await entity(target)).health[0]).toBe(950);
	});
});

describe('heroes', () => {
	test('a selection enables an entity to walk and fight', async () => {
		await post('/hero/define', { name: 'Runner', range: 25 });
		const id = await spawn({ team: 1 });
		await post('/hero/select', { entity_id: id, hero_name: 'Runner' });
		expect(await entity(id)).toMatchObject({
			hero: 'Runner',
			role: 'Hero',
			health: [600, 600],
			mana: [300, 300],
			gold: 625,
			level: 1,
			physics_body: 'Kinematic',
			velocity: { linear: [0, 0, 0] },
			combat: { damage: 50, range: 25, detect_range: 25 },
		});
	});

	test('a hero has its own cooldown, speed and mana regeneration', async () => {
		await post('/hero/define', { name: 'Slow' });
		await post('/hero/define', { name: 'Quick', cooldown: 0.25, speed: 7, mana_regen: 30 });
		const [slow, quick] = [await spawn({ team: 1 }), await spawn({ team: 1 })];
		await post('/hero/select', { entity_id: slow, hero_name: 'Slow' });
		await post('/hero/select', { entity_id: quick, hero_name: 'Quick' });
		expect(await entity(slow)).toMatchObject({ combat: { cooldown: 1, speed: 3 }, mana_regen: 5 });
		expect(await entity(quick)).toMatchObject({ combat: { cooldown: 0.25, speed: 7 }, mana_regen: 30 });
		expect(await get('/hero/Quick')).toMatchObject({ cooldown: 0.25, speed: 7, mana_regen: 30 });
	});

	test('the dead cannot become heroes, and a second selection resets a hero', async () => {
		await post('/hero/define', { name: 'A', health: 50 });
		const id = await spawn({ health: 5 });
		await post('/entity/damage', { entity_id: id, amount: 9 });
		await step();
		expect(await post('/hero/select', { entity_id: id, hero_name: 'A' })).toMatchObject({
			ok: false,
			code: 'entity_dead',
		});
		const other = await hero();
		await post('/hero/select', { entity_id: other, hero_name: 'A' });
		await kill(await spawn({ team: 2, health: 10, xp_bounty: 200 }), other);
		expect(await entity(other)).toMatchObject({ level: 2, health: [100, 100] });
		await post('/hero/select', { entity_id: other, hero_name: 'A' });
		expect(await entity(other)).toMatchObject({ level: 1, xp: 0, gold: 625, health: [50, 50] });
	});

	test('definitions are listed by name, read whole, replaced and removed', async () => {
		await post('/hero/define', { name: 'B', range: 3, base_stats: { armor: 2 } });
		await post('/hero/define', { name: 'A' });
		expect((await post('/hero/define', { name: 'A', gold: 5 })).replaced).toBe(true);
		const { heroes } = await get('/hero/list');
		expect(heroes.map(({ name, gold }: { name: string; gold: number }) => [name, gold])).toEqual([
			['A', 5],
			['B', 625],
		]);
		expect(await get('/hero/B')).toMatchObject({ range: 3, base_stats: { armor: 2 }, abilities: [] });
		expect((await remove('/hero/B')).ok).toBe(true);
		expect((await call('GET', '/hero/B')).status).toBe(404);
		const id = await spawn({});
		expect(await post('/hero/select', { entity_id: id, hero_name: 'a' })).toMatchObject({
			ok: false,
			code: 'unknown_hero',
			fix: 'Did you mean "A"?',
		});
	});
});
