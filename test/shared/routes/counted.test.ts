/** The interface is whole: what is listed is declared, answers, and nothing else is there. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../../shared/routes/index.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { OWN, REFERENCE, SPECIFIED } from './counted.ts';

/** Without the names of what is in the path. */
const plain = (route: string): string => route.replaceAll(/\{\w+\}/g, '{}');
const declared = new Set(routes.map(({ method, path }) => plain(`${method} ${path}`)));
const listed = [...REFERENCE, ...SPECIFIED, ...OWN].map(plain);

let world: TestEngine;
beforeAll(async () => {
	world = await startEngine();
});
afterAll(() => world.engine.close());

test('the reference has 121 routes', () => expect(new Set(REFERENCE.map(plain)).size).toBe(121));

test('every listed route is declared, and the other way round', () => {
	expect(listed.filter((route) => !declared.has(route))).toEqual([]);
	expect([...declared].filter((route) => !listed.includes(route))).toEqual([]);
	expect(declared.size).toBe(routes.length);
});

test('new routes of Orrery are not listed as routes of the reference', () => {
	const referenceRoutes = new Set([...REFERENCE, ...SPECIFIED].map(plain));
	expect(OWN.filter((route) => referenceRoutes.has(plain(route)))).toEqual([]);
	expect(new Set(OWN).size).toBe(OWN.length);
});

describe('every route has an effect', () => {
	test.each([...new Set([...REFERENCE, ...SPECIFIED])])('%s', async (route) => {
		const [method = '', path = ''] = route.split(' ');
		const { status, body } = await world.call(
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
