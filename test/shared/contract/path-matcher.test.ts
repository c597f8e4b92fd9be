/**
 * Match of an address to a declared path: the same for router, service worker and console.
 * Owns: the cases of path-matcher.ts.
 */

import { describe, expect, test } from 'vitest';
import { pathMatcher } from '../../../shared/contract/path-matcher.ts';
import { createRouter } from '../../../shared/contract/router.ts';
import { routes } from '../../../shared/routes/index.ts';
import { routeFor } from '../../../web/ui/api/route-list.ts';

const at = pathMatcher([
	{ method: 'GET', path: '/' },
	{ method: 'GET', path: '/things/{id}' },
	{ method: 'POST', path: '/things/list' },
	{ method: 'GET', path: '/things/{id}/parts/{part}' },
	{ method: 'GET', path: '/things/list/parts/all' },
]);
const found = (path: string) => {
	const match = at(path);
	return match && [[...match.byMethod.values()].map((entry) => entry.path).join(), ...match.values];
};

describe('a path', () => {
	test('prefers a fixed segment to a parameter, for any method', () => {
		expect(found('/things/list')).toEqual(['/things/list']);
		expect(found('/things/7')).toEqual(['/things/{id}', '7']);
		expect(found('/things/list/parts/all')).toEqual(['/things/list/parts/all']);
	});
	test('is matched in full, although its beginning fits another', () =>
		expect(found('/things/list/parts/7')).toEqual(['/things/{id}/parts/{part}', 'list', '7']));
	test('has one segment for each parameter, and no others', () => {
		for (const path of ['/things/', '/things', '/things/7/', '/things//parts/1', '//', '/other'])
			expect(found(path)).toBeUndefined();
		expect(found('/')).toEqual(['/']);
	});
});

test('two of one method at one path are refused', () =>
	expect(() =>
		pathMatcher([
			{ method: 'GET', path: '/a/{x}' },
			{ method: 'GET', path: '/a/{y}' },
		]),
	).toThrow('two routes are declared for GET /a/{y}'));

test('router, service worker and console agree on every route and similar paths', () => {
	const find = createRouter(routes);
	const anywhere = pathMatcher(routes);
	const infos = routes.map(({ method, path, summary }) => ({ method, path, summary, examples: [] }));
	const paths = routes.flatMap(({ path }) => [
		path.replaceAll(/\{\w+\}/g, '7'),
		path.replaceAll(/\{\w+\}/g, 'list'),
	]);
	for (const path of new Set(paths))
		for (const method of ['GET', 'POST', 'DELETE']) {
			let route: string | undefined;
			try {
				route = find(method, path).route.path;
			} catch {
				route = undefined;
			}
			expect(anywhere(path)?.byMethod.get(method)?.path, `${method} ${path}`).toBe(route);
			expect(routeFor(infos, method, path)?.path, `${method} ${path}`).toBe(route);
		}
});
