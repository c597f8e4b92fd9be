/** The routes that the live schema lists. Owns: the reading of that list, and which of them a typed path calls. */

import { pathMatcher } from '../../../shared/contract/path-matcher.ts';
import { withoutReferences } from '../../../shared/contract/schema-references.ts';

export type JsonSchema = { readonly [key: string]: unknown };

/** One route as GET /schema lists it. */
export interface RouteInfo {
	readonly method: string;
	readonly path: string;
	readonly summary: string;
	readonly body?: JsonSchema;
	readonly examples: readonly { readonly path?: string; readonly body?: unknown }[];
}

/** Reads the routes out of GET /schema; empty if the answer has none. */
export function readRoutes(body: unknown): readonly RouteInfo[] {
	if (typeof body !== 'object' || body === null || !('routes' in body) || !Array.isArray(body.routes))
		return [];
	const definitions = 'definitions' in body ? (body.definitions as Readonly<Record<string, JsonSchema>>) : {};
	return (body.routes as RouteInfo[])
		.filter((route) => typeof route.path === 'string' && typeof route.method === 'string')
		.map((route) => (route.body ? { ...route, body: withoutReferences(route.body, definitions) } : route));
}

/** Returns the route that a typed path calls. */
export function routeFor(routes: readonly RouteInfo[], method: string, typed: string): RouteInfo | undefined {
	return pathMatcher(routes)(typed.split('?', 1)[0]!)?.byMethod.get(method);
}
