/** The interface is whole: every route of the lists is declared and answers, and no other route is declared. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../../shared/routes/index.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { OWN, REFERENCE, SPECIFIED } from './route-lists.ts';

/** Returns a route without the names of its path parameters. */
const plainRoute = (route: string): string => route.replaceAll(/\{\w+\}/g, '{}');
const declaredRoutes = new Set(routes.map(({ method, path }) => plainRoute(`${method} ${path}`)));
const listedRoutes = [...REFERENCE, ...SPECIFIED, ...OWN].map(plainRoute);

let testEngine: TestEngine;
beforeAll(async () => {
	testEngine = await startEngine();
});
afterAll(() => testEngine.engine.close());

test('the reference has 121 routes', () => expect(new Set(REFERENCE.map(plainRoute)).size).toBe(121));

test('the lists have every declared route, and no other', () => {
	expect(listedRoutes.filter((route) => !declaredRoutes.has(route))).toEqual([]);
	expect([...declaredRoutes].filter((route) => !listedRoutes.includes(route))).toEqual([]);
	expect(declaredRoutes.size).toBe(routes.length);
});

test('new routes of Orrery are not listed as routes of the reference', () => {
	const referenceRoutes = new Set([...REFERENCE, ...SPECIFIED].map(plainRoute));
	expect(OWN.filter((route) => referenceRoutes.has(plainRoute(route)))).toEqual([]);
	expect(new Set(OWN).size).toBe(OWN.length);
});

describe('every route of the reference and the specification reaches its operation', () => {
	test.each([...new Set([...REFERENCE, ...SPECIFIED])])('%s', async (route) => {
		const [method = '', path = ''] = route.split(' ');
		const { status, body } = await testEngine.call(
			method,
			path.replaceAll(/\{\w+\}/g, '0'),
			method === 'POST' ? {} : undefined,
		);
		expect(status, JSON.stringify(body)).not.toBe(405);
		expect(status).not.toBe(500);
		expect(['no_such_route', 'method_not_allowed', 'internal']).not.toContain(body.code);
		// A refusal says what to send.
		if (body.ok === false) expect(body.fix).toMatch(/./);
	});
});
