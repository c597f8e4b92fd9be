/**
 * Owner rule of each route, on a server that needs sessions.
 * Owns: the rule of a route, derived from its declaration. Independently, web/host/ownership-check.ts compares the world
 * before and after a call.
 */

import { accessOf } from './principal.ts';
import type { Route } from './route.ts';
import { namesIn, type Thing } from './thing.ts';

/**
 * Owner rule.
 * A kind of thing: the owner of the named thing.
 * `made`: the caller owns the new thing, and must own a thing that it replaces.
 * `settings`: operators, because each world has its settings once.
 * `changed`: the owner of each thing that is changed or removed.
 * `none`: any caller with write access. Its text is the reason.
 */
export type OwnerRule =
	| Thing
	| 'binding'
	| 'file'
	| 'made'
	| 'settings'
	| 'changed'
	| 'operators'
	| { readonly none: string };

/**
 * Returns the owner rules of a route. The list is empty only for routes that read; a test checks this.
 */
export function ownerRules(route: Route): readonly OwnerRule[] {
	const access = accessOf(route);
	if (access === 'read') return [];
	if (access === 'admin') return ['operators'];
	const { owner, effect, makes } = route;
	const [path = [], body = []] = [route.params, route.body].map(namesIn);
	const namedThings = [...path, ...body].map(([, thing]) => thing);
	const inFork = path.some(([, thing]) => thing === 'fork') ? (['fork'] as const) : [];
	if (owner !== undefined) return owner;
	if (effect === 'replace') return [...inFork, 'changed'];
	if (inFork.length > 0) return inFork;
	if (namedThings.includes('entity')) return ['entity'];
	if (makes !== undefined) return ['made'];
	return namedThings.slice(0, 1);
}
