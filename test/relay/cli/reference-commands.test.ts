/** The command-line client of the reference implementation works here: the engine understands each of its calls. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { readPublic } from '../../support/public-files.ts';
import { SENT } from './reference-commands.ts';

let world: TestEngine;
beforeAll(async () => {
	world = await startEngine({ readPublic });
});
afterAll(() => world.engine.close());

test.each(SENT)('$typed: $call', async ({ call, body, refused }) => {
	const [method = '', path = ''] = call.split(' ');
	const { status, body: answer } = await world.call(method, path, body);
	if (refused === undefined) {
		expect(answer.error, JSON.stringify(answer.fix)).toBeUndefined();
		expect(status).toBeLessThan(300);
		expect(answer.ok ?? true).toBe(true);
	} else expect([answer.code, answer.error]).toEqual([refused, expect.any(String)]);
});

test('the table has all commands that call the engine', () => {
	const routes = new Set(SENT.map(({ call }) => call.replace(/\/(0|1|plan|gen_0)(?=\/|$)/g, '/{}')));
	// Its server has 121 calls. Its client has no command for 22 of them.
	expect(routes.size).toBe(121 - 22);
});
