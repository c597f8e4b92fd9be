/** Rules of blows, chases and marches. */

import { describe, expect, test } from 'vitest';
import { fighter, playing } from '../../support/playing.ts';

const { call, post, get, spawn, step, kill, change, entity, health, position } = playing();

/** Returns the ticks up to `until` on which the health of an entity fell. */
async function lossTicks(id: number, until: number): Promise<number[]> {
	const ticks: number[] = [];
	let before = await health(id);
	for (let tick = 1; tick <= until; tick++) {
		await step();
		const now = await health(id);
		if (now < before) ticks.push(tick);
		before = now;
	}
	return ticks;
}

describe('a fighter', () => {
	test('has the defaults: 10 HP, 1.5 m, every second, notices within 20 m, walks 3 m/s, melee', async () => {
		const id = await spawn(fighter(1, 0));
		expect((await entity(id)).combat).toEqual({
			damage: 10,
			range: 1.5,
			speed: 3,
			cooldown: 1,
			detect_range: 20,
			style: 'melee',
			crit: null,
		});
		expect((await entity(id)).physics_body).toBe('Kinematic');
	});

	test('has every field in its spawn document, and notices what it can reach', async () => {
		const id = await spawn(
			fighter(1, 0, {
				combat_damage: 7,
				combat_range: 25,
				combat_speed: 2,
				combat_cooldown: 0.5,
				crit: { chance: '1/8' },
			}),
		);
		expect((await entity(id)).combat).toMatchObject({
			damage: 7,
			range: 25,
			speed: 2,
			cooldown: 0.5,
			detect_range: 25,
			crit: { chance: '1/8', multiplier: 2 },
		});
		const near = await spawn(fighter(1, 0, { combat_detect_range: 4 }));
		expect((await entity(near)).combat.detect_range).toBe(4);
		const still = await spawn(fighter(1, 0, { combat_style: 'stationary', combat_speed: 9 }));
		expect((await entity(still)).combat).toMatchObject({ style: 'stationary', speed: 0, detect_range: 1.5 });
	});

	test.each([
		['team', { team: undefined }],
		['health', { health: undefined }],
		['combat', { combat: false }],
	])('without %s does not fight', async (_, change) => {
		await spawn(fighter(1, 0, change));
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		await step(130);
		expect(await health(other)).toBe(100);
	});

	test('without team or health is not attacked', async () => {
		const own = await spawn(fighter(1, 0));
		await spawn(fighter(2, 1, { team: undefined }));
		await spawn(fighter(2, 1, { health: undefined }));
		await step(2);
		expect((await entity(own)).combat_state.target).toBeNull();
	});
});

describe('blows', () => {
	test('with a target in reach from the start, the first blow falls after 60 ticks, then one every 60', async () => {
		await spawn(fighter(1, 0));
		const other = await spawn(fighter(2, 1));
		expect(await lossTicks(other, 200)).toEqual([62, 122, 182]);
	});

	test.each([
		[0.8, [50, 98]],
		[1.5, [92, 182]],
		[0, [2, 3, 4]],
	])('with a cooldown of %d s, blows land on the ticks %j', async (combat_cooldown, ticks) => {
		await spawn(fighter(1, 0, { combat_cooldown }));
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		expect(await lossTicks(other, ticks.at(-1)!)).toEqual(ticks);
	});

	test('reach exactly as far as the range', async () => {
		const at = (x: number, z: number) => ({ position: [x, 0, z], team: 2, health: 100 });
		const still = { combat_style: 'stationary', combat_range: 2 };
		await spawn(fighter(1, 0, still));
		await spawn(fighter(1, 0, { ...still, position: [0, 0, 50] }));
		const [just, beyond] = [await spawn(at(2, 0)), await spawn(at(2.001, 50))];
		await step(62);
		expect([await health(just), await health(beyond)]).toEqual([90, 100]);
	});

	test('land on the tick after the blow, and are credited', async () => {
		const own = await spawn(fighter(1, 0));
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		await step(61);
		expect((await entity(own)).combat_state.ready_at).toBe(120);
		expect(await health(other)).toBe(100);
		await step();
		expect(await health(other)).toBe(90);
		expect((await entity(other)).last_attacker).toEqual({ id: own, generation: 0 });
	});

	test('are ready after a person stops playing the fighter', async () => {
		const own = await spawn(fighter(1, 0, { player: true }));
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		await step(200);
		expect(await health(other)).toBe(100);
		await change(own, { remove: ['player'] });
		await step(2);
		expect(await health(other)).toBe(90);
	});

	test('of a fighter that has waited land on the tick on which the target is in reach', async () => {
		await spawn(fighter(1, 0));
		await step(300);
		const other = await spawn({ position: [-1, 0, 0], team: 2, health: 100 });
		const { body } = await call('GET', '/entities/0');
		await post(`/entities/${other}/components`, {
			transform: { position: [body.transform.position[0] + 1, 0, 0] },
		});
		await step(2);
		expect(await health(other)).toBe(90);
	});

	test('two default fighters kill each other on the same tick', async () => {
		await spawn(fighter(1, 0));
		await spawn(fighter(2, 1));
		await step(602 - 1);
		expect([await health(0), await health(1)]).toEqual([10, 10]);
		await step();
		expect([(await entity(0)).dead, (await entity(1)).dead]).toEqual([true, true]);
	});
});

describe('shots', () => {
	const archer = (more: object = {}, shot: object = {}) =>
		fighter(1, 0, {
			combat_style: 'stationary',
			combat_range: 10,
			combat_damage: 30,
			combat_projectile: { speed: 60, ...shot },
			...more,
		});

	test("fly to the target's position at launch, and hurt on arrival: 5 m at 1 m a tick", async () => {
		const own = await spawn(archer());
		const other = await spawn({ position: [5, 0, 0], team: 2, health: 100 });
		await step(61);
		const [flying] = (await get('/projectile/list')).projectiles;
		expect(flying).toMatchObject({
			position: [0, 0, 0],
			direction: [1, 0, 0],
			hits: 'enemies',
			team: 1,
			owner: { id: own },
		});
		await step(5);
		expect([await health(other), (await get('/projectile/list')).count]).toEqual([100, 0]);
		await step();
		expect(await health(other)).toBe(70);
		expect((await entity(other)).last_attacker.id).toBe(own);
		expect((await entity(own)).combat_state.ready_at).toBe(120);
	});

	test('can be dodged, spare their own team, and hit any enemy in between', async () => {
		await spawn(archer({ combat_cooldown: 100 }));
		const runner = await spawn({ position: [9, 0, 0], team: 2, health: 100 });
		const friend = await spawn({ position: [2, 0, 0], team: 1, health: 100 });
		await step(6001);
		await change(runner, { transform: { position: [9, 0, 9] } });
		const between = await spawn({ position: [7, 0, 0], team: 2, health: 100 });
		await step(20);
		expect([await health(runner), await health(friend), await health(between)]).toEqual([100, 100, 70]);
	});

	test('hurt more when critical, are resisted by category, and last for their lifetime', async () => {
		await spawn(archer({ crit: { chance: 1, multiplier: 2 } }, { category: 'magical', lifetime: 0.1 }));
		const other = await spawn({ position: [5, 0, 0], team: 2, health: 100, magic_resist: 0.5 });
		await step(61);
		expect((await get('/projectile/list')).projectiles[0]).toMatchObject({ damage: 60, ticks_left: 6 });
		await step(7);
		expect(await health(other)).toBe(70);
	});

	test('may miss, with odds that peek lists on the tick before', async () => {
		const spread = [
			{ label: 'hit', weight: 3 },
			{ label: 'miss', weight: 1, angle: 1 },
		];
		await spawn(archer({}, { spread }));
		const other = await spawn({ position: [5, 0, 0], team: 2, health: 100 });
		await step(61);
		const { distribution } = await post('/peek', {});
		expect(
			distribution.map(({ p, choices }: { p: number; choices: { rule: string; label: string }[] }) => [
				choices[0]!.rule,
				choices[0]!.label,
				p,
			]),
		).toEqual([
			['spread', 'hit', 0.75],
			['spread', 'miss', 0.25],
		]);
		const { sampled } = await step();
		await step(6);
		expect(await health(other)).toBe(sampled[0].label === 'hit' ? 70 : 100);
	});

	test('belong to towers too, are in answers and scenarios, and can be removed', async () => {
		const shot = {
			speed: 30,
			lifetime: 2,
			radius: 0.25,
			category: 'pure',
			hits: 'others',
			spread: { cone: 0.1, rays: 4 },
		};
		const answer = await post('/spawn', {
			building_type: 'tier1_tower',
			team: 1,
			combat_projectile: shot,
			crit: { chance: '1/2' },
		});
		expect(answer.warnings).toBeUndefined();
		expect((await entity(answer.id)).shot).toEqual(shot);
		await spawn(archer());
		const document = await get('/scenario?exact=false');
		expect(document.entities[0].combat_projectile).toEqual(shot);
		expect(document.entities[0].components).toBeUndefined();
		await post('/scenario', document);
		expect(await get('/scenario?exact=false')).toEqual(document);
		await change(1, { remove: ['shot'] });
		const other = await spawn({ position: [5, 0, 0], team: 2, health: 100, magic_resist: 1 });
		await step(62);
		expect((await entity(other)).health[0]).toBeLessThan(100);
		expect((await post('/spawn', { combat_projectile: {} })).warnings).toEqual([
			'combat_projectile does nothing without combat: true',
		]);
	});
});

describe('walking', () => {
	test('without an enemy team 1 marches along +x, others along -x, at their speed', async () => {
		const one = await spawn(fighter(1, 0));
		const two = await spawn(fighter(2, 100, { combat_speed: 6 }));
		await step(61);
		expect((await entity(one)).transform.position[0]).toBeCloseTo(3, 3);
		expect((await entity(two)).transform.position[0]).toBeCloseTo(94, 3);
	});

	test('a fighter chases and stops within reach', async () => {
		const own = await spawn(fighter(1, 0));
		await spawn({ position: [10, 0, 0], team: 2, health: 1000 });
		await step(400);
		const { position } = (await entity(own)).transform;
		expect(10 - position[0]).toBeLessThanOrEqual(1.5);
		expect(10 - position[0]).toBeGreaterThan(1.4);
		expect((await entity(own)).velocity.linear).toEqual([0, 0, 0]);
	});

	test('a chase follows the ground, slower to a target at another height; height and rotation stay', async () => {
		const own = await spawn(fighter(1, 0, { velocity: { linear: [0, 0.25, 0] } }));
		await spawn({ position: [3, 4, 0], team: 2, health: 100 });
		await step();
		expect((await entity(own)).velocity.linear[0]).toBeCloseTo(3 * 0.6, 2);
		expect((await entity(own)).velocity.linear.slice(1)).toEqual([0.25, 0]);
		await step(10);
		expect((await entity(own)).local_transform.rotation).toEqual([0, 0, 0, 1]);
	});

	test('a stationary fighter stays, with any given velocity', async () => {
		const own = await spawn(fighter(1, 0, { combat_style: 'stationary', velocity: { linear: [4, 0, 4] } }));
		await step();
		expect((await entity(own)).velocity.linear).toEqual([0, 0, 0]);
	});

	test.each([
		[
			[0, 0, -7],
			[0, 0, -3],
		],
		[
			[3, 9, 4],
			[1.8, 0, 2.4],
		],
		[
			[0, 0, 0],
			[0, 0, 0],
		],
		[
			[0, 1, 0],
			[0, 0, 0],
		],
	])('march %j walks with %j m/s', async (march, velocity) => {
		const own = await spawn(fighter(1, 0, { march }));
		await step();
		const { linear } = (await entity(own)).velocity;
		velocity.forEach((part, axis) => {
			expect(linear[axis]).toBeCloseTo(part, 5);
		});
	});

	test('a scenario has march and sight of a fighter', async () => {
		const own = await spawn(fighter(1, 0, { march: [0, 0, 5], combat_detect_range: 9 }));
		await spawn(fighter(2, 50, { march: [0, 0, 0] }));
		await spawn(fighter(2, 90));
		const { entities } = await get('/scenario?exact=false&unset=false');
		expect(entities[0]).toMatchObject({ march: [0, 0, 1], combat_detect_range: 9 });
		expect(entities[1]).toMatchObject({ march: [0, 0, 0] });
		for (const entry of entities) expect(entry.components).toBeUndefined();
		expect(Object.keys(entities[2])).not.toContain('march');
		await post('/scenario', { entities });
		expect((await entity(own)).march).toEqual({ direction: [0, 0, 1] });
		expect((await entity(1)).march).toBeUndefined();
	});

	test('a march without combat is warned of', async () => {
		expect((await post('/spawn', { march: [1, 0, 0] })).warnings).toEqual([
			'march does nothing without combat: true',
		]);
	});

	test('a dead fighter lies still; another dead body still moves by its velocity', async () => {
		const own = await spawn(fighter(1, 0, { velocity: { linear: [1, 2, 3], angular: [0, 1, 0] } }));
		const body = await spawn({
			health: 5,
			physics_body: 'Kinematic',
			velocity: { linear: [6, 0, 0] },
			position: [0, 0, 50],
		});
		await kill(own);
		await kill(body);
		await step();
		expect((await entity(own)).velocity).toEqual({ linear: [0, 0, 0], angular: [0, 0, 0] });
		const before = await position(body);
		await step(60);
		expect((await position(body))[0]! - before[0]!).toBeCloseTo(6, 3);
	});

	test('a fighter that a person plays does not fight by itself, and keeps its velocity', async () => {
		const own = await spawn(fighter(1, 0, { player: true, velocity: { linear: [0, 0, 2] } }));
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		await step(130);
		expect(await health(other)).toBe(100);
		expect((await entity(own)).velocity.linear).toEqual([0, 0, 2]);
	});

	test('a fighter on patrol patrols until it meets an enemy', async () => {
		const own = await spawn(
			fighter(1, 0, {
				ai_patrol: [
					[0, 0, 9],
					[0, 0, 0],
				],
			}),
		);
		await step(60);
		expect((await entity(own)).transform.position[2]).toBeGreaterThan(2.5);
		expect((await entity(own)).transform.position[0]).toBe(0);
	});
});

describe('critical blows', () => {
	test('are declared with an exact chance and reported by their step', async () => {
		await spawn(fighter(1, 0, { crit: { chance: '1/4', multiplier: 3 } }));
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 1000 });
		await step(60);
		const { sampled } = await step();
		expect(sampled).toHaveLength(1);
		expect(sampled[0]).toMatchObject({ rule: 'crit', entity: 0 });
		expect(sampled[0].probability).toEqual(
			sampled[0].label === 'crit' ? { num: '1', den: '4' } : { num: '3', den: '4' },
		);
		await step();
		expect(await health(other)).toBe(sampled[0].label === 'crit' ? 970 : 990);
		expect((await entity(0)).combat.crit).toEqual({ chance: '1/4', multiplier: 3 });
	});

	test('a chance of 1 is certain and draws nothing', async () => {
		await spawn(fighter(1, 0, { crit: { chance: 1 } }));
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 1000 });
		await step(60);
		expect((await step()).sampled ?? []).toEqual([]);
		await step();
		expect(await health(other)).toBe(980);
	});

	test('impossible chances are refused', async () => {
		for (const chance of [1.5, -1, '3/2', 'half', '1/0'])
			expect((await call('POST', '/spawn', fighter(1, 0, { crit: { chance } }))).status).toBe(422);
	});
});

describe('a battle of many teams', () => {
	/** Spawns 60 fighters of `teams` teams, with critical hits and little health. */
	async function spawnBattle(teams: number): Promise<void> {
		for (let i = 0; i < 60; i++)
			await spawn(
				fighter(1 + (i % teams), (i % 8) * 2.5, {
					position: [(i % 8) * 2.5, 0, Math.floor(i / 8) * 2],
					health: 25,
					combat_cooldown: 0.5,
					role: ['hero', 'minion', 'tower'][i % 3],
					crit: { chance: '1/3' },
				}),
			);
	}

	test.each([2, 12])('of %i teams is the same in a fork, bit for bit', async (teams) => {
		await spawnBattle(teams);
		await step(50);
		await post('/fork', { fork_id: 'other' });
		await step(400);
		await call('POST', '/step?world=other', { ticks: 400 });
		const main = (await call('GET', '/digest')).body.state_digest;
		expect((await call('GET', '/digest?world=other')).body.state_digest).toBe(main);
	});

	test('every fighter has a target while enemies are in sight', async () => {
		await spawnBattle(12);
		await step();
		const { entities } = await post('/observe');
		const teamOf = new Map(entities.map(({ id, team }: { id: number; team: number }) => [id, team]));
		for (const { team, combat_state } of entities) {
			expect(combat_state.target).not.toBeNull();
			expect(teamOf.get(combat_state.target.id)).not.toBe(team);
		}
	});
});

test('the state of a fighter is removed with its combat', async () => {
	await spawn(fighter(1, 0));
	await step();
	expect((await entity(0)).combat_state).toMatchObject({ ready_at: 60, target: null });
	await post('/entities/0/components', { remove: ['combat'] });
	await step();
	expect((await entity(0)).combat_state).toBeUndefined();
});
