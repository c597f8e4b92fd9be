/** Sweeps: each row equals the same calls in a fork, and the world does not change. */

import { afterEach, describe, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine.ts';

const engines: TestEngine[] = [];
afterEach(() => {
	for (const { engine } of engines.splice(0)) engine.close();
});

async function start(): Promise<TestEngine> {
	const result = await startEngine({ seed: 7 });
	engines.push(result);
	return result;
}

/** Returns a world with a fight of a tower against a foe, both with critical hits. */
async function duel(): Promise<TestEngine & { readonly tower: number; readonly foe: number }> {
	const result = await start();
	const fighter = { combat: true, combat_cooldown: 0.5, crit: { chance: '1/4', multiplier: 3 } };
	const tower = await result.spawn({ health: 100, team: 1, combat_damage: 6, tags: ['tower'], ...fighter });
	const foe = await result.spawn({
		health: 90,
		team: 2,
		combat_damage: 9,
		position: [1, 0, 0],
		tags: ['foe'],
		...fighter,
	});
	await result.step(3);
	return { ...result, tower, foe };
}

const WON = 'dead & tag:foe';
const FIELDS = {
	hp: { field: 'health', of: 'tag:tower' },
	foes: { field: 'health', of: 'tag:foe', take: 'count' },
};

/** Returns the row of a variant as an object. */
const rowOf = ({ columns, rows }: { columns: string[]; rows: unknown[][] }, at: number) =>
	Object.fromEntries(columns.map((name, i) => [name, rows[at]![i]]));

describe('a row of a sweep', () => {
	test('equals a fork with the same seed, value and calls', async () => {
		const { post, get, remove, bytes, tower } = await duel();
		const before = bytes();
		const { next } = await get('/journal');
		const damages = [2, 6, 11];
		const answer = await post('/sweep', {
			vary: [{ as: 'damage', field: 'combat_damage', of: 'tag:tower', values: damages }],
			variants: [
				{ name: 'alone', seed: 3 },
				{
					name: 'healed',
					seed: 4,
					requests: [{ path: '/entity/heal', body: { entity_id: tower, amount: '$damage' } }],
				},
			],
			ticks: 200,
			where: { won: WON },
			fields: FIELDS,
		});
		expect(answer).toMatchObject({ ok: true, complete: true, runs: 6, ticks_computed: 1200 });
		expect((await get('/journal')).next).toBe(next);
		expect(answer.columns).toEqual(['damage', 'variant', 'won', 'hp', 'foes', 'state_digest']);
		const byHand: unknown[][] = [];
		for (const damage of damages)
			for (const [name, seed] of [
				['alone', 3],
				['healed', 4],
			] as const) {
				await post('/fork', { fork_id: 'hand', seed });
				await post(`/entities/${tower}/components?world=hand`, { combat_damage: damage });
				if (name === 'healed') await post('/entity/heal?world=hand', { entity_id: tower, amount: damage });
				const { state_digest } = await post('/fork/hand/step', { ticks: 200 });
				const { entities } = await post('/observe?world=hand');
				const tags = (tag: string) =>
					entities.filter((entity: { tags?: string[] }) => entity.tags?.includes(tag));
				const [foe] = tags('foe');
				const [own] = tags('tower');
				byHand.push([
					damage,
					name,
					foe?.health[0] === 0,
					own?.health[0] ?? null,
					tags('foe').length,
					state_digest,
				]);
				await remove('/fork/hand');
			}
		expect(answer.rows).toEqual(byHand);
		expect(bytes()).toBe(before);
	});

	test('with seeds counts and averages the rows of these seeds', async () => {
		const { post, bytes } = await duel();
		const before = bytes();
		const options = { until: WON, ticks: 400, fields: { hp: FIELDS.hp } };
		const many = rowOf(await post('/sweep', { ...options, seeds: 12 }), 0);
		const variants = Array.from({ length: 12 }, (_, i) => ({ seed: i + 1 }));
		const each = await post('/sweep', { ...options, variants });
		const rows = variants.map((_, i) => rowOf(each, i));
		const won = rows.filter(({ until }) => until).length;
		expect(won).toBeGreaterThan(0);
		expect(won).toBeLessThan(12);
		const ticks = rows.map((row) => row.ticks as number);
		const hp = rows.map((row) => row.hp).filter((value) => typeof value === 'number');
		const mean = (all: number[]) =>
			Number((all.reduce((sum, number) => sum + number, 0) / all.length).toPrecision(9));
		const error = (all: number[]) => {
			const squares = all.reduce((sum, number) => sum + (number - mean(all)) ** 2, 0);
			return expect.closeTo(Math.sqrt(squares / (all.length - 1) / all.length), 6);
		};
		expect(many).toEqual({
			until: Number((won / 12).toPrecision(9)),
			until_count: won,
			ticks_mean: mean(ticks),
			ticks_error: error(ticks),
			ticks_min: Math.min(...ticks),
			ticks_max: Math.max(...ticks),
			hp_mean: mean(hp),
			hp_error: error(hp),
			hp_min: Math.min(...hp),
			hp_max: Math.max(...hp),
		});
		expect(bytes()).toBe(before);
	});

	test('warns of an end before the first tick, and of fields that belong to no entity', async () => {
		const { post } = await duel();
		const fields = { hp: { field: 'health.current', of: 'tag:nobody' } };
		const { warnings } = await post('/sweep', { until: 'tag:foe', ticks: 5, fields, seeds: 3 });
		expect(warnings[0]).toContain('until: the condition holds already at tick 0 in 3 of 3 runs');
		expect(warnings.at(-1)).toContain('fields.hp.of: there is currently no tag "nobody"');
	});

	test('names the entity that decides', async () => {
		const { post, spawn, foe } = await duel();
		const idle = await spawn({ tags: ['idle'] });
		const answer = await post('/sweep', {
			leave_out: { entities: 'tag:foe | tag:idle' },
			ticks: 5,
			where: { there: 'count tag:foe min=1' },
		});
		expect(answer.rows.map(([healthWithout, there]: unknown[]) => [healthWithout, there])).toEqual([
			[null, true],
			[foe, false],
			[idle, true],
		]);
		expect(answer.differ).toEqual([String(foe)]);
	});
});

describe('find', () => {
	const lone = { values: undefined, from: 0, to: 60 };
	const find = (client: TestEngine, which: string, until: string, more: object = {}) =>
		client.post('/sweep', {
			vary: [{ as: 'gold', field: 'gold', of: 'tag:purse', ...lone }],
			find: which,
			until,
			ticks: 1,
			...more,
		});

	test('bisects, and checks other values too', async () => {
		const client = await start();
		await client.spawn({ gold: 0, tags: ['purse'] });
		const { found, runs } = await find(client, 'smallest', 'field gold >= 37 tag:purse');
		expect(found).toMatchObject({
			value: 37,
			monotone: true,
			exact: false,
			changes: [{ from: 36, to: 37, holds: true }],
		});
		expect(found.checked.length).toBeGreaterThan(4);
		expect(runs).toBe(found.tried);
		expect(runs).toBeLessThan(20);
		expect((await find(client, 'largest', 'field gold < 37 tag:purse')).found.value).toBe(36);
		expect((await find(client, 'smallest', 'field gold > 60 tag:purse')).found.value).toBe(null);
	});

	test('reports an answer that is not monotone, and tries every value', async () => {
		const client = await start();
		await client.spawn({ gold: 0, tags: ['purse'] });
		const island = 'field gold >= 5 tag:purse & field gold <= 30 tag:purse';
		const { found } = await find(client, 'smallest', island);
		expect(found).toMatchObject({
			value: 5,
			monotone: false,
			exact: true,
			tried: 61,
			changes: [
				{ from: 4, to: 5, holds: true },
				{ from: 30, to: 31, holds: false },
			],
		});
	});

	test('counts seeds', async () => {
		const client = await duel();
		const options = {
			vary: [{ as: 'damage', field: 'combat_damage', of: 'tag:tower', from: 4, to: 12, step: 2 }],
			where: { won: WON },
			ticks: 220,
			seeds: 4,
		};
		const { found } = await client.post('/sweep', { ...options, find: 'smallest', share: 0.5 });
		const table = await client.post('/sweep', { ...options, limit: 40 });
		const first = table.rows.find(([, won]: [number, number]) => won >= 0.5);
		expect(found.value).toBe(first[0]);
	});
});

describe('calls of the past', () => {
	test('are omitted one by one, as if each had never been sent', async () => {
		const client = await start();
		const { post, spawn, step, bytes } = client;
		const hero = await spawn({ health: 50, tags: ['hero'] });
		const damage = (amount: number) => post('/entity/damage', { entity_id: hero, amount });
		await damage(20);
		await step(2);
		await post('/batch', {
			requests: [
				{ path: '/entity/heal', body: { entity_id: hero, amount: 5 } },
				{ path: '/step', body: { ticks: 3 } },
				{ path: '/entity/damage', body: { entity_id: hero, amount: 30 } },
			],
		});
		await step(2);
		const before = bytes();
		const answer = await post('/sweep', {
			leave_out: { calls: 3 },
			ticks: 2,
			where: { dead: 'dead & tag:hero' },
			fields: { hp: { field: 'health', of: 'tag:hero' } },
		});
		// 50 - 20 + 5 - 30: without the heal it is dead, and without the first damage the heal finds it unhurt.
		expect(answer.rows.map(([, dead, hp]: unknown[]) => [dead, hp])).toEqual([
			[false, 5],
			[false, 20],
			[true, 0],
			[false, 35],
		]);
		expect(answer.differ).toHaveLength(1);
		expect(answer.differ[0]).toMatch(/^2?\d*\[0\] POST \/entity\/heal|^\d+ POST \/entity\/heal/);
		expect(bytes()).toBe(before);
		expect(answer.rows[0].at(-1)).toBe((await post('/probe', { ticks: 2, fork: true })).state_digest);
	});

	test('are refused if there is none to omit', async () => {
		const { post, step } = await start();
		await step(5);
		const options = { leave_out: { calls: 3 }, ticks: 1 };
		expect(await post('/sweep', options)).toMatchObject({ code: 'no_moment', fix: /./ });
	});
});

describe('calls that do several things', () => {
	const HERO = { hp: { field: 'health', of: 'tag:hero' } };
	const amount = { type: 'number', description: 'Health (HP)' };
	const hurting = (amount: unknown) => ({ path: '/entity/damage', body: { entity_id: 0, amount: amount } });

	/** Returns a world with a hero and two actions: one hurts it and takes two ticks, the other heals it. */
	async function game(): Promise<TestEngine> {
		const result = await start();
		const heal = { path: '/entity/heal', body: { entity_id: 0, amount: '$amount' } };
		await result.must('POST', '/scenario', {
			entities: [{ health: 100, tags: ['hero'] }],
			actions: [
				{
					name: 'hurt',
					description: 'Hurts the hero.',
					parameters: { amount },
					requests: [hurting('$amount')],
					ticks: 2,
				},
				{ name: 'mend', description: 'Heals the hero.', parameters: { amount }, requests: [heal] },
			],
		});
		return result;
	}
	const move = (name: string, by: number) => ({
		path: `/action/${name}`,
		body: { parameters: { amount: by } },
	});
	/** Returns the hero's health without each of the last calls, and the warnings. */
	const without = async ({ post }: TestEngine, calls: number, world = 'main') => {
		const options = { leave_out: { calls }, ticks: 1, fields: HERO };
		const { rows, ...rest } = await post(`/sweep?world=${world}`, options);
		return [rows?.map(([, hp]: unknown[]) => hp) ?? rest, rest.warnings ?? []];
	};

	test('moves of a game are left out, replaced by variants, and chosen to avoid an outcome', async () => {
		const result = await game();
		const { post } = result;
		for (const [name, by] of [
			['hurt', 60],
			['mend', 30],
			['hurt', 50],
		] as const)
			await result.must('POST', move(name, by).path, move(name, by).body);
		await result.step(3);
		expect(await without(result, 3)).toEqual([[20, 50, 0, 70], []]);
		const variants = [{ requests: [move('hurt', 15)] }, { requests: [hurting(1), move('mend', 5)] }];
		const { rows } = await post('/sweep', { variants, ticks: 3, fields: HERO });
		expect(rows.map(([, hp]: unknown[]) => hp)).toEqual([5, 24]);
		const refused = await post('/sweep', { variants: [{ requests: [move('jump', 1)] }], ticks: 1 });
		expect(refused).toMatchObject({ code: 'variant_refused', fix: /hurt/ });
		await result.must('POST', move('hurt', 20).path, move('hurt', 20).body);
		const interventions = [{ name: 'mend', requests: [move('mend', 5)] }];
		expect(await post('/inevitable', { outcome: 'dead & tag:hero', interventions })).toMatchObject({
			happens: true,
			last_way_out: { interventions: ['mend'] },
		});
		const instead = { seq: 1, request: { method: 'POST', ...move('hurt', 5) } };
		const replay = { replace: instead, conditions: ['dead & tag:hero'], fields: ['health'] };
		expect(await post('/history/replay', replay)).toMatchObject({ ok: true, equal: false });
	});

	test('steps of a fork with requests, inputs and chosen draws', async () => {
		const result = await game();
		const { must } = result;
		const outcomes = [
			{ label: 'hit', weight: 1, do: ['damage tag:hero 1'] },
			{ label: 'miss', weight: 1 },
		];
		const rule = await result.rule({ when: 'tick:1', outcomes });
		await must('POST', '/fork', { fork_id: 'plan' });
		await must('POST', '/fork/step', {
			steps: [
				{ fork_id: 'plan', requests: [hurting(5)], ticks: 2 },
				{ fork_id: 'plan', requests: [hurting(7)] },
			],
			ticks: 3,
		});
		await must('POST', '/step?world=plan', { choices: [{ rule, entity: null, outcome: 1 }] });
		await must('POST', '/entity/heal?world=plan', { entity_id: 0, amount: 1 });
		const [health] = (await result.get('/entities/0?world=plan')).health;
		const [[all, ...left], warnings] = await without(result, 4, 'plan');
		expect(warnings).toEqual([]);
		expect([health - all, left.length]).toEqual([expect.any(Number), 4]);
		expect([left[0] - all, left[1] - all, all - left[3]]).toEqual([5, 7, 1]);
	});

	test('the past begins with the call that replaced the world, which a warning names', async () => {
		const result = await start();
		await result.spawn({});
		await result.must('POST', '/scenario', { entities: [{ mesh: 'cube' }] });
		await result.must('POST', '/spawn', { health: 3, tags: ['hero'] });
		expect(await without(result, 9)).toEqual([
			[3, null],
			[expect.stringMatching(/^Only 1 calls can be left out\. .*POST \/scenario.* began the present world/)],
		]);
	});
});

describe('a sweep that is too large', () => {
	test('ends with the rows that are finished', async () => {
		const { post, spawn } = await start();
		await spawn({ gold: 0, tags: ['purse'] });
		const answer = await post('/sweep', {
			vary: [{ as: 'gold', field: 'gold', of: 'tag:purse', from: 1, to: 10 }],
			ticks: 10,
			max_ticks: 35,
		});
		expect(answer).toMatchObject({ complete: false, ticks_computed: 35 });
		expect(answer.rows).toHaveLength(3);
	});

	test('is refused before its first row, like calls that reach beyond the worlds', async () => {
		const { post } = await duel();
		const vary = [{ as: 'x', values: [1, 2] }];
		for (const [body, code] of [
			[{ vary: [{ as: 'x', from: 1, to: 60_000 }], seeds: 10, ticks: 1, until: WON }, 'too_many_runs'],
			[{ vary, ticks: 1, requests: [{ path: '/batch', body: { requests: [] } }] }, 'not_in_batch'],
			[{ vary, ticks: 1, requests: [{ path: '/asset/upload', body: {} }] }, 'not_in_batch'],
			[{ vary: [{ as: 'x', field: 'combat_damge', of: 'tag:foe', values: [1] }], ticks: 1 }, 'invalid_body'],
			[
				{ vary: [{ as: 'x', field: 'combat.damage', of: 'tag:foe', values: ['much'] }], ticks: 1 },
				'variant_refused',
			],
			[{ vary: [{ as: 'x', field: 'gold', of: 'tag:nobody', values: [1] }], ticks: 1 }, 'invalid_body'],
			[{ vary, ticks: 1, where: { x: WON } }, 'invalid_body'],
			[{ ticks: 1, seeds: 2 }, 'invalid_body'],
			[{ vary, ticks: 1, until: 'feild gold > 1' }, 'invalid_assertion'],
		] as const)
			expect(await post('/sweep', body), JSON.stringify(body)).toMatchObject({
				ok: false,
				code,
				fix: expect.stringMatching(/./),
			});
	});

	test('can be cancelled', async () => {
		const { post, get, remove, bytes } = await duel();
		const before = bytes();
		const running = post('/sweep', { seeds: 10_000, ticks: 600, fields: FIELDS });
		const [call] = (await get('/calls')).calls;
		expect(call).toMatchObject({ path: '/sweep', state: 'running' });
		await remove(`/calls/${call.id}`);
		expect(await running).toMatchObject({ ok: false, code: 'cancelled' });
		expect(bytes()).toBe(before);
	});
});

describe('an outcome that could not be avoided', () => {
	const DEAD = 'dead & tag:hero';
	const end = 120;

	/** Returns a world with a hero that loses one point of health a tick, except beyond a river half a second away. */
	async function burning() {
		const result = await start();
		const hero = await result.spawn({
			health: 100,
			tags: ['hero'],
			physics_body: 'Kinematic',
			position: [0, 0, 0],
		});
		await result.rule({
			when: { kind: 'field', field: 'position.x', op: 'less', value: 5, edge: 'level' },
			filter: 'tag:hero',
			do: ['damage this 1'],
		});
		await result.step(40);
		await result.post('/entity/damage', { entity_id: hero, amount: 15 });
		await result.post('/batch', {
			requests: [
				{ path: '/step', body: { ticks: 10 } },
				{ path: '/entity/damage', body: { entity_id: hero, amount: 15 } },
			],
		});
		await result.step(end - 50);
		const run = { path: `/entities/${hero}/components`, body: { velocity: { linear: [10, 0, 0] } } };
		return { ...result, hero, run };
	}

	test('has a last alternative, after which every tick was tried', async () => {
		const { post, get, hero, run, bytes } = await burning();
		const before = bytes();
		const heal = (amount: number) => ({ path: '/entity/heal', body: { entity_id: hero, amount } });
		const interventions = [
			{ name: 'sip', requests: [heal(1)] },
			{ name: 'run', requests: [run] },
			{ name: 'stop', requests: [{ method: 'DELETE', path: '/rule/99' }] },
		];
		const options = { outcome: DEAD, interventions, look_back: end };
		const answer = await post('/inevitable', options);
		expect(answer).toMatchObject({ ok: true, happens: true, exact: true, at_least_since: false });
		const { outcome_tick, last_way_out, tried, inevitable_from } = answer;
		expect(last_way_out).toMatchObject({ interventions: ['run'], requests: [run] });
		expect(inevitable_from).toBe(last_way_out.tick + 1);
		expect(outcome_tick - inevitable_from).toBeGreaterThan(20);
		expect(answer.warnings).toEqual([expect.stringMatching(/^"stop" was refused on each tick/)]);
		expect(tried.refused).toMatchObject([{ intervention: 'stop', message: expect.stringMatching(/99/) }]);
		expect(bytes()).toBe(before);
		// The same by hand: fork each past, run, and repeat the recorded calls at their ticks.
		for (let tick = last_way_out.tick - 1; tick < outcome_tick; tick += tick <= inevitable_from ? 1 : 7) {
			const world = `?world=at-${tick}`;
			await post('/history/fork', { fork_id: `at-${tick}`, tick });
			await post(`${run.path}${world}`, run.body);
			for (const [at, amount] of [
				[40, 15],
				[50, 15],
				[end, 0],
			] as const) {
				const { tick: now } = await get(`/digest${world}`);
				if (at > tick && at > now) await post(`/step${world}`, { ticks: at - now });
				if (at > tick && amount > 0) await post(`/entity/damage${world}`, { entity_id: hero, amount });
			}
			const { health } = await get(`/entities/${hero}${world}`);
			expect(health[0] > 0, `run at ${tick}`).toBe(tick < inevitable_from);
		}
		const few = await post('/inevitable', { ...options, max_ticks: 1500 });
		expect(few).toMatchObject({ exact: false, tried: { checked: expect.any(Array) } });
		expect(few.last_way_out.tick).toBe(last_way_out.tick);
	});

	test('is possible, or was inevitable from the beginning', async () => {
		const { post, run } = await burning();
		const options = { outcome: 'count tag:hero max=0', interventions: [{ requests: [run] }] };
		expect(await post('/inevitable', options)).toMatchObject({
			happens: false,
			inevitable_from: null,
			last_way_out: null,
		});
		expect(await post('/inevitable', { ...options, outcome: DEAD, look_back: 55 })).toMatchObject({
			happens: true,
			exact: true,
			at_least_since: true,
			inevitable_from: end - 55,
			last_way_out: null,
		});
		await post('/step', { ticks: 700 });
		const further = await post('/inevitable', { ...options, outcome: DEAD });
		expect(further).toMatchObject({ exact: true, at_least_since: false, tried: { from: 0 } });
		expect(await post('/inevitable', { ...options, outcome: DEAD, look_back: 30 })).toMatchObject({
			at_least_since: true,
			warnings: [expect.stringMatching(/look_back/)],
		});
		// The sip delays the death by five ticks.
		const heal = { path: '/entity/heal', body: { entity_id: 0, amount: 5 } };
		const delays = { outcome: DEAD, interventions: [{ name: 'sip', requests: [heal] }], look_back: 60 };
		const { outcome_tick } = further;
		expect(await post('/inevitable', { ...delays, by_tick: outcome_tick + 2 })).toMatchObject({
			outcome_tick,
			last_way_out: { tick: outcome_tick - 1, interventions: ['sip'] },
		});
		expect(await post('/inevitable', { ...delays, by_tick: outcome_tick + 5 })).toMatchObject({
			outcome_tick,
			last_way_out: null,
		});
		await post('/reset', { fresh: true });
		await post('/step', { ticks: 9 });
		const late = await post('/inevitable', options);
		expect(late).toMatchObject({ happens: true, tried: { from: 0 } });
		expect(await post('/sweep', { leave_out: { calls: 1 }, ticks: 1 })).toMatchObject({
			code: 'no_moment',
			fix: expect.stringMatching(/reset/),
		});
	});
});
