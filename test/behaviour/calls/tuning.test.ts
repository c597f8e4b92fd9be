/** Tuning numbers: their defaults, the effect of each, and their storage. */

import { describe, expect, test } from 'vitest';
import { caller, startEngine } from '../../support/engine.ts';
import { fighter, playing } from '../../support/playing.ts';

const { call, post, get, remove, spawn, step, kill, change, entity, health, gold, position, digest } =
	playing();

const tune = async (change: object) => {
	const answer = await post('/tuning', change);
	expect(answer.ok, JSON.stringify(answer)).toBe(true);
	return answer.tuning;
};
const readTuning = async () => (await get('/tuning')).tuning;

describe('the numbers', () => {
	test('have the defaults of the contract', async () => {
		const { buildings, ...groups } = await readTuning();
		expect(groups).toEqual({
			physics: { gravity: [0, -9.81, 0], restitution: 0.3, friction: 0.5 },
			respawn: { delay: 5, corpse: 2, place: [0, 2, 0] },
			kills: { score: 1, team_score: 1, team_rewards: true },
			growth: { max_level: 18, xp_base: 100, xp_per_level: 80, share_radius: 15, health: 50, damage: 5 },
			combat: {
				armor_factor: 0.06,
				target_priority: {
					Hero: { Hero: 0, Minion: 1, Tower: 2, Structure: 3 },
					Minion: { Minion: 0, Hero: 1, Tower: 2, Structure: 3 },
					Tower: { Minion: 0, Hero: 1, Structure: 2, Tower: 3 },
					Structure: { Hero: 0, Minion: 0, Tower: 0, Structure: 0 },
				},
			},
			goals: { arrival: 0.5, close: 1, safe: 10 },
			players: { speed: 5, paths: false },
			shop: { resale: 0.5 },
		});
		const shown = Object.entries(buildings as Record<string, Record<string, unknown>>).map(([type, data]) => {
			const weapon = data.weapon as { damage: number; range: number; cooldown: number } | null;
			return [
				type,
				data.health,
				weapon?.damage ?? null,
				weapon?.range ?? null,
				weapon?.cooldown ?? null,
				data.backdoor !== null,
				data.tower_aggro,
			];
		});
		expect(shown).toEqual([
			['tier1_tower', 1800, 110, 7, 1, true, true],
			['tier2_tower', 2500, 150, 7, 1, true, true],
			['tier3_tower', 2500, 175, 7, 1, true, true],
			['tier4_tower', 2600, 195, 7, 1, true, true],
			['melee_barracks', 2200, null, null, null, true, false],
			['ranged_barracks', 1300, null, null, null, true, false],
			['ancient', 4500, null, null, null, true, false],
			['fountain', null, 300, 12, 0.15, false, false],
			['effigy', 100, null, null, null, false, false],
			['outpost', null, null, null, null, false, false],
		]);
	});

	test('change one by one, keep the rest, and return to their defaults', async () => {
		const before = await digest();
		const all = await readTuning();
		expect(
			await tune({ growth: { health: 7 }, buildings: { effigy: { health: 9, respawns: true } } }),
		).toEqual({
			...all,
			growth: { ...all.growth, health: 7 },
			buildings: { ...all.buildings, effigy: { ...all.buildings.effigy, health: 9, respawns: true } },
		});
		expect((await tune({ goals: { safe: 3 }, shop: null })).growth.health).toBe(7);
		const order = await tune({ combat: { target_priority: { Tower: { Hero: null } } } });
		expect(order.combat).toEqual({
			armor_factor: 0.06,
			target_priority: {
				...all.combat.target_priority,
				Tower: { Minion: 0, Hero: null, Structure: 2, Tower: 3 },
			},
		});
		expect(await digest()).not.toBe(before);
		expect((await remove('/tuning')).tuning).toEqual(all);
		expect(await digest()).toBe(before);
		await tune({ shop: { resale: 0 } });
		await tune({ shop: { resale: 0.5 } });
		expect(await digest(), 'set back by hand').toBe(before);
	});

	test.each([
		[{ grwth: {} }, 'growth'],
		[{ growth: { helth: 1 } }, 'health'],
		[{ shop: { resale: 1.5 } }, '1'],
		[{ respawn: { delay: -1 } }, '0'],
		[{ buildings: { tier9_tower: {} } }, 'tier'],
		[{ buildings: { ancient: { armor: 'much' } } }, 'armor'],
		[{ physics: { gravity: [0, -1] } }, 'gravity'],
		[{ physics: { restitution: 1.5 } }, '1'],
		[{ combat: { target_priority: { Tower: { Heroine: 1 } } } }, 'Hero'],
	])('%j is refused', async (bad, hint) => {
		const { status, body } = await call('POST', '/tuning', bad);
		expect(status).toBe(422);
		expect(`${body.error} ${body.fix} ${body.path}`).toContain(hint);
	});
});

describe('they are stored', () => {
	const own = { respawn: { delay: 0.1 }, physics: { gravity: [1, -2, 3] } };

	test('by forks, without an effect on their parents', async () => {
		await tune(own);
		await post('/fork', { fork_id: 'f' });
		expect((await get('/tuning?world=f')).tuning.respawn.delay).toBe(0.1);
		await post('/tuning?world=f', { respawn: { delay: 9 } });
		expect((await readTuning()).respawn.delay).toBe(0.1);
	});

	test.each(['true', 'false'])('by scenarios (exact=%s) and snapshots', async (exact) => {
		await tune(own);
		await spawn({ health: 5 });
		const document = await get(`/scenario?exact=${exact}`);
		const before = await digest();
		await post('/snapshot', { label: 's' });
		await remove('/tuning');
		expect((await post('/scenario', document)).ok).toBe(true);
		expect((await readTuning()).physics.gravity).toEqual([1, -2, 3]);
		if (exact === 'true') expect(await digest()).toBe(before);
		await remove('/tuning');
		await post('/snapshot/s/restore');
		expect(await digest()).toBe(before);
		expect((await readTuning()).respawn.delay).toBe(0.1);
	});

	test('by a scenario that names some of them: the others have their defaults', async () => {
		await tune(own);
		const document = { resources: { tuning: { shop: { resale: 1 }, buildings: { effigy: { health: 7 } } } } };
		expect((await post('/scenario', document)).ok).toBe(true);
		const { shop, buildings, respawn } = await readTuning();
		expect([shop.resale, buildings.effigy.health, buildings.effigy.role]).toEqual([1, 7, 'Structure']);
		expect(respawn.delay).toBe(5);
	});

	test('a world without tuning lists no tuning', async () => {
		expect((await get('/scenario?exact=false')).resources?.tuning).toBeUndefined();
	});
});

describe('gravity and bodies', () => {
	const FLOOR = {
		physics_body: 'Static',
		collider: { shape: 'Aabb', hx: 20, hy: 0.5, hz: 20 },
		position: [0, -0.5, 0],
	};
	const BALL = { physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 } };

	test('gravity is an acceleration in any direction', async () => {
		await tune({ physics: { gravity: [6, 0, 0] } });
		const id = await spawn({ ...BALL, position: [0, 50, 0] });
		await step(60);
		expect((await entity(id)).velocity.linear[0]).toBeCloseTo(6, 2);
		const [x, y] = await position(id);
		expect(x).toBeCloseTo(3, 0);
		expect(y).toBeCloseTo(50, 4);
	});

	test('a changed gravity wakes sleeping bodies, in a fork and after loading, bit for bit', async () => {
		await spawn(FLOOR);
		const id = await spawn({ ...BALL, position: [0, 0.5, 0] });
		await step(300);
		const rest = await position(id);
		expect((await entity(id)).velocity.linear).toEqual([0, 0, 0]);
		await tune({ physics: { gravity: [0, 5, 0] } });
		await post('/fork', { fork_id: 'f' });
		const saved = await get('/scenario');
		await step(60);
		expect((await position(id))[1]! - rest[1]!).toBeCloseTo(2.5, 0);
		await post('/step?world=f', { ticks: 60 });
		expect(await digest('f')).toBe(await digest());
		await post('/scenario?world=f', saved);
		await post('/step?world=f', { ticks: 60 });
		expect(await digest('f')).toBe(await digest());
	});

	test('bodies bounce higher with more restitution', async () => {
		await spawn(FLOOR);
		const heights: number[] = [];
		for (const restitution of [0.3, 1]) {
			await tune({ physics: { restitution } });
			const id = await spawn({ ...BALL, position: [0, 3, 0] });
			// The ball hits the floor after 43 ticks.
			await step(80);
			heights.push((await position(id))[1]!);
			await post('/despawn', { entity_id: id, entity_generation: 0 });
		}
		expect(heights[0]).toBeLessThan(0.6);
		expect(heights[1]).toBeGreaterThan(2.5);
	});

	test('bodies without friction slide, even if they lay still before', async () => {
		await spawn(FLOOR);
		const block = { physics_body: 'Dynamic', collider: { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 } };
		const id = await spawn({ ...block, position: [0, 0.5, 0] });
		await step(60);
		const push = () => change(id, { velocity: { linear: [3, 0, 0] } });
		await push();
		await step(60);
		const [rough] = await position(id);
		await tune({ physics: { friction: 0 } });
		await push();
		await step(60);
		const [slid] = await position(id);
		expect(rough).toBeLessThan(1.5);
		expect(slid! - rough!).toBeGreaterThan(2.8);
	});
});

describe('dying', () => {
	test('delay, corpse and position', async () => {
		await tune({ respawn: { delay: 0.5, corpse: 0.25, place: [9, 9, 9] } });
		const [hero, minion] = [
			await spawn({ team: 1, health: 10 }),
			await spawn({ team: 1, health: 10, role: 'minion' }),
		];
		await kill(hero);
		await kill(minion);
		await step(15);
		expect((await entity(minion)).dead).toBe(true);
		await step();
		expect((await call('GET', `/entities/${minion}`)).status).toBe(404);
		await step(14);
		expect((await entity(hero)).dead).toBe(true);
		await step();
		expect(await entity(hero)).toMatchObject({ health: [10, 10], local_transform: { position: [9, 9, 9] } });
	});

	test('kills: points, points against the own team, and their pay', async () => {
		await post('/game/create', { score_limit: 0 });
		await tune({ kills: { score: 3, team_score: -2, team_rewards: true } });
		const own = await spawn({ team: 1, health: 10, gold: 0 });
		const bounty = { health: 10, gold_bounty: 5 };
		await kill(await spawn({ team: 2, ...bounty }), own);
		await kill(await spawn({ team: 1, ...bounty }), own);
		await step();
		expect((await get('/game/state')).scores).toMatchObject([{ entity: own, score: 1 }]);
		expect(await gold(own)).toBe(10);
	});
});

describe('growth', () => {
	test('experience for a level, the highest level, and the distance for a share', async () => {
		await tune({
			growth: { max_level: 3, xp_base: 10, xp_per_level: 1, share_radius: 4, health: 1, damage: 2 },
		});
		const own = await spawn(fighter(1, 100, { gold: 0, role: 'hero' }));
		const near = await spawn(fighter(1, 4, { gold: 0, role: 'hero' }));
		await kill(await spawn({ team: 2, health: 10, xp_bounty: 11 }), own);
		await step();
		expect(await entity(own)).toMatchObject({ level: 1 });
		expect(await entity(near)).toMatchObject({ level: 2, xp: 0, health: [101, 101], combat: { damage: 12 } });
		expect((await get(`/ability/list/${near}`)).level.xp_to_next).toBe(12);
		await kill(await spawn({ team: 2, health: 10, xp_bounty: 500, position: [4, 0, 0] }), own);
		await step();
		expect((await entity(near)).level).toBe(3);
	});
});

describe('fighting, walking, trading', () => {
	test('armour', async () => {
		await tune({ combat: { armor_factor: 0.1 } });
		const id = await spawn({ health: 1000, armor: 10 });
		await post('/entity/damage', { entity_id: id, amount: 100 });
		await step();
		expect(await health(id)).toBe(950);
	});

	test('order of attack targets, and entities that are never attacked', async () => {
		const [minion, hero] = [
			await spawn({ team: 2, health: 100, role: 'minion', position: [4, 0, 0] }),
			await spawn({ team: 2, health: 100, role: 'hero', position: [0, 0, 2] }),
		];
		const tower = { team: 1, combat: true, combat_damage: 1, combat_range: 8, combat_style: 'stationary' };
		const targetOfNew = async () => {
			const id = await spawn({ ...tower, health: 100, role: 'tower' });
			await step();
			return (await entity(id)).combat_state.target?.id ?? null;
		};
		expect(await targetOfNew()).toBe(minion);
		await tune({ combat: { target_priority: { Tower: { Hero: 0 } } } });
		expect(await targetOfNew(), 'equal: the nearest').toBe(hero);
		await tune({ combat: { target_priority: { Tower: { Minion: 0, Hero: null } } } });
		await kill(minion);
		await step();
		expect(await targetOfNew()).toBeNull();
	});

	test('goals: distances of arrival, stop and safety', async () => {
		await tune({ goals: { arrival: 2, close: 3, safe: 5 } });
		const target = await spawn({ position: [6, 0, 0] });
		const [hunter, prey, walker] = [
			await spawn(),
			await spawn({ position: [8, 0, 0] }),
			await spawn({ position: [0, 0, 50] }),
		];
		await post('/ai/set', { entity_id: hunter, behavior: 'chase', target });
		await post('/ai/set', { entity_id: prey, behavior: 'flee', target });
		await post('/ai/set', {
			entity_id: walker,
			behavior: 'patrol',
			waypoints: [
				[6, 0, 50],
				[60, 0, 50],
			],
		});
		await step(82);
		expect((await position(hunter))[0]).toBeCloseTo(3, 1);
		expect((await position(prey))[0]).toBeCloseTo(11, 1);
		expect((await entity(walker)).ai_goal.next).toBe(1);
		expect((await position(walker))[0]).toBeCloseTo(4, 1);
	});

	test('prices of the shop', async () => {
		await tune({ shop: { resale: 0.75 } });
		await post('/item/define', { id: 1, name: 'Ring', properties: { cost: 9 } });
		const id = await spawn({ gold: 0, inventory: [{ item_id: 1 }] });
		expect(await post('/shop/sell', { entity_id: id, item_id: 1 })).toMatchObject({ earned: 6, gold: 6 });
	});
});

describe('buildings', () => {
	test('follow their data', async () => {
		await tune({
			buildings: {
				tier1_tower: { health: 50, armor: 0, weapon: { damage: 4, range: 3, cooldown: 0.5 }, backdoor: null },
			},
		});
		const tower = await spawn({ building_type: 'tier1_tower', team: 1 });
		expect(await entity(tower)).toMatchObject({
			health: [50, 50],
			combat: { damage: 4, range: 3, cooldown: 0.5, detect_range: 3 },
		});
		expect((await entity(tower)).backdoor).toBeUndefined();
		const enemy = await spawn({ team: 2, health: 100, position: [3, 0, 0] });
		await step(32);
		expect(await health(enemy)).toBe(96);
		await post('/entity/damage', { entity_id: tower, amount: 10 });
		await step();
		expect(await health(tower)).toBe(40);
	});

	test('that exist follow in armour, protection, rank and return', async () => {
		const [tower, enemy] = [
			await spawn({ building_type: 'ancient', team: 1, health: 100 }),
			await spawn({ team: 2, health: 100, position: [30, 0, 0] }),
		];
		await tune({
			buildings: {
				ancient: { armor: 0, backdoor: { radius: 5, damage_factor: 0.5, regen: 0 }, respawns: true },
			},
		});
		await post('/entity/damage', { entity_id: tower, amount: 20, source: enemy });
		await step();
		expect(await health(tower)).toBe(90);
		await post('/effect/apply', { entity_id: tower, modifiers: ['armor:add:2'], duration: 60 });
		await tune({ buildings: { ancient: { armor: 3 } } });
		await step();
		expect((await entity(tower)).stats.armor).toBe(5);
		await kill(tower);
		await change(tower, { transform: { position: [1, 1, 1] } });
		await step(301);
		expect(await entity(tower)).toMatchObject({
			health: [100, 100],
			local_transform: { position: [0, 2, 0] },
		});
	});

	test('goals: an arrival radius of 0 m means the exact point', async () => {
		await tune({ goals: { arrival: 0 } });
		const id = await spawn({
			position: [1, 0, 0],
			ai_patrol: [
				[1, 0, 0],
				[1, 0, 6],
			],
		});
		await step(61);
		expect(await position(id)).toEqual([1, 0, expect.closeTo(2.95, 3)]);
	});
});

test('minus zero is zero, so a world from a file has the same future', async () => {
	const { engine } = await startEngine();
	const other = await startEngine();
	const { must } = other;
	await must('POST', '/spawn', { collider: { shape: 'Capsule', radius: 0.5, half_height: 1 }, combat: true });
	// JSON.stringify would write 0.
	const sent = new TextEncoder().encode('{"physics":{"gravity":[-0.0,-7,-9.19]}}');
	expect((await other.call('POST', '/tuning', sent, { 'content-type': 'application/json' })).status).toBe(
		200,
	);
	const written = await must('GET', '/scenario?exact=true');
	const fresh = caller(engine.handle);
	expect((await fresh('POST', '/scenario', written)).body).toMatchObject({ ok: true, exact: true });
	const futures = [];
	for (const ask of [other.call, fresh]) {
		await ask('POST', '/step', { ticks: 3 });
		futures.push((await ask('GET', '/digest?future=true')).body);
	}
	expect(futures[1]).toEqual(futures[0]);
	other.engine.close();
	engine.close();
});
