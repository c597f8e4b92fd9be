/**
 * Matching a path with the declared paths: router, service worker and console agree.
 * Owns: the cases of path-matcher.ts.
 */

import { describe, expect, test } from 'vitest';
import { pathMatcher } from '../../../shared/contract/path-matcher.ts';
import { createRouter } from '../../../shared/contract/router.ts';
import { routes } from '../../../shared/routes/index.ts';
import { routeFor } from '../../../web/ui/api/route-list.ts';

const matchPath = pathMatcher([
	{ method: 'GET', path: '/' },
	{ method: 'GET', path: '/things/{id}' },
	{ method: 'POST', path: '/things/list' },
	{ method: 'GET', path: '/things/{id}/parts/{part}' },
	{ method: 'GET', path: '/things/list/parts/all' },
]);
const matchOf = (path: string) => {
	const match = matchPath(path);
	return match && [[...match.byMethod.values()].map((entry) => entry.path).join(), ...match.values];
};

describe('a path', () => {
	test('prefers a fixed segment to a parameter, for any method', () => {
		expect(matchOf('/things/list')).toEqual(['/things/list']);
		expect(matchOf('/things/7')).toEqual(['/things/{id}', '7']);
		expect(matchOf('/things/list/parts/all')).toEqual(['/things/list/parts/all']);
	});
	test('is matched in full, although its beginning fits another', () =>
		expect(matchOf('/things/list/parts/7')).toEqual(['/things/{id}/parts/{part}', 'list', '7']));
	test('has one segment for each parameter, and no others', () => {
		for (const path of ['/things/', '/things', '/things/7/', '/things//parts/1', '//', '/other'])
			expect(matchOf(path)).toBeUndefined();
		expect(matchOf('/')).toEqual(['/']);
	});
});

test('two routes with one method and one path are refused', () =>
	expect(() =>
		pathMatcher([
			{ method: 'GET', path: '/a/{x}' },
			{ method: 'GET', path: '/a/{y}' },
		]),
	).toThrow('two routes are declared for GET /a/{y}'));

test('router, service worker and console agree on every route and similar paths', () => {
	const findRoute = createRouter(routes);
	const matchDeclared = pathMatcher(routes);
	const routeInfos = routes.map(({ method, path, summary }) => ({ method, path, summary, examples: [] }));
	const paths = routes.flatMap(({ path }) => [
		path.replaceAll(/\{\w+\}/g, '7'),
		path.replaceAll(/\{\w+\}/g, 'list'),
	]);
	for (const path of new Set(paths))
		for (const method of ['GET', 'POST', 'DELETE']) {
			let route: string | undefined;
			try {
				route = findRoute(method, path).route.path;
			} catch {
				route = undefined;
			}
			expect(matchDeclared(path)?.byMethod.get(method)?.path, `${method} ${path}`).toBe(route);
			expect(routeFor(routeInfos, method, path)?.path, `${method} ${path}`).toBe(route);
		}
});
