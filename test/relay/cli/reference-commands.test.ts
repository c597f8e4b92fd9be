/** The reference's own command-line client works here: each of its commands is understood as it sends it. */

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
	// 121 of its server less the 22 that its client reaches by no command.
	expect(routes.size).toBe(121 - 22);
});
