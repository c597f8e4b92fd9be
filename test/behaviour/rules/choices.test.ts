/** Steps of forks with chosen outcomes, which peek lists. */

import { describe, expect, test } from 'vitest';
import { pay, playing } from '../../support/playing.ts';

const { call, post, spawn, rule, gold, digest, entity } = playing();

interface PeekedOutcome {
	readonly p: number;
	readonly choices: readonly { readonly rule: number | string; readonly label: string }[];
	readonly state_digest: string;
}

const peek = async (world = 'main') => (await post(`/peek?world=${world}`)).distribution as PeekedOutcome[];

/** Creates a hero with a purse, and rules for a chest (gold in one of 1000 cases) and a die with three faces. */
async function casino() {
	const id = await spawn({ gold: 0, tags: ['hero'] });
	const outcomes = [
		{ label: 'gold', weight: 1, do: [pay({ tag: 'hero' }, 100)] },
		{ label: 'empty', weight: 999 },
	];
	const chest = await rule({ when: { kind: 'tick', every: 1 }, outcomes });
	const die = await rule({
		when: { kind: 'tick', every: 1 },
		outcomes: [1, 2, 3].map((eyes) => ({
			label: `${eyes}`,
			weight: eyes,
			do: [pay({ tag: 'hero' }, eyes)],
		})),
	});
	return { id, chest, die };
}

describe('choices of a step', () => {
	test('lead a fork to every state that peek lists, also to unlikely ones, by both routes', async () => {
		const { id } = await casino();
		const ways = await peek();
		expect(ways).toHaveLength(6);
		for (const [i, { choices, state_digest }] of ways.entries()) {
			await post('/fork', { fork_id: `f${i}` });
			const body = { choices };
			const answer = await post(i % 2 === 0 ? `/fork/f${i}/step` : `/step?world=f${i}`, body);
			expect(answer).toMatchObject({ ok: true, state_digest, sampled: choices });
			expect(answer.distribution_digest).toBe((await post('/peek')).distribution_digest);
		}
		const purses = await Promise.all(
			ways.map(async (_, i) => (await call('GET', `/entities/${id}?world=f${i}`)).body.gold),
		);
		expect(purses).toEqual([101, 102, 103, 1, 2, 3]);
		expect(await gold(id)).toBe(0);
	});

	test('apply to the first tick only, and only to the named draws', async () => {
		const { chest } = await casino();
		const orders = [{ rule: chest, entity: null, outcome: 0 }];
		for (const fork_id of ['chosen', 'free']) await post('/fork', { fork_id });
		const chosen = await post('/fork/chosen/step', { ticks: 5, trace: true, choices: orders });
		const free = await post('/fork/free/step', { ticks: 5, trace: true });
		const labels = ({ trace }: typeof chosen) =>
			trace.map(({ sampled }: PeekedOutcome & { sampled: { label: string }[] }) =>
				sampled.map(({ label }) => label),
			);
		const [first, ...others] = labels(chosen);
		expect(first).toEqual(['gold', labels(free)[0][1]]);
		expect(others).toEqual(labels(free).slice(1));
		expect(labels(free)[0][0]).toBe('empty');
	});

	test('name the draws of the engine, one by one', async () => {
		const hitter = { team: 1, health: 100, combat: true, combat_cooldown: 0, combat_damage: 10 };
		const crit = { chance: '1/10', multiplier: 3 };
		const ids = [await spawn({ ...hitter, crit }), await spawn({ ...hitter, crit })];
		const victim = await spawn({ team: 2, health: 1000, position: [1, 0, 0] });
		const orders = ids.map((id) => ({ rule: 'crit', entity: id, outcome: 0, label: 'crit' }));
		const ways = await peek();
		const rare = ways.find(({ choices }) => choices.every(({ label }) => label === 'crit'))!;
		expect(rare.p).toBeCloseTo(0.01, 10);
		await post('/fork', { fork_id: 'f' });
		expect((await post('/fork/f/step', { choices: orders })).state_digest).toBe(rare.state_digest);
		await post('/fork/f/step');
		expect((await call('GET', `/entities/${victim}?world=f`)).body.health[0]).toBe(940);
	});

	test.each([
		['an unknown outcome', { outcome: 2 }],
		['another entity', { entity: 0 }],
		['another rule', { rule: 4_000_000 }],
		['an unknown source', { rule: 'luck' }],
	])('%s: refused, and nothing changes', async (_, wrong) => {
		const { chest } = await casino();
		await post('/fork', { fork_id: 'f' });
		const before = await digest('f');
		const right = { rule: chest, entity: null, outcome: 0 };
		const { status, body } = await call('POST', '/fork/f/step', { choices: [right, { ...right, ...wrong }] });
		expect({ status, ...body }).toMatchObject({ status: 422, code: 'no_such_draw', path: 'choices[1]' });
		expect(await digest('f')).toBe(before);
		expect((await post('/fork/f/step', { choices: [right] })).ok).toBe(true);
	});

	test('are refused for main, and for calls without a tick', async () => {
		const { chest, id } = await casino();
		const choices = [{ rule: chest, entity: null, outcome: 0 }];
		const before = await digest();
		expect(await post('/step', { choices })).toMatchObject({ ok: false, code: 'only_in_forks' });
		await post('/fork', { fork_id: 'f' });
		expect(await post('/fork/f/step', { ticks: 0, choices })).toMatchObject({ code: 'no_such_draw' });
		expect((await post('/fork/f/step', { ticks: 0, choices: [] })).ok).toBe(true);
		expect(await digest()).toBe(before);
		await post('/fork/f/step', { choices });
		await post('/fork/f/promote');
		expect((await entity(id)).gold).toBeGreaterThan(100);
	});

	test('an outcome of weight zero cannot be chosen', async () => {
		const never = await rule({
			when: { kind: 'tick', every: 1 },
			outcomes: [
				{ label: 'always', weight: 1 },
				{ label: 'never', weight: 0 },
			],
		});
		await post('/fork', { fork_id: 'f' });
		const order = (outcome: number) =>
			post('/fork/f/step', { choices: [{ rule: never, entity: null, outcome }] });
		expect((await order(1)).code).toBe('no_such_draw');
		expect((await order(0)).ok).toBe(true);
	});
});
