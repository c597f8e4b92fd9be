/** Rules of projectiles. */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { call, post, get, remove, spawn, step, change, entity, health, position } = playing();

describe('projectiles', () => {
	test('at 20 m/s from 0 to 5: gone on tick 14, damage on tick 15', async () => {
		const target = await spawn({ position: [5, 0, 0], health: 100 });
		const { entity_id } = await post('/projectile/spawn', {});
		expect(await entity(entity_id)).toMatchObject({
			projectile: true,
			projectile_data: { speed: 20, hits: 'others' },
		});
		await step(13);
		expect((await get('/projectile/list')).count).toBe(1);
		await step();
		expect((await get('/projectile/list')).count).toBe(0);
		expect(await health(target)).toBe(100);
		await step();
		expect(await health(target)).toBe(75);
	});

	test('skip no entity at any speed, and hit the nearest first', async () => {
		const far = await spawn({ position: [50, 0.2, 0], health: 100 });
		const expectNear = await spawn({ position: [20, 0, 0.4], health: 100 });
		const beside = await spawn({ position: [10, 0, 0.5], health: 100 });
		await post('/projectile/spawn', { speed: 6000 });
		await step(2);
		expect([await health(far), await health(expectNear), await health(beside)]).toEqual([100, 75, 100]);
	});

	test('spare their owner, and its team if they hit enemies only; the owner is credited', async () => {
		const owner = await spawn({ team: 1, health: 100 });
		const friend = await spawn({ position: [2, 0, 0], team: 1, health: 100 });
		const enemy = await spawn({ position: [4, 0, 0], team: 2, health: 100 });
		await post('/projectile/spawn', { owner, hits: 'enemies', damage: 40 });
		await step(20);
		expect([await health(owner), await health(friend), await health(enemy)]).toEqual([100, 100, 60]);
		expect((await entity(enemy)).last_attacker).toEqual({ id: owner, generation: 0 });
		await post('/projectile/spawn', { owner, hits: 'all', damage: 40 });
		await step(2);
		expect(await health(owner)).toBe(60);
	});

	test('live 180 ticks in 3 s and pass the dead', async () => {
		await spawn({ position: [1, 0, 0], health: 0 });
		await step();
		await post('/projectile/spawn', { speed: 1, lifetime: 3 });
		await step(179);
		expect((await get('/projectile/list')).projectiles[0]).toMatchObject({ ticks_left: 1 });
		await step();
		expect((await get('/projectile/list')).count).toBe(0);
	});

	test('hit entities nearer than their radius, not at exactly that distance; damage has a category', async () => {
		const [touched, missed, armored] = [
			await spawn({ position: [3, 0, 0.499], health: 100 }),
			await spawn({ position: [3, 0, 50.5], health: 100 }),
			await spawn({ position: [3, 0, 100], health: 100, armor: 1e6, magic_resist: 0.5 }),
		];
		await post('/projectile/spawn', { speed: 300 });
		await post('/projectile/spawn', { speed: 300, from: [0, 0, 50] });
		await post('/projectile/spawn', { speed: 300, from: [0, 0, 100], category: 'magical', damage: 40 });
		await step(3);
		expect([await health(touched), await health(missed), await health(armored)]).toEqual([75, 100, 80]);
		await change(missed, { transform: { position: [3, 0, 52] } });
		await post('/projectile/spawn', { speed: 300, from: [0, 0, 50], radius: 2.01 });
		await step(3);
		expect(await health(missed)).toBe(75);
	});

	test('without an owner hit any entity, also entity 0, and credit none', async () => {
		const first = await spawn({ position: [1, 0, 0], health: 10, team: 1 });
		expect(first).toBe(0);
		await post('/game/create', {});
		await post('/projectile/spawn', { speed: 60 });
		await step(2);
		expect((await entity(first)).dead).toBe(true);
		expect((await entity(first)).last_attacker).toBeUndefined();
		expect((await get('/game/state')).scores).toEqual([]);
	});

	test('fly through walls, scenery and each other, and end without a hit on the tick of their time', async () => {
		await spawn({
			position: [1, 0, 0],
			physics_body: 'Static',
			collider: { shape: 'Aabb', hx: 1, hy: 9, hz: 9 },
		});
		await spawn({ position: [1, 0, 0], mesh: 'cube', scale: [9, 9, 9] });
		const target = await spawn({ position: [6, 0, 0], health: 100 });
		await post('/projectile/spawn', { from: [20, 0, 0], direction: [-1, 0, 0], speed: 60, lifetime: 0.1 });
		await post('/projectile/spawn', { speed: 60, lifetime: 0.1 });
		await step(5);
		expect((await get('/projectile/list')).count).toBe(2);
		await step(2);
		expect((await get('/projectile/list')).count).toBe(0);
		expect(await health(target), 'it would have been met on the tick of its end').toBe(100);
	});

	test('move by unit direction times speed, and end at the bounds of the world', async () => {
		const { entity_id } = await post('/projectile/spawn', { direction: [3, 0, -4], speed: 30 });
		const { entity_id: far } = await post('/projectile/spawn', { from: [999_999, 0, 0], speed: 600 });
		await step();
		const [x, y, z] = await position(entity_id);
		expect(x).toBeCloseTo(0.3, 5);
		expect([y, z!.toFixed(5)]).toEqual([0, '-0.40000']);
		expect((await entity(far)).ok).toBe(false);
	});

	test.each([
		['others', [100, 75, 100]],
		['all', [75, 100, 100]],
		['enemies', [100, 100, 75]],
	])('that hit %s leave %j to owner, friend and enemy', async (hits, remaining) => {
		const owner = await spawn({ team: 1, health: 100 });
		const friend = await spawn({ position: [2, 0, 0], team: 1, health: 100 });
		const enemy = await spawn({ position: [4, 0, 0], team: 2, health: 100 });
		await post('/projectile/spawn', { owner, hits });
		await step(30);
		expect(await Promise.all([owner, friend, enemy].map(health))).toEqual(remaining);
	});

	test('with a team hit its enemies, for any owner; entities without a team are no enemies', async () => {
		const [own, nobody, enemy] = [
			await spawn({ position: [2, 0, 0], team: 5, health: 100 }),
			await spawn({ position: [3, 0, 0], health: 100 }),
			await spawn({ position: [4, 0, 0], team: 1, health: 100 }),
		];
		await post('/projectile/spawn', { team: 5, hits: 'enemies' });
		await step(30);
		expect(await Promise.all([own, nobody, enemy].map(health))).toEqual([100, 100, 75]);
	});

	test('hit everything entered on their way in one tick, and the lowest id first among equals', async () => {
		const edge = await spawn({ position: [1.4995, 0, 0], health: 100 });
		await post('/projectile/spawn', { speed: 60 });
		await step(2);
		expect(await health(edge)).toBe(75);
		for (const [x, side] of [
			[50, 0.3],
			[90, -0.3],
		] as const) {
			const first = await spawn({ position: [x + 3, 0, side], health: 100 });
			const second = await spawn({ position: [x + 3, 0, -side], health: 100 });
			await post('/projectile/spawn', { from: [x, 0, 0], speed: 600 });
			await step(2);
			expect([await health(first), await health(second)]).toEqual([75, 100]);
		}
	});

	test('need a direction', async () => {
		const answer = await call('POST', '/projectile/spawn', { direction: [0, 0, 0] });
		expect(answer.status).toBe(422);
		expect((await get('/')).entity_count).toBe(0);
	});
});

describe('a spread', () => {
	const cone = { cone: Math.PI / 4, rays: 5 };
	const ways = [
		{ label: 'left', weight: '1/2', angle: Math.PI / 2 },
		{ label: 'up', weight: 0.25, rise: Math.PI / 2 },
		{ label: 'on', weight: '1/4' },
	];
	/** Returns label, probability and direction of a projectile for each branch that peek lists. */
	async function directions(body: object): Promise<[string, number, number[]][]> {
		const { entity_id } = await post('/projectile/spawn', { speed: 6, ...body });
		const { distribution, exact } = await post('/peek', {});
		expect(exact).toBe(true);
		const found: [string, number, number[]][] = [];
		for (let seed = 0; found.length < distribution.length && seed < 200; seed++) {
			await post('/fork', { fork_id: `s${seed}`, seed });
			const { sampled } = await post(`/step?world=s${seed}`, {});
			await remove(`/fork/s${seed}`);
			if (found.some(([label]) => label === sampled[0].label)) continue;
			await post('/fork', { fork_id: 'same', seed });
			await post('/step?world=same', {});
			const { projectile_data } = await get(`/entities/${entity_id}?world=same`);
			await remove('/fork/same');
			const way = distribution.find(
				(one: { choices: { label: string }[] }) => one.choices[0]!.label === sampled[0].label,
			);
			found.push([sampled[0].label, way.p, projectile_data.direction]);
		}
		expect(found).toHaveLength(distribution.length);
		return found.sort();
	}
	const near = (vector: readonly number[], to: readonly number[]) => {
		vector.forEach((part, i) => {
			expect(part).toBeCloseTo(to[i]!, 5);
		});
	};

	test('as a list gives directions relative to the aim, with exact odds', async () => {
		const found = await directions({ direction: [1, 0, 0], spread: ways });
		expect(found.map(([label, p]) => [label, p])).toEqual([
			['left', 0.5],
			['on', 0.25],
			['up', 0.25],
		]);
		// An entity that looks along +x has -z to the left.
		near(found[0]![2], [0, 0, -1]);
		expect(found[1]![2]).toEqual([1, 0, 0]);
		near(found[2]![2], [0, 1, 0]);
	});

	test('as a cone gives equally likely rays, the first straight on, the last at the rim', async () => {
		const aim = [0, 0.6, -0.8];
		const found = await directions({ direction: aim, spread: cone });
		const angles = found.map(([label, p, direction]) => {
			expect([p, label]).toEqual([1 / 5, expect.stringMatching(/^ray [0-4]$/)]);
			expect(Math.hypot(...direction)).toBeCloseTo(1, 5);
			return Math.acos(
				Math.min(
					1,
					direction.reduce((sum, part, i) => sum + part * aim[i]!, 0),
				),
			);
		});
		near(found[0]![2], aim);
		// The areas between neighbouring rays are equal.
		angles.forEach((angle, i) => {
			expect(angle).toBeCloseTo((Math.PI / 4) * Math.sqrt(i / 4), 3);
		});
		expect(
			new Set(found.map(([, , direction]) => direction.map((part) => part.toFixed(3)).join())).size,
		).toBe(5);
	});

	test('is drawn once, on the first tick of flight, and is in answers until then', async () => {
		const { entity_id } = await post('/projectile/spawn', { speed: 6, spread: cone });
		expect((await entity(entity_id)).spread).toEqual(cone);
		expect((await get('/projectile/list')).projectiles[0].spread).toEqual(cone);
		expect((await entity(entity_id)).projectile_data.direction).toEqual([1, 0, 0]);
		const { sampled } = await step();
		expect(sampled).toMatchObject([
			{ rule: 'spread', entity: entity_id, probability: { num: '1', den: '5' } },
		]);
		expect((await entity(entity_id)).spread).toBeUndefined();
		const { direction } = (await entity(entity_id)).projectile_data;
		near(
			await position(entity_id),
			direction.map((part: number) => part / 10),
		);
		expect((await step(10)).sampled ?? []).toEqual([]);
		expect((await entity(entity_id)).projectile_data.direction).toEqual(direction);
	});

	test('with one possible result draws nothing', async () => {
		const spread = [
			{ weight: 3, angle: Math.PI },
			{ weight: 0, angle: 1 },
		];
		const { entity_id } = await post('/projectile/spawn', { spread });
		expect((await post('/peek', {})).factors).toEqual([]);
		expect((await step()).sampled ?? []).toEqual([]);
		near((await entity(entity_id)).projectile_data.direction, [-1, 0, 0]);
	});

	test('leads to each possible hit: the hit is among the outcomes of peek', async () => {
		const leftTarget = await spawn({ position: [0, 0, -3], health: 100 });
		const on = await spawn({ position: [3, 0, 0], health: 100 });
		await post('/projectile/spawn', { speed: 6000, spread: ways });
		const { distribution } = await post('/peek', {});
		expect(distribution).toHaveLength(3);
		expect(new Set(distribution.map(({ state_digest }: { state_digest: string }) => state_digest)).size).toBe(
			3,
		);
		const { sampled, state_digest } = await step();
		expect(distribution.map((way: { state_digest: string }) => way.state_digest)).toContain(state_digest);
		await step();
		const hit = sampled[0].label;
		expect([await health(leftTarget), await health(on)]).toEqual([
			hit === 'left' ? 75 : 100,
			hit === 'on' ? 75 : 100,
		]);
	});

	test('is in a scenario while it is undecided, and the loaded world draws the same', async () => {
		await post('/projectile/spawn', { spread: ways });
		const document = await get('/scenario?exact=false');
		expect(document.entities[0].components.spread).toMatchObject({ ways });
		const before = await post('/peek', {});
		await post('/scenario', document);
		const after = await post('/peek', {});
		expect(after.factors).toEqual(before.factors);
	});

	test.each([
		['no ways', []],
		['no weight', [{ weight: 0 }]],
		['one ray', { cone: 1, rays: 1 }],
		['more than half a turn', { cone: 4, rays: 3 }],
		['an unknown key', { cone: 1, rays: 3, weight: 2 }],
	])('with %s is refused', async (_, spread) => {
		expect((await call('POST', '/projectile/spawn', { spread })).status).toBe(422);
		expect((await get('/')).entity_count).toBe(0);
	});
});
