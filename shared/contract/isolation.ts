/**
 * Decides where a call can be tried without a lasting effect: in the world itself, in a temporary fork, or nowhere.
 * Owns: this decision, derived from the declarations of routes. Never: has a list of routes.
 */

import { pathAndQuery } from './path-and-query.ts';
import type { PathMatch } from './path-matcher.ts';
import { canBeBatched, type Example, type ExampleCall, type Route } from './route.ts';

/** The part of a declaration that the decision needs. */
export type Isolatable = Pick<
	Route,
	'method' | 'path' | 'effect' | 'world' | 'batch' | 'access' | 'makes' | 'runs'
>;

type Find = (path: string) => PathMatch<Isolatable> | undefined;

/**
 * `live`: the call changes nothing, so it needs no fork. `fork`: all of its effects are in the fork. `none`: it has other
 * effects, and `why` explains them in a sentence.
 */
export type Isolation = { readonly in: 'live' | 'fork' } | { readonly in: 'none'; readonly why: string };

const notIsolated = (why: string): Isolation => ({ in: 'none', why });

/** Returns the declared route of a call. */
export function routeOf<R extends Isolatable>(
	find: (path: string) => PathMatch<R> | undefined,
	{ method = 'POST', path }: ExampleCall,
): R | undefined {
	return find(pathAndQuery(path).path)?.byMethod.get(method.toUpperCase());
}

/** Decides where a call can be tried. A call whose query names a world is not isolated. */
export function isolationOf(find: Find, call: ExampleCall): Isolation {
	const route = routeOf(find, call);
	if (route === undefined) return notIsolated('No route has this method and path.');
	if (new URLSearchParams(pathAndQuery(call.path).query).has('world'))
		return notIsolated('The call names a world. Omit "world", because the fork is added.');
	const saves = route.access === 'write' && route.effect === 'read';
	if (saves) return notIsolated('The call writes a file, and a fork has no files of its own.');
	if (route.world === false) {
		const isPlainRead = route.method === 'GET' && route.effect === 'read' && canBeBatched(route);
		if (isPlainRead) return { in: 'live' };
		return notIsolated('The call is not about one world (it takes no ?world=), so a fork cannot isolate it.');
	}
	if (route.effect === 'read') return { in: 'live' };
	if (route.makes?.thing === 'fork') return notIsolated('The call creates a fork, which would remain.');
	if (route.runs !== undefined) return isolationOfAll(find, requestsIn(call.body, route.runs));
	if (!canBeBatched(route)) return notIsolated('The call affects the journal or files, not only worlds.');
	return { in: 'fork' };
}

/** Decides where an example can be tried, with the calls that prepare it. */
export function exampleIsolation(find: Find, { method, path }: Isolatable, example: Example): Isolation {
	const { needs, given = [], path: examplePath = path, body } = example;
	if (needs !== undefined && needs !== 'view')
		return notIsolated(`The example needs the ${needs}, which a fork does not have.`);
	for (const call of given) {
		const isolation = isolationOf(find, call);
		if (isolation.in === 'none')
			return notIsolated(
				`The example is prepared with ${call.method ?? 'POST'} ${call.path}. ${isolation.why}`,
			);
	}
	const isolation = isolationOf(find, { method, path: examplePath, body });
	return isolation.in === 'live' && given.length > 0 ? { in: 'fork' } : isolation;
}

function isolationOfAll(find: Find, calls: readonly ExampleCall[]): Isolation {
	const firstRefusal = calls.map((call) => isolationOf(find, call)).find(({ in: where }) => where === 'none');
	return firstRefusal ?? { in: 'fork' };
}

/** Returns the calls in a body. Skips other items, because the engine refuses them. */
function requestsIn(body: unknown, field: string): readonly ExampleCall[] {
	const listed = (body as Readonly<Record<string, unknown>> | null | undefined)?.[field];
	if (!Array.isArray(listed)) return [];
	return listed.filter((call) => typeof (call as ExampleCall | null)?.path === 'string');
}
