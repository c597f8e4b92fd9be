/**
 * The rule of ownership for each route, on a server that needs sessions.
 * Owns: the rule of a route, from its declaration. web/host/ownership-check.ts looks at what a call changed, whatever the rule says.
 */

import { accessOf } from './principal.ts';
import type { Route } from './route.ts';
import { namesIn, type Thing } from './thing.ts';

/**
 * A kind of thing: its owner. `made`: what the call makes belongs to the caller, and what it replaces must too. `settings`: operators,
 * since each world has them once. `changed`: the owner of each thing that is changed or removed. `none`: any caller with write access, with
 * the reason.
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
 * Returns the rules of a route that changes something; empty for one that only reads. A test lets none be empty
 * otherwise.
 */
export function ownerRules(route: Route): readonly OwnerRule[] {
	const access = accessOf(route);
	if (access === 'read') return [];
	if (access === 'admin') return ['operators'];
	const { owner, effect, makes } = route;
	const [path = [], body = []] = [route.params, route.body].map(namesIn);
	const named = [...path, ...body].map(([, thing]) => thing);
	const inFork = path.some(([, thing]) => thing === 'fork') ? (['fork'] as const) : [];
	if (owner !== undefined) return owner;
	if (effect === 'replace') return [...inFork, 'changed'];
	if (inFork.length > 0) return inFork;
	if (named.includes('entity')) return ['entity'];
	if (makes !== undefined) return ['made'];
	return named.slice(0, 1);
}
