/** Every recipe runs unchanged in an empty world without warnings, and its condition holds afterwards. */

import { expect, test } from 'vitest';
import { recipes } from '../../../shared/recipes/index.ts';
import { startEngine } from '../../support/engine.ts';
import { readPublic } from '../../support/public-files.ts';

test('there are at least thirty recipes with unique names', () => {
	expect(recipes.length).toBeGreaterThanOrEqual(30);
	expect(new Set(recipes.map(({ name }) => name)).size).toBe(recipes.length);
	for (const { name } of recipes) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
});

test.each(recipes.map((recipe) => [recipe.name, recipe] as const))(
	'%s runs, and its condition holds',
	async (_, { requests, holds }) => {
		const { engine, must, post } = await startEngine({ readPublic });
		const { results, warnings } = await must('POST', '/batch', { atomic: true, requests });
		expect(warnings).toBeUndefined();
		for (const { body } of results as { body: { warnings?: unknown } }[])
			expect(body.warnings).toBeUndefined();
		await must('POST', '/assert/create', { name: 'recipe', condition: holds });
		const verdicts = (await must('POST', '/assert/evaluate')).results as { name: string }[];
		expect(verdicts.find(({ name }) => name === 'recipe')).toMatchObject({ passed: true });
		// Short enough to be read whole.
		expect(JSON.stringify(requests).length).toBeLessThan(1500);
		expect((await post('/observe', { budget: 400 })).ok).toBe(true);
		engine.close();
	},
);

test('GET /recipes lists recipes, finds them by words, and returns one as a batch', async () => {
	const { engine, get, post } = await startEngine({ readPublic });
	const { recipes: allRecipes, count } = await get('/recipes');
	expect(count).toBe(recipes.length);
	expect(allRecipes[0]).toEqual({
		name: recipes[0]!.name,
		title: recipes[0]!.title,
		about: recipes[0]!.about,
	});
	for (const [words, name] of [
		['door key', 'key-and-door'],
		['dice', 'two-dice'],
		['enemies in waves', 'waves-of-enemies'],
		['fog of war', 'what-one-sees'],
	])
		expect((await get(`/recipes?q=${encodeURIComponent(words!)}`)).recipes[0].name, words).toBe(name);
	const { recipes: matches } = await get('/recipes?name=poison');
	expect(matches).toHaveLength(1);
	expect(await post('/batch', matches[0].batch)).toMatchObject({ ok: true, all_ok: true });
	expect(await get('/recipes?name=poisen')).toMatchObject({
		code: 'bad_query',
		fix: 'Did you mean "poison"?',
	});
	engine.close();
});
