/**
 * A recipe: a short, complete example of something that people build.
 * Owns: what a recipe consists of. Its requests are the body of one POST /batch, and run as they are in an empty world.
 */

import type { Method } from '../contract/route.ts';

export interface RecipeRequest {
	readonly method?: Method;
	readonly path: string;
	readonly body?: object;
	readonly as?: string;
}

export interface Recipe {
	/** Unique: lower-case words with hyphens. */
	readonly name: string;
	/** Thing that it builds, as a heading. */
	readonly title: string;
	/** An explanation of one or two sentences. */
	readonly about: string;
	/** Further words that find it. */
	readonly words?: string;
	readonly requests: readonly RecipeRequest[];
	/** A condition that holds after the batch in an empty world. */
	readonly holds: string;
}

/** Returns a call with a JSON body. */
export const post = (path: string, body: object = {}, as?: string): RecipeRequest => ({
	path,
	body,
	...(as === undefined ? {} : { as }),
});

export const get = (path: string): RecipeRequest => ({ method: 'GET', path });

/** A flat floor with its top at height 0. */
export const FLOOR = post('/spawn', {
	mesh: 'cube',
	color: 'gray',
	scale: [20, 1, 20],
	position: [0, -0.5, 0],
	physics_body: 'Static',
	collider: { shape: 'Aabb', hx: 10, hy: 0.5, hz: 10 },
});
