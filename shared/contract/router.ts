/**
 * Finds the route of a call.
 * Owns: path matching. A fixed segment beats a parameter.
 */

import { Fault } from './errors.ts';
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

/** A function that finds the route of a method and path. It throws `no_such_route`, `method_not_allowed` or `bad_path`. */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => Match {
	const root = newNode();
	const paths = new Set<string>();
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
		paths.add(route.path);
	}

	/** Every node that a path leads to, the one with more fixed segments first. */
	function find(node: Node, rest: readonly string[], at: number, values: string[]): [Node, string[]][] {
		if (at === rest.length) return node.routes.size > 0 ? [[node, values]] : [];
		const fixed = node.fixed.get(rest[at]!);
		const found = fixed === undefined ? [] : find(fixed, rest, at + 1, values);
		if (node.parameter === null || rest[at] === '') return found;
		return [...found, ...find(node.parameter, rest, at + 1, [...values, rest[at]!])];
	}

	return (method, path) => {
		const found = find(root, segments(path), 0, []);
		if (found.length === 0) {
			const near = nearest(path, paths);
			throw new Fault(
				'no_such_route',
				`There is no route ${path}.`,
				near === undefined ? {} : { fix: `Did you mean ${near}?` },
			);
		}
		const wanted = method === 'HEAD' ? 'GET' : method;
		for (const [node, values] of found) {
			const route = node.routes.get(wanted);
			if (route === undefined) continue;
			const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
			return { route, params: Object.fromEntries(names.map((name, i) => [name, decode(values[i]!)])) };
		}
		const allowed = [...new Set(found.flatMap(([node]) => [...node.routes.keys()]))];
		if (allowed.includes('GET')) allowed.push('HEAD');
		const allow = allowed.sort().join(', ');
		throw new Fault('method_not_allowed', `${path} does not take ${method}.`, {
			fix: `Use ${allow}.`,
			headers: { allow },
		});
	};
}

function decode(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		throw new Fault('bad_path', `"${segment}" is not valid percent-encoding.`);
	}
}
