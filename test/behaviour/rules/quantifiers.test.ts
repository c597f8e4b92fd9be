/** Quantifiers of conditions (any, all, none) in all spellings, and the words of their readings. */

import { expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { post, get, spawn, step } = playing();

/** Spawns two creeps, one below and one above a height of 1.5. */
async function spawnCreeps() {
	const low = await spawn({ tags: ['creep'], position: [0, 1, 0] });
	const high = await spawn({ tags: ['creep'], position: [0, 2, 0] });
	return { low, high };
}

const evaluate = async (condition: unknown) => {
	const result = await post('/assert/create', { name: 'n', condition });
	expect(result, JSON.stringify(result)).toMatchObject({ ok: true });
	const { results } = await post('/assert/evaluate');
	return { created: result, verdict: results.at(-1) };
};

const BELOW = { kind: 'field', field: 'position.y', op: '<', value: 1.5 };
const CHECK = { type: 'field_check', filter: 'tag:creep', field: 'position.y', op: '<', value: 1.5 };

test.each([
	['any', true],
	['all', false],
	['none', false],
] as const)('%s means the same in both spellings', async (quantifier, passed) => {
	const { low } = await spawnCreeps();
	const words = { any: 'Any of 2 entities', all: 'All 2 entities', none: 'None of 2 entities' }[quantifier];
	for (const condition of [
		`${quantifier} field position.y < 1.5 tag:creep`,
		`${quantifier} tag:creep & field:position.y<1.5`,
		`${quantifier} (tag:creep & field:position.y<1.5)`,
		{ ...CHECK, quantifier },
		{ kind: 'quantified', quantifier, filter: 'tag:creep', of: BELOW },
	]) {
		const { created, verdict } = await evaluate(condition);
		expect(verdict.passed, JSON.stringify(condition)).toBe(passed);
		expect(verdict.message).toMatch(new RegExp(`^${words} with tag creep: position.y < 1.5 `));
		expect(created.reading).toMatch(/with tag creep: position\.y < 1\.5$/);
		expect(created.warnings).toBeUndefined();
	}
	await post(`/entities/${low}/components`, { transform: { position: [0, 3, 0] } });
	expect((await evaluate(`${quantifier} tag:creep & field:position.y<1.5`)).verdict.passed).toBe(
		quantifier === 'none',
	);
});

test('without a quantifier each spelling keeps its meaning, reports it, and warns of several entities', async () => {
	await spawnCreeps();
	const all = await evaluate('field position.y < 1.5 tag:creep');
	expect(all.verdict).toMatchObject({
		passed: false,
		message: expect.stringMatching(
			/^All 2 entities with tag creep: position\.y < 1\.5 fails for 1: E1; E1 has 2\.$/,
		),
	});
	expect(all.created.warnings).toEqual([
		expect.stringMatching(
			/the condition has no quantifier, but there are 2 entities with tag creep; it passes if it holds for all/,
		),
	]);
	const any = await evaluate('tag:creep & field:position.y<1.5');
	expect(any.verdict).toMatchObject({
		passed: true,
		message: 'Any of 2 entities with tag creep: position.y < 1.5 holds for E0.',
	});
	expect(any.created.warnings).toEqual([expect.stringMatching(/it passes if it holds for any of them/)]);
	// For a single entity, the quantifier makes no difference.
	expect((await evaluate('field position.y < 1.5 entity:0')).created.warnings).toBeUndefined();
	expect(
		await post('/probe', { ticks: 1, until: 'field position.y < 1.5 tag:creep', fork: true }),
	).toMatchObject({
		reason: expect.stringContaining('All 2 entities with tag creep'),
		warnings: expect.arrayContaining([expect.stringContaining('until: the condition has no quantifier')]),
	});
	expect(await post('/peek', { condition: 'any tag:creep & field:position.y<1.5' })).toMatchObject({
		condition: { p: 1, reading: 'any entity with tag creep: position.y < 1.5' },
	});
});

test('entities without the compared field are ignored, and health decides between living and dead', async () => {
	const hero = await spawn({ tags: ['x'], health: 10 });
	await spawn({ tags: ['x'] });
	expect((await evaluate('all tag:x & alive')).verdict).toMatchObject({ passed: true });
	expect((await evaluate('all tag:x & dead')).verdict).toMatchObject({ passed: false, vacuous: false });
	await post('/entity/damage', { entity_id: hero, amount: 99 });
	await step();
	expect((await evaluate('all tag:x & dead')).verdict).toMatchObject({ passed: true });
	expect((await evaluate('all tag:nobody & dead')).verdict).toMatchObject({ passed: false, vacuous: true });
});

test('rules accept them too, and fire when the statement begins to hold', async () => {
	await spawn({ tags: ['x'], gold: 0, health: 10 });
	const result = await post('/rule/create', {
		when: 'none tag:x & field:gold>0',
		do: ['add_field tag:x gold 1'],
	});
	expect(result).toMatchObject({ ok: true, reading: 'no entity with tag x: gold > 0' });
	await step(3);
	expect((await get('/entities/0')).gold).toBe(1);
	const filtered = await post('/rule/create', {
		when: 'timer:9',
		filter: 'all tag:x & alive',
		do: ['text x'],
	});
	expect(filtered.warnings).toEqual(
		expect.arrayContaining([expect.stringMatching(/filter: .* selects all entities or none/)]),
	);
	const each = await post('/rule/create', { when: 'field:gold>5', filter: 'tag:x', do: ['heal this 1'] });
	expect(each.reading).toBe('each entity with tag x by itself: gold > 5');
});

test('an ambiguous quantifier is refused with the brackets to write', async () => {
	await spawnCreeps();
	for (const [condition, fix] of [
		['all tag:creep & alive | tag:x', /^Add brackets/],
		['tag:creep & all tag:x', /\(all tag:x\)/],
		['all tag:creep & count tag:x max=0', /^Add brackets/],
		['none count tag:x max=0', /Leave "none" out/],
	] as const)
		expect(await post('/assert/create', { name: 'n', condition })).toMatchObject({
			ok: false,
			code: 'invalid_assertion',
			fix: expect.stringMatching(fix),
		});
	const about = { kind: 'quantified', quantifier: 'all', of: { kind: 'timer', interval: 1 } };
	expect(await post('/assert/create', { name: 'n', condition: about })).toMatchObject({
		ok: false,
		path: 'condition.of',
	});
});
