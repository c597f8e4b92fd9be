/** Reference page of all recipes. */

import { recipes } from '../../../shared/recipes/index.ts';
import type { Recipe, RecipeRequest } from '../../../shared/recipes/recipe.ts';
import type { GuidePage } from '../page.ts';
import { PAGES } from './declarations.ts';

export const recipesPage: GuidePage = {
	name: PAGES.recipes,
	title: 'Recipes',
	summary: `${recipes.length} short, complete, tested examples for common tasks`,
	markdown: () =>
		[
			'# Recipes',
			'',
			'Each recipe is one batch that runs unchanged in an empty world. `GET /recipes?q=door+key` finds recipes by words, and',
			'`GET /recipes?name=key-and-door` returns one as JSON.',
			'',
			'```sh',
			"O=http://127.0.0.1:3917; J='Content-Type: application/json'",
			'curl "$O/recipes?q=door+key"',
			'```',
			'',
			...recipes.flatMap(recipeText),
		].join('\n'),
};

/** Returns a request in one line, escaped for single quotes of a shell. */
const requestText = (request: RecipeRequest): string => JSON.stringify(request).replaceAll("'", "'\\''");

function recipeText({ name, title, about, requests, holds }: Recipe): string[] {
	return [
		`## ${title}`,
		'',
		`${about} Name: \`${name}\`. Afterwards \`${holds}\` is true.`,
		'',
		'```sh',
		'curl -X POST $O/batch -H "$J" -d \'{"requests":[',
		`  ${requests.map(requestText).join(',\n  ')}]}'`,
		'```',
		'',
	];
}
