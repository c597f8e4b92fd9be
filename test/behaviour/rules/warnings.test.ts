/** Warnings about accepted input whose effect may surprise. GET /diagnose repeats them. */

import { expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { post, get, spawn, step, rule } = playing();

const readDiagnosis = async (): Promise<string> => (await get('/diagnose')).warnings.join('\n');
const warningsOf = async (path: string, body: object): Promise<string> => {
	const answer = await post(path, body);
	expect(answer, JSON.stringify(answer)).toMatchObject({ ok: true });
	return (answer.warnings ?? []).join('\n');
};
const SIGN = { action: 'text', text: 'x' };

test.each([
	['tag:drgon', /currently no tag "drgon"; did you mean "dragon"\?/],
	['alive+tag:drgon', /did you mean "dragon"/],
	['has-effect:slwo', /currently no effect "slwo"; did you mean "slow"\?/],
	['team:7', /currently no entity of team 7/],
	['entity:99', /currently no entity with id 99/],
	['role:tower', /currently no entity with role tower/],
])('a condition that no entity can meet: %s', async (condition, warning) => {
	const id = await spawn({ tags: ['dragon'], health: 5, team: 1 });
	await post('/effect/apply', { entity_id: id, tag: 'slow', duration: 99 });
	for (const body of [
		{ when: 'tick:9', filter: condition, actions: [SIGN] },
		{ when: condition, actions: [SIGN] },
		{ when: 'tick:9', actions: [{ action: 'heal', target: { all: condition }, amount: 1 }] },
	])
		expect(await warningsOf('/rule/create', body), JSON.stringify(body)).toMatch(warning);
	expect(await warningsOf('/assert/create', { name: 'n', condition })).toMatch(warning);
	expect(await warningsOf('/probe', { until: condition, fork: true })).toMatch(warning);
	expect(await warningsOf('/peek', { condition })).toMatch(warning);
	expect(await warningsOf('/observe', { filter: condition })).toMatch(warning);
	expect(await readDiagnosis()).toMatch(warning);
});

test('effects of templates, rules and loot count as known, and existing entities cause no warning', async () => {
	const loot = (tag: string) => [{ label: 'drop', weight: 1, spawn: { mesh: 'cube', tags: [tag] } }];
	await spawn({ tags: ['dragon'], team: 1, loot: loot('scale') });
	await post('/template/create', { name: 'orc', tags: ['orc'], loot: loot('club') });
	const imp = { action: 'spawn', mesh: 'cube', position: [0, 0, 0], tags: ['imp'], loot: loot('horn') };
	await rule({ when: 'tick:9', actions: ['tag tag:dragon +angry', imp] });
	const labels = ['dragon', 'scale', 'orc', 'club', 'angry', 'imp', 'horn'];
	for (const filter of [...labels.map((label) => `tag:${label}`), 'team:1'])
		expect(
			await warningsOf('/rule/create', { when: 'timer:1', actions: [`heal all:${filter} 1`] }),
			filter,
		).toBe('');
});

test('a rule for the played unit causes no warning before anyone plays', async () => {
	await spawn({ team: 1 });
	for (const filter of ['component:player', 'team:1+!component:player'])
		expect(await warningsOf('/rule/create', { when: 'death', filter, actions: [SIGN] }), filter).toBe('');
	expect(await warningsOf('/observe', { filter: 'component:gold' })).toMatch(/currently no entity with gold/);
});

test('the negation of a statement about no entity is vacuous too, and "there is none" is not', async () => {
	await spawn({ health: 5 });
	const verdict = async (condition: string) => {
		await post('/assert/create', { name: 'n', condition });
		return (await post('/assert/evaluate')).results.at(-1);
	};
	expect(await verdict('!(field health > 1 tag:nobody)')).toMatchObject({ passed: false, vacuous: true });
	expect(await verdict('!(alive tag:nobody)')).toMatchObject({ passed: false, vacuous: true });
	expect(await verdict('!(exists tag:nobody)')).toMatchObject({ passed: true, vacuous: false });
	expect(await verdict('!(tag:nobody & field:health>1)')).toMatchObject({ passed: true, vacuous: false });
	expect((await post('/assert/evaluate')).warnings.join()).toMatch(/currently no tag "nobody"/);
});

test('a second rule of the same name', async () => {
	const body = { name: 'pay', when: 'tick:1', actions: [SIGN] };
	expect(await warningsOf('/rule/create', body)).toBe('');
	expect(await warningsOf('/rule/create', body)).toMatch(/rule 0 also has the name "pay", and both fire/);
	expect(await readDiagnosis()).toMatch(/also has the name "pay"/);
});

test('verdicts that seem to cover more than they do', async () => {
	expect(await post('/probe', { ticks: 1 })).toMatchObject({
		all_passed: true,
		warnings: [expect.stringMatching(/no assertion was evaluated/)],
	});
	expect(await warningsOf('/assert/evaluate', {})).toMatch(/no assertion was evaluated/);
	const held = { name: 'h', condition: 'count any min=0', held: 'throughout' };
	expect(await warningsOf('/assert/create', held)).toMatch(/on every tick; POST \/step and play do not/);
	expect(await readDiagnosis()).toMatch(/on every tick; POST \/step and play do not/);
	expect(await warningsOf('/assert/evaluate', {})).toMatch(/only the current tick was checked/);
	await step(3);
	expect(await warningsOf('/probe', { ticks: 1 })).toMatch(/no probe checked it from tick 2 to tick 4/);
	expect(await warningsOf('/probe', { ticks: 1 })).toBe('');
});

test('fighters without team or health, and components that only fighters use', async () => {
	expect(await warningsOf('/spawn', { combat: true, health: 5 })).toMatch(/without a team/);
	expect(await warningsOf('/spawn', { combat: true, team: 1 })).toMatch(/without health/);
	const idle = await spawn({ health: 5 });
	expect(await warningsOf('/effect/apply', { entity_id: idle, modifiers: ['attack_damage:add:5'] })).toMatch(
		/"attack_damage" does nothing on entity 2: it has no combat/,
	);
	await step();
	expect(await readDiagnosis()).toMatch(/E0 fights without a team[\s\S]*E1 fights without health/);
	expect(await readDiagnosis()).toMatch(/E2 has a change of the stat "attack_damage"/);
});

test('input that moves no entity, and actions that resemble the engine’s own', async () => {
	expect(await warningsOf('/input/bind', { key: 'K', action: 'move_foward' })).toMatch(
		/did you mean "move_forward"/,
	);
	expect(await warningsOf('/input/bind', { key: 'Space', action: 'jump' })).toBe('');
	expect(await warningsOf('/input/press', { action: 'move_forward', ticks: 9 })).toMatch(
		/no entity has the component player/,
	);
	expect(await warningsOf('/step', { inputs: [{ action: 'move_left' }] })).toMatch(
		/no entity has the component player/,
	);
	expect(await readDiagnosis()).toMatch(
		/K is bound to "move_foward"[\s\S]*no entity has the component player/,
	);
	await spawn({ player: true });
	expect(await warningsOf('/input/press', { action: 'move_forward', ticks: 9 })).toBe('');
});

test('reasons why a rule does not fire', async () => {
	await spawn({ tags: ['dragon'], health: 40 });
	await spawn({ tags: ['dragon'], health: 90 });
	const id = await rule({
		name: 'wound',
		when: 'field:health<10 & alive',
		filter: 'tag:dragon',
		actions: [SIGN],
	});
	const { rules } = await get('/diagnose');
	expect(rules).toEqual([
		{
			id,
			name: 'wound',
			fired: 0,
			last_fired: null,
			passing: 2,
			parts: [
				{ part: 'health < 10', holds_for: 0, holds: false },
				{ part: 'it is alive', holds_for: 2, holds: true },
			],
			warnings: [],
		},
	]);
	await post('/entity/damage', { entity_id: 0, amount: 35 });
	await step(2);
	expect((await get('/diagnose')).rules[0]).toMatchObject({ fired: 1, last_fired: 1 });
});
