/**
 * A recipe: a short, complete example of a common part of games.
 * Owns: the shape of a recipe. Its requests are the body of one POST /batch, which runs in an empty world.
 */

import type { Method } from '../contract/route.ts';

export interface RecipeRequest {
	readonly method?: Method;
	readonly path: string;
	readonly body?: object;
	readonly as?: string;
}

export interface Recipe {
	/** Unique name: lower-case words with hyphens. */
	readonly name: string;
	/** Heading that names the thing that the recipe builds. */
	readonly title: string;
	/** An explanation of one or two sentences. */
	readonly about: string;
	/** Additional words for searches. */
	readonly words?: string;
	readonly requests: readonly RecipeRequest[];
	/** Condition that is true after the batch in an empty world. */
	readonly holds: string;
}

/** Returns a call with a JSON body. */
export const post = (path: string, body: object = {}, as?: string): RecipeRequest => ({
	path,
	body,
	...(as === undefined ? {} : { as }),
});

export const get = (path: string): RecipeRequest => ({ method: 'GET', path });

/** Spawns a flat floor with its top at height 0. */
export const FLOOR = post('/spawn', {
	mesh: 'cube',
	color: 'gray',
	scale: [20, 1, 20],
	position: [0, -0.5, 0],
	physics_body: 'Static',
	collider: { shape: 'Aabb', hx: 10, hy: 0.5, hz: 10 },
});
