/** Reading, changing and removing rules. */

import { describe, expect, test } from 'vitest';
import type { Reply } from '../../support/engine.ts';
import { pay, playing } from '../../support/playing.ts';

const { call, post, get, spawn, rule, step, ledger, entity, gold } = playing();

describe('reading and removing', () => {
	test('the list is in id order and has every field, in typed form', async () => {
		await post('/game/create', {});
		const documents = [
			{ when: 'phase:playing', actions: ['endgame 1'] },
			{ when: 'score:4', actions: ['text hi'] },
			{
				name: 'low',
				when: 'health-below:20',
				filter: 'team:1',
				actions: ['heal this 10'],
				priority: 3,
				once: true,
			},
			{ when: 'timer:1.5', actions: ['spawn cube 0,0,0'] },
			{ when: 'death', actions: ['despawn this', 'score source 1'] },
			{
				when: { kind: 'tick', every: 4 },
				outcomes: [
					{ label: 'a', weight: '1/3' },
					{ label: 'b', weight: 0.25, do: ['emit b'] },
				],
			},
		];
		const ids: number[] = [];
		for (const document of documents) ids.push(await rule(document));
		const { rules, count } = await get('/rule/list');
		expect(count).toBe(6);
		expect(rules.map(({ id }: { id: number }) => id)).toEqual([...ids].sort((a, b) => a - b));
		expect(rules.map(({ type }: { type: string }) => type)).toEqual([
			'phase',
			'score',
			'health_below',
			'timer',
			'on_death',
			'tick',
		]);
		expect(rules[0]).toMatchObject({ phase: 'playing', do: [{ action: 'endgame', winner_team: 1 }] });
		expect(rules[1]).toMatchObject({ threshold: 4 });
		expect(rules[2]).toMatchObject({
			name: 'low',
			threshold: 20,
			when: { kind: 'health_below', threshold: 20 },
			filter: 'team:1',
			do: [{ action: 'heal', target: 'this', amount: 10 }],
			priority: 3,
			once: true,
			fired: false,
			firings: 0,
			created: 0,
			generation: 0,
		});
		expect(rules[3]).toMatchObject({ interval: 1.5 });
		expect(rules[5].outcomes).toEqual([
			{ label: 'a', weight: '1/3', do: [] },
			{ label: 'b', weight: 0.25, do: [{ action: 'emit', name: 'b', data: null }] },
		]);
		expect((await get(`/rule/${ids[2]}`)).rule).toEqual(rules[2]);
	});

	test('a listed rule can be sent back and means the same', async () => {
		const a = await spawn({ gold: 0 });
		const id = await rule({ when: 'tick:2', actions: [`add_field entity:${a} gold 1`], priority: 2 });
		const { rule: shown } = await get(`/rule/${id}`);
		await call('DELETE', `/rule/${id}`);
		await rule({
			when: shown.when,
			filter: shown.filter,
			do: shown.do,
			priority: shown.priority,
			once: shown.once,
		});
		expect(await ledger(a, 4)).toEqual([0, 1, 1, 2]);
	});

	test('DELETE removes a rule, and other ids are refused', async () => {
		const a = await spawn({ gold: 0 });
		const id = await rule({ when: 'tick:1', actions: [pay({ entity: a })] });
		expect(await ledger(a, 1)).toEqual([1]);
		expect((await call('DELETE', `/rule/${id}`)).body).toMatchObject({ ok: true, deleted: id });
		expect(await ledger(a, 2)).toEqual([1, 1]);
		expect((await get('/rule/list')).count).toBe(0);
		for (const none of [id, a, 999]) {
			expect((await call('DELETE', `/rule/${none}`)).body).toMatchObject({
				ok: false,
				code: 'rule_not_found',
			});
			expect((await call('GET', `/rule/${none}`)).status).toBe(404);
		}
		expect((await entity(a)).id).toBe(a);
	});

	test('rules work on forks and do not leak from them', async () => {
		const a = await spawn({ gold: 0 });
		await post('/fork', { fork_id: 'f' });
		await post('/rule/create?world=f', { when: 'tick:1', actions: [`add_field entity:${a} gold 1`] });
		await post('/step?world=f', { ticks: 3 });
		await step(3);
		expect((await get(`/entities/${a}?world=f`)).gold).toBe(3);
		expect(await gold(a)).toBe(0);
	});
});

test('words of typed forms are read in any letter case and stored as in the schema', async () => {
	const typed = (of: (word: string) => string) => ({
		when: {
			kind: of('all'),
			of: [
				{ kind: of('tick'), every: 2 },
				{ kind: of('not'), of: { kind: of('death') } },
			],
		},
		do: [{ action: of('emit'), name: 'Horn' }],
	});
	const filter = (of: (word: string) => string) => ({
		type: of('and'),
		filters: [{ type: of('team'), team: 1 }, { type: of('any') }],
	});
	const low = (word: string) => word;
	const high = (word: string) => word.toUpperCase();
	const { rule: stored } = await get(`/rule/${await rule(typed(high))}`);
	expect(stored).toMatchObject(typed(low));
	const condition = { type: 'Entity_Count', filter: filter(high), max: 0 };
	expect((await post('/assert/create', { name: 'n', condition })).condition).toEqual({
		type: 'entity_count',
		filter: filter(low),
		max: 0,
	});
	expect(await post('/events', { type: 'SIGNALEVENT', name: 'x' })).toMatchObject({ ok: true });
	expect(await post('/probe', { until: { type: 'Entity_Budget', max: 9 } })).toMatchObject({
		stopped: 'until',
	});
});

test('actions of an outcome are called do or actions, as in the rule itself', async () => {
	const storedOutcomes = async (key: string) => {
		const outcomes = [{ label: 'a', weight: 1, [key]: ['emit horn', { action: 'emit', name: 'drum' }] }];
		return (await get(`/rule/${await rule({ when: 'tick:1', outcomes })}`)).rule.outcomes;
	};
	expect(await storedOutcomes('actions')).toEqual(await storedOutcomes('do'));
	expect(await storedOutcomes('actions')).toMatchObject([{ do: [{ name: 'horn' }, { name: 'drum' }] }]);
});

describe('PATCH /rule/{id}', () => {
	const client = playing();
	const chest = (weight: number) => [
		{ label: 'gold', weight, do: ['emit gold'] },
		{ label: 'empty', weight: 1 },
	];

	test('changes the sent fields, and keeps id, generation and firings', async () => {
		const { rule_id } = await client.must('POST', '/rule/create', { when: 'tick:1', outcomes: chest(1) });
		await client.post('/step', { ticks: 3 });
		const before = (await client.get(`/rule/${rule_id}`)).rule;
		const { rule } = await client.must('PATCH', `/rule/${rule_id}`, { outcomes: chest(3) });
		expect(rule).toEqual({ ...before, outcomes: [{ ...before.outcomes[0], weight: 3 }, before.outcomes[1]] });
		expect((await client.get('/diagnose')).rules[0].fired).toBe(3);
		const { distribution } = await client.post('/peek');
		expect(distribution.map((item: { p: number }) => item.p)).toEqual([0.75, 0.25]);
		await client.must('PATCH', `/rule/${rule_id}`, { do: ['emit done'], enabled: false });
		await client.post('/step', { ticks: 3 });
		expect((await client.get('/diagnose')).rules[0]).toMatchObject({ fired: 3 });
		await client.must('PATCH', `/rule/${rule_id}`, { enabled: true, forget: true });
		const { rule: last } = await client.get(`/rule/${rule_id}`);
		expect(last).toMatchObject({ created: 6, fired: false });
		expect(last.outcomes).toBeUndefined();
		await client.post('/step', {});
		expect((await client.get('/diagnose')).rules[0]).toMatchObject({ fired: 1 });
	});

	test('an outcome keeps omitted fields, and removed or useless ones are warned of', async () => {
		const { rule_id } = await client.must('POST', '/rule/create', { when: 'tick:1', outcomes: chest(1) });
		const change = async (...outcomes: object[]): Promise<Reply['body']> =>
			client.must('PATCH', `/rule/${rule_id}`, { outcomes });
		const heavier = await change({ label: 'gold', weight: 3 }, { label: 'empty' });
		expect(heavier.rule.outcomes).toEqual([
			{ label: 'gold', weight: 3, do: [expect.objectContaining({ name: 'gold' })] },
			{ label: 'empty', weight: 1, do: [] },
		]);
		expect(heavier).not.toHaveProperty('warnings');
		const other = await change({ label: 'gold' }, { label: 'rare', weight: 1 });
		expect(other.rule.outcomes[0]).toEqual(heavier.rule.outcomes[0]);
		expect(other.warnings).toEqual([
			expect.stringContaining('"empty" is not listed'),
			expect.stringContaining('"rare" is a new outcome without "do"'),
		]);
		const { rule } = await change({ label: 'gold', do: [] }, { label: 'rare', actions: ['emit rare'] });
		expect(rule.outcomes.map((outcome: { do: unknown[] }) => outcome.do.length)).toEqual([0, 1]);
		const refused = await client.call('PATCH', `/rule/${rule_id}`, { outcomes: [{ label: 'new' }] });
		expect(refused.body).toMatchObject({ code: 'invalid_rule', path: 'outcomes[0].weight' });
	});

	test('with another condition fires again for matching entities, and a refused change changes nothing', async () => {
		const { rule_id } = await client.must('POST', '/rule/create', {
			when: 'field:health<50',
			actions: ['emit low'],
		});
		await client.must('POST', '/spawn', { health: 40 });
		const fired = async () => (await client.get('/diagnose')).rules[0].fired;
		await client.post('/step', { ticks: 2 });
		expect(await fired()).toBe(1);
		const { state_digest } = await client.get('/digest');
		for (const [body, code] of [
			[{ when: 'field:nonsense<1' }, 'invalid_rule'],
			[{ do: [] }, 'invalid_rule'],
			[{ weight: 3 }, 'invalid_body'],
		] as const)
			expect((await client.call('PATCH', `/rule/${rule_id}`, body)).body.code).toBe(code);
		expect((await client.call('PATCH', '/rule/77', {})).body.code).toBe('rule_not_found');
		expect((await client.get('/digest')).state_digest).toBe(state_digest);
		await client.must('PATCH', `/rule/${rule_id}`, { when: 'field:health<45' });
		await client.post('/step', { ticks: 2 });
		expect(await fired()).toBe(2);
	});
});
