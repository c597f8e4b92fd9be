/** GET /why/...: causes, and a suggested change of one field that alters the result. */

import { describe, expect, test } from 'vitest';
import type { Reply } from '../../support/engine.ts';
import { fighter, playing } from '../../support/playing.ts';

const { call, get, post, must, spawn, rule, step, kill } = playing();

type Body = Reply['body'];

/** Returns the codes of the causes in an answer. */
const codes = ({ causes }: Body): string[] => causes.map(({ code }: { code: string }) => code);

/** Sends the calls of the suggested change, in order. */
async function applyChange({ change }: Body): Promise<void> {
	for (const { method, path, body } of change.requests) await must(method, path, body);
}

/** Asks a question, and expects that asking changes nothing. */
async function askWhy(path: string): Promise<Body> {
	const before = (await get('/digest?future=true')).future_digest;
	const { status, body } = await call('GET', path);
	expect(status, JSON.stringify(body)).toBe(200);
	expect((await get('/digest?future=true')).future_digest).toBe(before);
	return body;
}

describe('GET /why/fire/{rule}', () => {
	const readFired = async (id: number) => (await askWhy(`/why/fire/${id}?tries=0`)).fired;

	/** Expects that the suggested change makes the rule fire. */
	async function expectFires(id: number, answer: Body): Promise<void> {
		const before = await readFired(id);
		await applyChange(answer);
		await step(answer.fires_in ?? 300);
		expect(await readFired(id)).toBeGreaterThan(before);
	}

	test('a number that is too high: the nearest entity, and the smallest change of either', async () => {
		const hero = await spawn({ health: 60, team: 1, tags: ['hero'] });
		await spawn({ health: 200, team: 1 });
		const low = await rule({ when: 'field:health<50', filter: 'team:1', do: ['emit low'] });
		const answer = await askWhy(`/why/fire/${low}`);
		expect(codes(answer)).toEqual(['part_fails']);
		expect(answer.parts).toEqual([
			expect.objectContaining({ holds: false, holds_for: 0, nearest: { entity_id: hero, value: 60 } }),
		]);
		expect(answer.change.relative).toBeLessThan(0.21);
		expect(answer).toMatchObject({ fires_in: null, passing: 2, finished: true });
		await expectFires(low, answer);
	});

	test.each([
		['no_entity_passes', { when: 'field:health<50', filter: 'team:2' }, 'filter.team'],
		['disabled', { when: 'tick:5', enabled: false }, 'enabled'],
		['part_fails', { when: 'tick:1000' }, 'when.every'],
	])('%s', async (code, document, field) => {
		await spawn({ health: 40, team: 1 });
		const id = await rule({ ...document, do: ['emit low'] });
		await step(2);
		const answer = await askWhy(`/why/fire/${id}?ticks=60`);
		expect(codes(answer)[0]).toBe(code);
		expect([answer.change.of, answer.change.field]).toEqual(
			field === 'filter.team' ? [expect.anything(), expect.stringContaining('team')] : ['rule', field],
		);
		await expectFires(id, answer);
	});

	test('once, held before, and parts that no entity meets together', async () => {
		await spawn({ health: 40, team: 1 });
		await spawn({ health: 90, team: 2 });
		const once = await rule({ when: 'tick:1', once: true, do: ['emit a'] });
		const held = await rule({ when: 'field:health<50', do: ['emit b'] });
		const apart = await rule({ when: 'field:health<50 & team:2', do: ['emit c'] });
		await step(3);
		expect(codes(await askWhy(`/why/fire/${once}`))).toEqual(['fired_once', 'fires']);
		expect(codes(await askWhy(`/why/fire/${held}?tries=0`))).toEqual(['already_held', 'fires']);
		const answer = await askWhy(`/why/fire/${apart}`);
		expect(codes(answer)).toEqual(['no_common_entity']);
		await expectFires(apart, answer);
	});

	test('a misspelt tag, and an event that nothing sends', async () => {
		await spawn({ health: 40, tags: ['goblin'] });
		const misspelt = await rule({ when: 'field:health<50', filter: 'tag:golbin', do: ['emit a'] });
		const answer = await askWhy(`/why/fire/${misspelt}`);
		expect(answer.answer).toContain('did you mean "goblin"');
		expect(answer.change).toMatchObject({ field: 'filter.tag', to: 'goblin', relative: null });
		await expectFires(misspelt, answer);
		const waiting = await rule({ when: 'event:signal name==open', do: ['emit b'] });
		const unsent = await askWhy(`/why/fire/${waiting}`);
		expect(codes(unsent)).toEqual(['not_happened']);
		expect(unsent.answer).toContain('No rule, script or action sends the signal "open"');
		await rule({ when: 'tick:9', do: ['emit open'] });
		expect((await askWhy(`/why/fire/${waiting}?tries=0`)).answer).not.toContain('sends the signal');
	});

	test('a statement about entities: the nearest value is named and tried, and a shortened search is reported', async () => {
		const hero = await spawn(fighter(1, 0, { tags: ['hero'], combat_damage: 0.001 }));
		await spawn(fighter(2, 1, { combat_damage: 5 }));
		const when = 'any tag:hero & field:health<=0.5 & alive';
		const low = await rule({ when, do: ['emit low'] });
		const late = await rule({ when: 'tick:1000', do: ['emit late'] });
		const cut = await askWhy(`/why/fire/${late}?ticks=60&tries=1`);
		expect(cut).toMatchObject({ finished: false, change: null, tried: 1 });
		expect(cut.answer).toContain('limit of 1 changes');
		const answer = await askWhy(`/why/fire/${low}?ticks=130&tries=20`);
		expect(answer.parts[0].nearest).toEqual({ entity_id: hero, value: 100 });
		await applyChange(answer);
		await step(130);
		expect(await readFired(low)).toBeGreaterThan(0);
	});

	test('a rule that fires: when it fires, and what would stop it', async () => {
		const id = await rule({ when: 'tick:7', do: ['emit a'] });
		const answer = await askWhy(`/why/fire/${id}?ticks=20`);
		expect(answer.fires_in).toBe(7);
		await applyChange(answer);
		await step(20);
		expect(await readFired(id)).toBe(0);
		expect((await call('GET', '/why/fire/99')).body.code).toBe('rule_not_found');
	});
});

describe('GET /why/reach/{id}', () => {
	const mesh = { min_x: -5, min_z: -5, max_x: 5, max_z: 5, cell_size: 1, agent_radius: 0.4 };
	const wall = (more: object = {}) => ({
		position: [0, 1, 0],
		physics_body: 'Static',
		collider: { shape: 'Aabb', hx: 0.5, hy: 1, hz: 5, ...more },
	});

	async function expectArrival(id: number, answer: Body, to: readonly number[]): Promise<void> {
		await applyChange(answer);
		await step(240);
		expect((await get(`/path/${id}`)).state).toBe('arrived');
		const { position } = (await get(`/entities/${id}`)).local_transform;
		expect(Math.hypot(position[0] - to[0]!, position[2] - to[2]!)).toBeLessThan(0.1);
	}

	test('a wall: names it, and the change that opens a way', async () => {
		const id = await spawn({ position: [-3, 0, 0] });
		const one = await spawn(wall());
		await post('/navmesh/generate', mesh);
		const answer = await askWhy(`/why/reach/${id}?to=3,0,0&ticks=240`);
		expect(codes(answer)).toEqual(['way_blocked', 'no_path']);
		expect(answer.causes[0].entity_id).toBe(one);
		expect(answer).toMatchObject({ reaches: false, length: null });
		await expectArrival(id, answer, [3, 0, 0]);
	});

	test('a speed of 0, a goal outside the mesh, a goal in an obstacle, no mesh', async () => {
		const id = await spawn({ position: [-3, 0, 0] });
		expect(codes(await askWhy(`/why/reach/${id}?to=3,0,0&ticks=240`))).toEqual(['no_navmesh']);
		await post('/navmesh/generate', mesh);
		await post('/path/set', { entity_id: id, target: [3, 0, 0], speed: 0 });
		const still = await askWhy(`/why/reach/${id}?ticks=240`);
		expect([codes(still), still.change.field]).toEqual([['no_speed'], 'path.speed']);
		const outside = await askWhy(`/why/reach/${id}?to=5.4,0,0&ticks=240`);
		expect(codes(outside)).toEqual(['goal_outside_mesh', 'no_speed', 'no_path']);
		await expectArrival(id, still, [3, 0, 0]);
		const box = await spawn({ ...wall({ hz: 1 }), position: [3, 1, 3] });
		const blocked = await askWhy(`/why/reach/${id}?to=3,0,3&ticks=240`);
		expect(codes(blocked)).toEqual(['goal_blocked', 'no_path']);
		expect(blocked.causes[0].entity_id).toBe(box);
		await expectArrival(id, blocked, [3, 0, 3]);
	});

	test('a gap that is too narrow: names both sides and the widths, and a change that opens it', async () => {
		const id = await spawn({ position: [-3, 0, 0] });
		const box = (position: readonly number[], hx: number, hz: number) =>
			spawn({ position, physics_body: 'Static', collider: { shape: 'Aabb', hx, hy: 1, hz } });
		await box([-2, 1, 4], 3, 0.2);
		await box([-2, 1, -4], 3, 0.2);
		await box([-5, 1, 0], 0.2, 4);
		const [one, other] = [await box([1, 1, 2.2], 0.2, 1.8), await box([1, 1, -2.2], 0.2, 1.8)];
		await post('/navmesh/generate', {
			min_x: -8,
			min_z: -8,
			max_x: 8,
			max_z: 8,
			cell_size: 0.2,
			agent_radius: 0.5,
		});
		const answer = await askWhy(`/why/reach/${id}?to=5,0,0&ticks=600`);
		expect(answer.causes[0]).toMatchObject({ code: 'too_narrow', entity_id: one });
		expect(answer.causes[0].text).toContain(`entities ${one} and ${other} is 0.8 m`);
		expect(answer.causes[0].text).toContain('needs 1 m');
		expect(answer.change.field).toMatch(/^(agent_radius|position)/);
		await applyChange(answer);
		await step(600);
		expect((await get(`/path/${id}`)).state).toBe('arrived');
	});

	test('a walker that arrives gets its travel time; without a goal, the fix says what to send', async () => {
		const id = await spawn({ position: [-3, 0, 0] });
		await post('/navmesh/generate', mesh);
		expect((await call('GET', `/why/reach/${id}`)).body.fix).toContain('?to=x,y,z');
		const answer = await askWhy(`/why/reach/${id}?to=3,0,0&tries=0`);
		expect(answer).toMatchObject({ reaches: true, length: 6, walk: { path: '/path/set' } });
		await must('POST', answer.walk.path, answer.walk.body);
		await step(answer.ticks);
		expect((await get(`/path/${id}`)).state).toBe('arrived');
	});
});

describe('GET /why/visible/{id}', () => {
	test.each([
		['behind_camera', { mesh: 'cube', position: [30, 20, 30] }],
		['no_mesh', { position: [0, 1, 0] }],
		['no_size', { mesh: 'cube', position: [0, 1, 0], scale: [1, 0, 1] }],
		['outside_view', { mesh: 'cube', position: [-40, 1, 20] }],
		['too_far', { mesh: 'cube', position: [-900, -700, -900] }],
	])('%s', async (code, document) => {
		const id = await spawn(document);
		const answer = await askWhy(`/why/visible/${id}`);
		expect(codes(answer)[0]).toBe(code);
		expect(answer.visible).toBe(false);
		if (code === 'no_mesh') return expect(answer.change).toBe(null);
		await applyChange(answer);
		expect((await askWhy(`/why/visible/${id}?tries=0`)).visible).toBe(true);
	});

	test('an entity that another one hides', async () => {
		const id = await spawn({ mesh: 'cube', position: [0, 1, 0], scale: [0.5, 0.5, 0.5] });
		expect(codes(await askWhy(`/why/visible/${id}?tries=0`))).toEqual(['visible']);
		const before = await spawn({ mesh: 'cube', position: [4, 3.5, 4], scale: [3, 3, 3] });
		const answer = await askWhy(`/why/visible/${id}`);
		expect(answer.causes).toEqual([expect.objectContaining({ code: 'hidden_by', entity_id: before })]);
		await applyChange(answer);
		expect((await askWhy(`/why/visible/${id}?tries=0`)).visible).toBe(true);
	});
});

describe('GET /why/dead/{id}', () => {
	/** Expects that the suggested change, applied in a fork of the past, saves the entity. */
	async function expectSurvival(id: number, answer: Body): Promise<void> {
		await applyChange(answer);
		expect((await get(`/entities/${id}?world=why`)).dead).toBeUndefined();
	}

	test('a fighter: its hits, their source, and the change that saves it', async () => {
		const knight = await spawn(fighter(1, 0, { combat_damage: 30, tags: ['knight'] }));
		const orc = await spawn(fighter(2, 1, { combat_damage: 1 }));
		await step(400);
		const answer = await askWhy(`/why/dead/${orc}`);
		expect(codes(answer)).toEqual(['damage']);
		expect(answer).toMatchObject({ dead: true, killer: knight, hit_count: answer.hits.length });
		expect(answer.hits.at(-1)).toMatchObject({ source: knight, source_tags: ['knight'], amount: 30 });
		expect(answer.health.map(({ current }: { current: number }) => current)).toEqual([100, 70, 40, 10, 0]);
		expect(answer.change.relative).toBeLessThanOrEqual(0.5);
		const first = await get(`/history/first?condition=${encodeURIComponent('event:death')}`);
		expect(answer.died_at).toBe(first.tick);
		// The change is relative to the health at the time of the fork, when it is already lower.
		const late = await askWhy(`/why/dead/${orc}?ticks=80`);
		const { field, id, from, to, relative } = late.change;
		if (field === 'health' && id === orc) {
			expect(from).toBeLessThan(100);
			expect(relative).toBeCloseTo(Math.abs(to - from) / from, 2);
		}
		expect(late.lives_until).toBe(late.died_at + 60);
		expect(late.answer).toContain(`alive at tick ${late.lives_until}`);
		await expectSurvival(orc, answer);
	});

	test('after a reset, also within a batch: only the life in the current world', async () => {
		const dies = async (health: number) => {
			const hero = await spawn(fighter(2, 1, { health, combat_damage: 1 }));
			await spawn(fighter(1, 0, { combat_damage: 5, tags: ['killer'] }));
			await step(1500);
			return hero;
		};
		const truth = async (id: number) => {
			const { died_at, hit_count, health, causes } = await askWhy(`/why/dead/${id}?tries=0`);
			const first = await get(`/history/first?condition=${encodeURIComponent('event:death')}`);
			expect([first.tick, causes[0].code]).toEqual([died_at, 'damage']);
			return { died_at, hit_count, health: health[0].current };
		};
		const hundred = await truth(await dies(100));
		expect(hundred).toMatchObject({ hit_count: 20, health: 100 });
		await post('/reset', { fresh: true });
		const hero = await dies(50);
		const fifty = await truth(hero);
		expect(fifty).toMatchObject({ hit_count: 10, health: 50 });
		expect(fifty.died_at).toBeLessThan(hundred.died_at);
		await post('/batch', { requests: [{ path: '/reset', body: { fresh: true } }] });
		const longer = await truth(await dies(120));
		expect(longer).toMatchObject({ hit_count: 24, health: 120 });
		await post('/reset', { fresh: true });
		const fine = await spawn(fighter(1, 0));
		await step(5);
		const answer = await askWhy(`/why/dead/${fine}`);
		expect([codes(answer), answer.died_at]).toEqual([['alive'], null]);
		expect(answer.answer).toContain('since POST /reset');
		const earlier = await get(`/history/first?condition=${encodeURIComponent('event:death')}`);
		expect(earlier).toMatchObject({ found: false, since: expect.any(Number) });
		expect(
			(await get(`/history/first?condition=${encodeURIComponent('event:death')}&from_tick=0`)).tick,
		).toBe(hundred.died_at);
	});

	test('a call, a rule that sets health, a removal, and no death', async () => {
		const [hurt, drained, gone, fine] = [
			await spawn({ health: 50 }),
			await spawn({ health: 60, tags: ['cursed'] }),
			await spawn({ health: 10 }),
			await spawn({ health: 10 }),
		];
		const curse = await rule({ name: 'curse', when: 'tick:4', do: ['add_field tag:cursed health -20'] });
		await step(2);
		await kill(hurt);
		await step(20);
		await post('/despawn', { entity_id: gone });
		const called = await askWhy(`/why/dead/${hurt}`);
		expect(codes(called)).toEqual(['damage_by_call']);
		expect(called.hits).toEqual([
			expect.objectContaining({ call: expect.objectContaining({ path: '/entity/damage' }) }),
		]);
		const lost = await askWhy(`/why/dead/${drained}`);
		expect(codes(lost)).toEqual(['health_lost']);
		expect(lost.rules).toEqual([{ id: curse, name: 'curse' }]);
		await expectSurvival(drained, lost);
		expect(codes(await askWhy(`/why/dead/${gone}`))).toEqual(['removed']);
		expect(codes(await askWhy(`/why/dead/${fine}`))).toEqual(['alive']);
		expect((await call('GET', '/why/dead/900')).body.code).toBe('entity_not_found');
	});
});
