/** The one language of conditions: every place that takes a condition understands all of them, with the same arithmetic. */

import { expect, test } from 'vitest';
import { CONDITIONS, wordOf } from '../../../shared/verbs/conditions/index.ts';
import { playing } from '../../support/playing.ts';

const { call, post, get, spawn, step, rule, ledger } = playing();

/** A condition of every kind that holds in the world of `build`, as a text and in typed form. */
const CASES: Readonly<Record<string, readonly [text: string | null, typed: object]>> = {
	death: ['death', { kind: 'death' }],
	timer: ['timer:0.05', { kind: 'timer', interval: 0.05 }],
	health_below: ['health-below:50', { kind: 'health_below', threshold: 50 }],
	score: ['score:2', { kind: 'score', threshold: 2, team: 1 }],
	phase: ['phase:post_match', { kind: 'phase', phase: 'post_match' }],
	tick: ['tick:3', { kind: 'tick', every: 3 }],
	event: ['event:death', { kind: 'event', event: 'death' }],
	arrived: ['arrived', { kind: 'arrived' }],
	enter: ['enter:0,0,0:1', { kind: 'enter', zone: { center: [0, 0, 0], radius: 1 } }],
	leave: [
		'leave:0,0,0:1 | tag:a',
		{
			kind: 'any',
			of: [
				{ kind: 'leave', zone: { center: [0, 0, 0], radius: 1 } },
				{ type: 'tag', tag: 'a' },
			],
		},
	],
	field: ['field:health.percent==33.3', { kind: 'field', field: 'health.percent', op: '==', value: 33.3 }],
	all: ['tag:a & alive', { kind: 'all', of: [{ type: 'tag', tag: 'a' }, { kind: 'alive' }] }],
	any: [
		'tag:none | tag:a',
		{
			kind: 'any',
			of: [
				{ type: 'tag', tag: 'none' },
				{ type: 'tag', tag: 'a' },
			],
		},
	],
	not: ['!tag:none', { kind: 'not', of: { type: 'tag', tag: 'none' } }],
	elapsed: ['elapsed:3', { kind: 'elapsed', ticks: 3 }],
	winner: ['winner:1', { kind: 'winner', team: 1 }],
	digest: [null, { kind: 'not', of: { kind: 'digest', digest: '0123456789abcdef' } }],
	alive: ['alive+tag:a', { kind: 'alive' }],
	dead: ['dead', { kind: 'dead' }],
	has_item: ['has-item:1>=2', { kind: 'has_item', item_id: 1, min: 2, max: 2 }],
	has_effect: ['has-effect:slow==2', { kind: 'has_effect', tag: 'slow', min: 2 }],
	distance: ['distance:0<3.5', { kind: 'distance', from: 0, to: 1, op: '>=', value: 3 }],
	everybody: ['any', { type: 'any' }],
	entity: ['entity:0', { type: 'entity', entity: 0 }],
	team: ['team:1', { type: 'team', team: 1 }],
	role: ['role:hero', { type: 'role', role: 'Hero' }],
	tag: ['tag:a', { type: 'tag', tag: 'a' }],
	name: ['name:"Oak (3)"', { type: 'name', name: 'Oak (3)' }],
	has_component: ['component:gold', { type: 'has_component', component: 'gold' }],
	and: [
		'team:1+tag:a',
		{
			type: 'and',
			filters: [
				{ type: 'team', team: 1 },
				{ type: 'tag', tag: 'a' },
			],
		},
	],
	entity_exists: ['exists tag:a', { type: 'entity_exists', filter: 'tag:a & alive' }],
	entity_count: ['count dead min=1 max=1', { kind: 'count', filter: { kind: 'dead' }, min: 1 }],
	field_check: [
		'field gold == 7 tag:a',
		{ type: 'field_check', filter: 'tag:a', field: 'gold', op: '==', value: 7 },
	],
	quantified: [
		'all tag:a & field:gold==7',
		{ kind: 'quantified', quantifier: 'none', filter: 'tag:a', of: { kind: 'dead' } },
	],
	none_are_dead: ['alive tag:a', { type: 'none_are_dead', filter: 'tag:a' }],
	no_overlap: ['overlap 1', { type: 'no_overlap', filter: { type: 'any' }, min_distance: 1 }],
	entity_budget: ['budget 50', { type: 'entity_budget', max: 50 }],
	game_phase: ['phase post_match', { type: 'game_phase', phase: 'Post_Match' }],
	all_teams_have_spawn_points: ['spawns', { type: 'all_teams_have_spawn_points' }],
	no_zero_health_alive: ['no-zero-health', { type: 'no_zero_health_alive' }],
	text: ['text:sign', { kind: 'text', id: 'sign', contains: 'way' }],
	all_renderable_have_transform: ['renderable', { type: 'all_renderable_have_transform' }],
};

/**
 * Builds the world of the cases: a wounded entity of the winning team, at the goal of its path, and an entity that died
 * on the last tick.
 */
async function build() {
	await post('/item/define', { id: 1, name: 'thing', properties: {} });
	await post('/ui/text', { type: 'text', id: 'sign', text: 'this way', x: 0.5, y: 0.5 });
	const a = await spawn({
		position: [0, 0, 0],
		health: 100,
		team: 1,
		role: 'hero',
		tags: ['a'],
		name: 'Oak (3)',
		gold: 7,
		mesh: 'cube',
	});
	const b = await spawn({ position: [3, 0, 0], health: 5, spawn_point: 1 });
	await post(`/entity/damage`, { entity_id: a, amount: 66.7 });
	await post('/item/give', { entity_id: a, item_id: 1, count: 2 });
	for (let i = 0; i < 2; i++)
		await post('/effect/apply', { entity_id: a, tag: 'slow', duration: 99, stack_policy: 'stack:9' });
	await post('/game/create', { auto_start: true, respawn_delay: 99 });
	await rule({ when: 'tick:1', once: true, do: [`score entity:${a} 2`] });
	await step(2);
	await post('/game/end', { winner_team: 1 });
	await post('/entity/damage', { entity_id: b, amount: 99 });
	await post('/navmesh/generate', { min_x: -5, min_z: -5, max_x: 5, max_z: 5 });
	await post('/path/set', { entity_id: a, target: [0, 0, 0] });
	await step();
	return { a, b };
}

test('every kind has its cases', () => {
	expect(Object.keys(CASES).sort()).toEqual(CONDITIONS.map(({ name }) => name).sort());
});

const forms = Object.entries(CASES).flatMap(([name, forms]) =>
	forms.flatMap((condition) => (condition === null ? [] : [[name, condition] as const])),
);

test.each(forms)(
	'%s %j means the same in assertions, waits, filters, odds and rules',
	async (_, condition) => {
		const { a } = await build();
		const result = await post('/assert/create', { name: 'n', condition });
		expect(result, JSON.stringify(result)).toMatchObject({ ok: true });
		expect((await post('/assert/evaluate')).results[0]).toMatchObject({ passed: true, vacuous: false });
		const waits = { kind: 'any', of: [{ kind: 'tick', every: 3 }] };
		const held = await post('/probe', { ticks: 0, until: condition, fork: true });
		const dependsOnTime = /timer|tick|elapsed/.test(JSON.stringify(condition));
		// A wait starts counting now, so conditions on time do not hold yet.
		expect(held, JSON.stringify(held)).toMatchObject({
			ok: true,
			stopped: dependsOnTime ? 'ticks' : 'until',
		});
		const seen = await post('/observe', { filter: condition });
		expect(seen, JSON.stringify(seen)).toMatchObject({ ok: true });
		const odds = await post('/peek', { condition });
		expect(odds, JSON.stringify(odds)).toMatchObject({ ok: true, condition: { exact: true } });
		const filtered = await post('/rule/create', { when: waits, filter: condition, do: ['text x'] });
		expect(filtered, JSON.stringify(filtered)).toMatchObject({ ok: true });
		await rule({
			when: { kind: 'tick', every: 1 },
			do: [{ action: 'heal', target: { all: condition }, amount: 0 }],
		});
		await rule({ when: condition, do: [`add_field entity:${a} mana 0`] });
		expect((await step()).ok).toBe(true);
	},
);

test('observe lists the entities that meet a condition, also conditions that once existed in short form only', async () => {
	const { a, b } = await build();
	const listed = async (filter: unknown) =>
		(await post('/observe', { filter })).entities.map(({ id }: { id: number }) => id);
	expect(await listed('alive')).toEqual([a]);
	expect(await listed('dead')).toEqual([b]);
	expect(await listed('component:local_transform & !tag:a')).toEqual([b]);
	expect(await listed('field:health.percent<50+team:1')).toEqual([a]);
	expect(await listed('phase:post_match & team:1')).toEqual([a]);
	expect(await listed('phase:playing')).toEqual([]);
	expect(await listed('death')).toEqual([b]);
	expect(await listed({ kind: 'distance', from: a, op: '<=', value: 3 })).toEqual([b]);
	expect(await post('/observe', { filter: 'taem:1' })).toMatchObject({
		ok: false,
		code: 'invalid_assertion',
		fix: 'Did you mean "team:1"?',
	});
});

test('a 32-bit number compares equal to its written form, in rules and in assertions', async () => {
	const id = await spawn({ health: 33.3, gold: 0 });
	for (const [op, holds] of [
		['==', true],
		['>', false],
		['<', false],
		['>=', true],
		['<=', true],
		['!=', false],
	] as const) {
		const condition = `field:health${op}33.3`;
		const { entity_id } = await post('/assert/create', { name: op, condition });
		expect((await post('/assert/evaluate')).results.at(-1).passed, condition).toBe(holds);
		const ruleId = await rule({ when: condition, do: [`add_field entity:${id} gold 1`] });
		const before = (await get(`/entities/${id}`)).gold;
		expect((await ledger(id, 1))[0]! - before, condition).toBe(holds ? 1 : 0);
		for (const gone of [entity_id, ruleId])
			await post('/despawn', {
				entity_id: gone,
				entity_generation: (await get(`/entities/${gone}`)).generation,
			});
	}
});

test.each([
	['tag:nosuch', true],
	['alive tag:nosuch', true],
	['exists tag:nosuch', true],
	['field health > 1 tag:nosuch', true],
	['overlap tag:nosuch', true],
	['field:health>1+tag:nosuch', true],
	['field:health>1000', false],
	['count tag:nosuch min=1', false],
])('%s applies to no entity: it fails, and the verdict is vacuous: %s', async (condition, vacuous) => {
	await spawn({ health: 5, tags: ['x'] });
	await post('/assert/create', { name: 'n', condition });
	expect((await post('/assert/evaluate')).results[0]).toMatchObject({ passed: false, vacuous });
});

test('a lone not means that no entity meets it; beside a quantifier it negates the condition', async () => {
	await spawn({ tags: ['a', 'b'] });
	const passes = async (condition: string) => {
		const { stopped } = await post('/probe', { until: condition, fork: true });
		return stopped === 'until';
	};
	expect(await passes('!tag:a')).toBe(false);
	expect(await passes('!tag:none')).toBe(true);
	expect(await passes('tag:a & !tag:b')).toBe(false);
	expect(await passes('tag:a & !tag:none')).toBe(true);
	expect(await passes('!tag:none & count tag:a min=1')).toBe(true);
});

test('a wait counts from its beginning and remembers positions', async () => {
	await step(5);
	expect(await post('/probe', { ticks: 60, until: 'timer:0.5', fork: true })).toMatchObject({
		ticks_advanced: 30,
	});
	expect(await post('/probe', { ticks: 60, until: 'elapsed:7', fork: true })).toMatchObject({
		ticks_advanced: 7,
	});
	await spawn({ position: [0, 0, 0], physics_body: 'Kinematic', velocity: { linear: [6, 0, 0] } });
	const left = await post('/probe', { ticks: 600, until: 'leave:0,0,0:1', fork: true });
	expect(left).toMatchObject({ stopped: 'until', ticks_advanced: 10 });
});

test('a lasting condition fails on the first tick of a probe without it', async () => {
	const id = await spawn({ health: 100 });
	await post('/assert/create', { name: 'end', condition: 'field health > 50' });
	await post('/assert/create', { name: 'through', condition: 'field health > 50', held: 'throughout' });
	await rule({ when: 'tick:3', once: true, do: [`set_field entity:${id} health 10`] });
	await rule({ when: 'tick:5', once: true, do: [`set_field entity:${id} health 90`] });
	const { results } = await post('/probe', { ticks: 8, fork: true });
	expect(results[0]).toMatchObject({ name: 'end', passed: true });
	expect(results[1]).toMatchObject({ passed: false, message: expect.stringMatching(/^Not at tick 3: /) });
});

test('the odds of a condition equal the sum over all outcomes of peek', async () => {
	const id = await spawn({ health: 100, gold: 0, tags: ['a'] });
	const coin = (weight: number | string, action: string) => ({
		when: 'tick:1',
		outcomes: [
			{ label: 'yes', weight, do: [action] },
			{ label: 'no', weight: 1 },
		],
	});
	await rule(coin('1/3', `add_field entity:${id} gold 1`));
	await rule(coin(2, `add_field entity:${id} gold 2`));
	await rule(coin(1, `emit horn`));
	for (const condition of [
		'field:gold>=2',
		'field:gold==3 & tag:a',
		'event:signal',
		'enter:0,0,0:1',
		'!field:gold>0',
	]) {
		const { condition: odds, distribution } = await post('/peek', { condition });
		let [num, den] = [0n, 1n];
		for (const [i, way] of distribution.entries()) {
			// Each outcome is forced in its own fork.
			await post('/fork', { fork_id: `f${i}` });
			const choices = way.choices.map(({ label: _, ...choice }: { label: string }) => choice);
			await post(`/step?world=f${i}`, { choices });
			const { stopped } = await post(`/probe?world=f${i}`, {
				until: condition === 'enter:0,0,0:1' ? 'tag:none' : condition,
			});
			await call('DELETE', `/fork/f${i}`);
			expect(way.holds, `${condition} ${i}`).toBe(stopped === 'until');
			if (!way.holds) continue;
			const [n, d] = [BigInt(way.probability.num), BigInt(way.probability.den)];
			[num, den] = [num * d + n * den, den * d];
		}
		expect(BigInt(odds.probability.num) * den, condition).toBe(num * BigInt(odds.probability.den));
	}
});

test('each kind of condition has its own short word', () => {
	const words = CONDITIONS.map((kind) => `${kind.key}:${wordOf(kind)}`);
	expect(new Set(words).size).toBe(words.length);
});
