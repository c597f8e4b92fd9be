/** Recipes: finding the reason why something does not happen. */

import { get, post, type Recipe, type RecipeRequest } from './recipe.ts';

const patch = (path: string, body: object): RecipeRequest => ({ method: 'PATCH', path, body });

export const WHYS: readonly Recipe[] = [
	{
		name: 'rule-that-never-fires',
		title: 'A rule that never fires, and how to mend it',
		about:
			'GET /why/fire shows each part of the condition with its value, and a change that makes it fire. PATCH /rule changes the rule in place.',
		words: 'debug why condition explain edit patch',
		requests: [
			post('/spawn', { health: 60, gold: 0, tags: ['hero'] }),
			post(
				'/rule/create',
				{ when: 'field:health<50', filter: 'tag:hero', do: ['add_field this gold 10'] },
				'low',
			),
			post('/step', { ticks: 30 }),
			get('/why/fire/$low.rule_id?tries=60'),
			patch('/rule/$low.rule_id', { when: 'field:health<61' }),
			post('/step', {}),
		],
		holds: 'any tag:hero & field:gold==10',
	},
	{
		name: 'goal-behind-a-wall',
		title: 'A goal that an entity cannot reach',
		about: 'GET /why/reach names the obstacle that closes the way. Moving it opens the way.',
		words: 'path navigation blocked stuck why walk obstacle',
		requests: [
			post('/spawn', { position: [-3, 0, 0], tags: ['walker'] }, 'walker'),
			post(
				'/spawn',
				{
					mesh: 'cube',
					scale: [1, 2, 10],
					position: [0, 1, 0],
					physics_body: 'Static',
					collider: { shape: 'Aabb', hx: 0.5, hy: 1, hz: 5 },
				},
				'wall',
			),
			post('/navmesh/generate', { min_x: -5, min_z: -5, max_x: 5, max_z: 5 }),
			get('/why/reach/$walker.id?to=3,0,0&tries=0'),
			post('/entities/$wall.id/components', { position: [0, 1, 8] }),
			post('/path/set', { entity_id: '$walker.id', target: [3, 0, 0] }),
			post('/step', { ticks: 180 }),
		],
		holds: 'any tag:walker & field:position.x>2.9',
	},
];
