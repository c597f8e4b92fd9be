/**
 * Finds the route of a call.
 * Owns: path matching. A fixed segment beats a parameter, whatever the method, as OpenAPI has it.
 */

import { ERRORS, Fault } from './errors.ts';
import { nearest } from './nearest.ts';
import type { Route } from './route.ts';

interface Node {
	readonly fixed: Map<string, Node>;
	parameter: Node | null;
	readonly routes: Map<string, Route>;
}

export interface Match {
	readonly route: Route;
	/** Values of the path's parameters, decoded. */
	readonly params: Readonly<Record<string, string>>;
}

/** Splits a path into its segments; a trailing slash makes an empty one, so that it matches nothing. */
function segments(path: string): string[] {
	return path === '/' ? [] : path.slice(1).split('/');
}

const newNode = (): Node => ({ fixed: new Map(), parameter: null, routes: new Map() });

/** Most routes that are named in place of one that does not exist. */
const MOST_NAMED = 16;

/** The refusal of a path: the nearest one that takes the method, or all that begin alike. */
export function noSuchRoute(path: string, routes: readonly Route[], method?: string): Fault {
	const error = `There is no route ${path}.`;
	const wanted = method === 'HEAD' ? 'GET' : method;
	const usable = routes.filter((route) => wanted === undefined || route.method === wanted);
	const near = nearest(
		path,
		usable.map((route) => route.path),
	);
	if (near !== undefined) return new Fault('no_such_route', error, { fix: `Did you mean ${near}?` });
	const firsts = new Set(routes.flatMap((route) => segments(route.path).slice(0, 1)));
	const asked = segments(path).find((segment) => segment !== '') ?? '';
	const first = firsts.has(asked) ? asked : nearest(asked, firsts);
	const alike = routes.filter((route) => first !== undefined && segments(route.path)[0] === first);
	if (alike.length === 0 || alike.length > MOST_NAMED) return new Fault('no_such_route', error);
	const named = alike.map((route) => `${route.method} ${route.path}`).join(', ');
	const more = alike.some((route) => route.method === wanted) ? '' : ` ${ERRORS.no_such_route[1]}`;
	return new Fault('no_such_route', error, { fix: `There are: ${named}.${more}` });
}

/** A function that finds the route of a method and path. It throws `no_such_route`, `method_not_allowed` or `bad_path`. */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => Match {
	const root = newNode();
	for (const route of routes) {
		let node = root;
		for (const segment of segments(route.path)) {
			if (segment.startsWith('{')) {
				node.parameter ??= newNode();
				node = node.parameter;
				continue;
			}
			let next = node.fixed.get(segment);
			if (next === undefined) {
				next = newNode();
				node.fixed.set(segment, next);
			}
			node = next;
		}
		if (node.routes.has(route.method))
			throw new Error(`two routes are declared for ${route.method} ${route.path}`);
		node.routes.set(route.method, route);
	}

	/** The node that a path leads to, the one with more fixed segments where there are several. */
	function find(
		node: Node,
		rest: readonly string[],
		at: number,
		values: readonly string[],
	): [Node, readonly string[]] | undefined {
		if (at === rest.length) return node.routes.size > 0 ? [node, values] : undefined;
		const segment = rest[at]!;
		const fixed = node.fixed.get(segment);
		const found = fixed && find(fixed, rest, at + 1, values);
		if (found !== undefined || node.parameter === null || segment === '') return found;
		return find(node.parameter, rest, at + 1, [...values, segment]);
	}

	return (method, path) => {
		const found = find(root, segments(path), 0, []);
		if (found === undefined) throw noSuchRoute(path, routes, method);
		const [node, values] = found;
		const route = node.routes.get(method === 'HEAD' ? 'GET' : method);
		if (route === undefined) throw methodNotAllowed(method, path, [...node.routes.keys()]);
		const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
		return { route, params: Object.fromEntries(names.map((name, i) => [name, decode(values[i]!)])) };
	};
}

function methodNotAllowed(method: string, path: string, methods: readonly string[]): Fault {
	const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
	const last = path.slice(path.lastIndexOf('/') + 1);
	const named =
		method === 'DELETE' && /^[a-z]+$/.test(last)
			? ` To name something that is called "${last}", write %${last.charCodeAt(0).toString(16)}${last.slice(1)} in the path.`
			: '';
	return new Fault('method_not_allowed', `${path} does not take ${method}.`, {
		fix: `Use ${allow}.${named}`,
		headers: { allow },
	});
}

function decode(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		throw new Fault('bad_path', `"${segment}" is not valid percent-encoding.`);
	}
}
