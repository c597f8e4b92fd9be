/** The routes that the live schema lists. Owns: reading that list, and matching a typed path. */

import type { JsonSchema } from '../../../shared/contract/json-schema.ts';
import { pathMatcher } from '../../../shared/contract/path-matcher.ts';
import { withoutReferences } from '../../../shared/contract/schema-references.ts';

/** One route as GET /schema lists it. */
export interface RouteInfo {
	readonly method: string;
	readonly path: string;
	readonly summary: string;
	readonly body?: JsonSchema;
	readonly examples: readonly { readonly path?: string; readonly body?: unknown }[];
}

/** Returns the routes in an answer of GET /schema. The list is empty if the answer has none. */
export function readRoutes(body: unknown): readonly RouteInfo[] {
	if (typeof body !== 'object' || body === null || !('routes' in body) || !Array.isArray(body.routes))
		return [];
	const definitions = 'definitions' in body ? (body.definitions as Readonly<Record<string, JsonSchema>>) : {};
	return (body.routes as RouteInfo[])
		.filter((route) => typeof route.path === 'string' && typeof route.method === 'string')
		.map((route) => (route.body ? { ...route, body: withoutReferences(route.body, definitions) } : route));
}

/** Returns the route that a typed path calls. */
export function routeFor(
	routes: readonly RouteInfo[],
	method: string,
	typedPath: string,
): RouteInfo | undefined {
	return pathMatcher(routes)(typedPath.split('?', 1)[0]!)?.byMethod.get(method);
}
