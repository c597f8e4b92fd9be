/**
 * Finds the route of a call.
 * Owns: the refusal of an unknown path or method, and the decoding of parameters in a path.
 */

import { ApiError, ERRORS } from './errors.ts';
import { nearest } from './nearest.ts';
import { pathMatcher, segmentsOf } from './path-matcher.ts';
import type { Route } from './route.ts';

export interface RouteMatch {
	readonly route: Route;
	/** Values of the path's parameters, decoded. */
	readonly params: Readonly<Record<string, string>>;
}

/** Maximum number of routes that a refusal lists. */
const MAX_LISTED = 16;

/** Returns the refusal of an unknown path. It suggests the nearest path with the method, or all paths that start with the same segment. */
export function noSuchRoute(path: string, routes: readonly Route[], method?: string): ApiError {
	const error = `There is no route ${path}.`;
	const effectiveMethod = method === 'HEAD' ? 'GET' : method;
	const usable = routes.filter((route) => effectiveMethod === undefined || route.method === effectiveMethod);
	const near = nearest(
		path,
		usable.map((route) => route.path),
	);
	if (near !== undefined) return new ApiError('no_such_route', error, { fix: `Did you mean ${near}?` });
	const topSegments = new Set(routes.flatMap((route) => segmentsOf(route.path).slice(0, 1)));
	const firstSegment = segmentsOf(path).find((segment) => segment !== '') ?? '';
	const topSegment = topSegments.has(firstSegment) ? firstSegment : nearest(firstSegment, topSegments);
	const siblings = routes.filter(
		(route) => topSegment !== undefined && segmentsOf(route.path)[0] === topSegment,
	);
	if (siblings.length === 0 || siblings.length > MAX_LISTED) return new ApiError('no_such_route', error);
	const list = siblings.map((route) => `${route.method} ${route.path}`).join(', ');
	const hint = siblings.some((route) => route.method === effectiveMethod)
		? ''
		: ` ${ERRORS.no_such_route[1]}`;
	return new ApiError('no_such_route', error, { fix: `Known routes: ${list}.${hint}` });
}

/**
 * Returns a function that finds the route of a method and path. It throws `no_such_route`, `method_not_allowed` or
 * `bad_path`.
 */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => RouteMatch {
	const find = pathMatcher(routes);
	const namesOf = new Map(
		routes.map((route) => [route, [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)]),
	);
	return (method, path) => {
		const found = find(path);
		if (found === undefined) throw noSuchRoute(path, routes, method);
		const { byMethod, values } = found;
		const route = byMethod.get(method === 'HEAD' ? 'GET' : method);
		if (route === undefined) throw methodNotAllowed(method, path, [...byMethod.keys()]);
		const params: Record<string, string> = {};
		namesOf.get(route)!.forEach((name, i) => {
			params[name] = decode(values[i]!);
		});
		return { route, params };
	};
}

function methodNotAllowed(method: string, path: string, methods: readonly string[]): ApiError {
	const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
	const last = path.slice(path.lastIndexOf('/') + 1);
	const encodingHint =
		method === 'DELETE' && /^[a-z]+$/.test(last)
			? ` To delete an item named "${last}", write %${last.charCodeAt(0).toString(16)}${last.slice(1)} in the path.`
			: '';
	return new ApiError('method_not_allowed', `${path} does not take ${method}.`, {
		fix: `Use ${allow}.${encodingHint}`,
		headers: { allow },
	});
}

function decode(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		throw new ApiError('bad_path', `"${segment}" is not valid percent-encoding.`, {
			fix: 'Write each other character of the path as %XX for each of its bytes in UTF-8.',
		});
	}
}
