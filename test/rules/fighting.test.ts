/** Rules of fighting, as claims over calls: blows, targets, marching, critical hits, armour. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { applyCrowdControl } from '../../web/sim/effects/crowd-control.ts';
import { call } from '../support/play.ts';

let engine: Engine;
beforeEach(async () => {
	engine = await createEngine({ seed: 7 });
});

const post = async (path: string, body: unknown = {}) => (await call(engine, 'POST', path, body)).body;
const spawn = async (document: object): Promise<number> => (await post('/spawn', document)).id;
const step = (ticks = 1) => post('/step', { ticks });
const entity = async (id: number) => (await call(engine, 'GET', `/entities/${id}`)).body;
const health = async (id: number) => (await entity(id)).health[0];
const fighter = (team: number, x: number, more: object = {}) => ({
	position: [x, 0, 0],
	team,
	health: 100,
	combat: true,
	...more,
});

/** The ticks up to `until` on which the health of an entity fell. */
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

describe('blows', () => {
	test('with a target in reach from the start, the first blow falls after 60 ticks, then one every 60', async () => {
		await spawn(fighter(1, 0));
		const other = await spawn(fighter(2, 1));
		expect(await lossTicks(other, 200)).toEqual([62, 122, 182]);
	});

	test('a cooldown of 0.8 s is 48 ticks', async () => {
		await spawn(fighter(1, 0, { combat_cooldown: 0.8 }));
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		expect(await lossTicks(other, 120)).toEqual([50, 98]);
	});

	test('one who has waited strikes in the tick in which the target is in reach', async () => {
		await spawn(fighter(1, 0));
		await step(300);
		const other = await spawn({ position: [-1, 0, 0], team: 2, health: 100 });
		const { body } = await call(engine, 'GET', '/entities/0');
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

describe('targets', () => {
	test('anything with a team and health can be attacked', async () => {
		await spawn(fighter(1, 0));
		const house = await spawn({ position: [5, 0, 0], team: 2, health: 100 });
		await step(200);
		expect(await health(house)).toBeLessThan(100);
	});

	test('a hero prefers heroes, a minion prefers minions, whoever is nearer', async () => {
		const hero = await spawn(fighter(1, 0, { role: 'hero' }));
		const minion = await spawn(fighter(1, 0, { role: 'minion' }));
		const enemyMinion = await spawn({ position: [3, 0, 0], team: 2, health: 100, role: 'minion' });
		const enemyHero = await spawn({ position: [6, 0, 0], team: 2, health: 100, role: 'hero' });
		await step();
		expect((await entity(hero)).combat_state.target.id).toBe(enemyHero);
		expect((await entity(minion)).combat_state.target.id).toBe(enemyMinion);
	});

	test('targets are kept, even when a nearer one comes', async () => {
		const own = await spawn(fighter(1, 0));
		const far = await spawn({ position: [10, 0, 0], team: 2, health: 100 });
		await step();
		await spawn({ position: [2, 0, 0], team: 2, health: 100 });
		await step();
		expect((await entity(own)).combat_state.target.id).toBe(far);
	});

	test('among equally near ones the lowest id is chosen; teammates and the dead never', async () => {
		const own = await spawn(fighter(1, 0));
		await spawn({ position: [1, 0, 0], team: 1, health: 100 });
		await spawn({ position: [1, 0, 0], team: 2, health: 0 });
		const first = await spawn({ position: [0, 0, 4], team: 3, health: 100 });
		await spawn({ position: [4, 0, 0], team: 2, health: 100 });
		await step(2);
		expect((await entity(own)).combat_state.target.id).toBe(first);
	});

	test('a stationary fighter locks only onto what it can reach', async () => {
		const tower = await spawn(fighter(1, 0, { combat_style: 'stationary', combat_range: 5 }));
		const far = await spawn({ position: [6, 0, 0], team: 2, health: 100 });
		await step(2);
		expect((await entity(tower)).combat_state.target).toBeNull();
		const near = await spawn({ position: [5, 0, 0], team: 2, health: 100 });
		await step(62);
		expect((await entity(tower)).combat_state.target.id).toBe(near);
		expect(await health(near)).toBe(90);
		expect(await health(far)).toBe(100);
		expect((await entity(tower)).transform.position).toEqual([0, 0, 0]);
	});

	test('a tower turns on an enemy hero who hurt a hero of its team', async () => {
		const tower = await spawn(fighter(1, 0, { role: 'tower', combat_style: 'stationary', combat_range: 8 }));
		const minion = await spawn({ position: [2, 0, 0], team: 2, health: 1000, role: 'minion' });
		const enemy = await spawn({ position: [4, 0, 0], team: 2, health: 1000, role: 'hero' });
		const friend = await spawn({ position: [50, 0, 0], team: 1, health: 1000, role: 'hero' });
		await step();
		expect((await entity(tower)).combat_state.target.id).toBe(minion);
		await post('/entity/damage', { entity_id: friend, amount: 1, source: enemy });
		await step();
		expect((await entity(tower)).combat_state.override.id).toBe(enemy);
		expect((await entity(tower)).combat_state.target.id).toBe(enemy);
	});
});

describe('walking', () => {
	test('with nobody to fight team 1 marches along +x, others along -x, at their speed', async () => {
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

	test('one whom a person plays does not fight by itself', async () => {
		await spawn(fighter(1, 0, { player: true }));
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		await step(130);
		expect(await health(other)).toBe(100);
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

describe('damage', () => {
	test('armour 10 leaves 62.5 % of physical, all of magical and pure damage', async () => {
		const own = await spawn({ health: 1000, armor: 10 });
		await post('/entity/damage', { entity_id: own, amount: 80 });
		await step();
		expect(await health(own)).toBe(950);
		await post('/entity/damage', { entity_id: own, amount: 80, category: 'magical' });
		await post('/entity/damage', { entity_id: own, amount: 20, category: 'pure' });
		await step();
		expect(await health(own)).toBe(850);
	});

	test('magic resistance turns its share of magical damage away; negative armour adds damage', async () => {
		const own = await spawn({ health: 1000, armor: -10, magic_resist: 0.25 });
		await post('/entity/damage', { entity_id: own, amount: 100, category: 'magical' });
		await step();
		expect(await health(own)).toBe(925);
		await post('/entity/damage', { entity_id: own, amount: 80 });
		await step();
		expect(await health(own)).toBe(815);
	});

	test('damage takes effect once and the dead take none', async () => {
		const own = await spawn({ health: 30 });
		await post('/entity/damage', { entity_id: own, amount: 20 });
		await step(3);
		expect(await health(own)).toBe(10);
		await post('/entity/damage', { entity_id: own, amount: 50 });
		await step();
		expect(await health(own)).toBe(0);
		expect((await post('/entity/damage', { entity_id: own, amount: 1 })).code).toBe('entity_dead');
	});
});

describe('critical blows', () => {
	test('are declared with an exact chance and reported by the step that decided them', async () => {
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
			expect((await call(engine, 'POST', '/spawn', fighter(1, 0, { crit: { chance } }))).status).toBe(422);
	});
});

describe('a battle of many teams', () => {
	/** 60 fighters of `teams` teams, some with chance in their blows, some of whom die. */
	async function battle(teams: number): Promise<void> {
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

	test.each([2, 12])('of %i teams goes on the same in a fork, bit for bit', async (teams) => {
		await battle(teams);
		await step(50);
		await post('/fork', { fork_id: 'other' });
		await step(400);
		await call(engine, 'POST', '/step?world=other', { ticks: 400 });
		const main = (await call(engine, 'GET', '/digest')).body.state_digest;
		expect((await call(engine, 'GET', '/digest?world=other')).body.state_digest).toBe(main);
	});

	test('every fighter has an enemy for a target while enemies are in sight', async () => {
		await battle(12);
		await step();
		const { entities } = await post('/observe');
		const teamOf = new Map(entities.map(({ id, team }: { id: number; team: number }) => [id, team]));
		for (const { team, combat_state } of entities) {
			expect(combat_state.target).not.toBeNull();
			expect(teamOf.get(combat_state.target.id)).not.toBe(team);
		}
	});
});

test('the state of a fighter goes with its combat', async () => {
	await spawn(fighter(1, 0));
	await step();
	expect((await entity(0)).combat_state).toMatchObject({ ready_at: 60, target: null });
	await post('/entities/0/components', { remove: ['combat'] });
	await step();
	expect((await entity(0)).combat_state).toBeUndefined();
});

describe('crowd control', () => {
	type Given = Parameters<typeof applyCrowdControl>[2];
	const control = (id: number, given: Omit<Given, 'dispel'>) =>
		applyCrowdControl(engine.worlds.main.world, { id, generation: 0 }, { dispel: 'BasicDispel', ...given });

	test.each(['Stun', 'Hex', 'Disarm', 'Sleep'] as const)('%s keeps a fighter from striking', async (kind) => {
		await spawn(fighter(1, 0));
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		control(0, { kind, duration: 2 });
		await step(121);
		expect(await health(other)).toBe(100);
		await step(2);
		expect(await health(other)).toBe(90);
	});

	test.each([
		['Stun', 0],
		['Root', 0],
		['Silence', 3],
		['Slow', 1.5],
	] as const)('%s leaves %f m/s of the speed of a chase', async (kind, speed) => {
		await spawn(fighter(1, 0));
		await spawn({ position: [10, 0, 0], team: 2, health: 100 });
		control(0, { kind, duration: 5, ...(kind === 'Slow' ? { factor: 0.5 } : {}) });
		await step();
		expect((await entity(0)).velocity.linear).toEqual([speed, 0, 0]);
	});

	test('a rooted fighter strikes what is in reach', async () => {
		await spawn(fighter(1, 0));
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		control(0, { kind: 'Root', duration: 5 });
		await step(62);
		expect(await health(other)).toBe(90);
	});

	test('a taunted fighter attacks who taunts it', async () => {
		await spawn(fighter(1, 0));
		await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		const taunter = await spawn({ position: [-1, 0, 0], team: 2, health: 100 });
		await step();
		control(0, { kind: 'Taunt', duration: 5, target: { id: taunter, generation: 0 } });
		await step(61);
		expect(await health(taunter)).toBe(90);
	});

	test('nobody chooses or keeps an invisible target, and observers of others do not see it', async () => {
		await spawn(fighter(1, 0));
		const hidden = await spawn({ position: [5, 0, 0], team: 2, health: 100 });
		await post('/view-filter/set', { entity_id: 0, rules: ['always'] });
		await step();
		expect((await entity(0)).combat_state.target.id).toBe(hidden);
		control(hidden, { kind: 'Invisibility', duration: 5, fade_time: 0.5 });
		await step(30);
		expect((await entity(0)).combat_state.target.id).toBe(hidden);
		await step();
		expect((await entity(0)).combat_state.target).toBeNull();
		expect((await entity(hidden)).visible_to).toEqual([]);
	});
});
