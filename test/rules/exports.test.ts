/** What is exported can be given back, however large it is. */

import { expect, test } from 'vitest';
import { startEngine } from '../support/engine.ts';

test('a body may have texts as long as itself', { timeout: 60_000 }, async () => {
	const { engine, call, must } = await startEngine();
	await must('POST', '/spawn', { health: 5 });
	const document = await must('GET', '/scenario?exact=true');
	const world = Buffer.alloc(20 * 1024 * 1024, 'orrery').toString('base64');
	const sent = { ...document, exact: { ...(document.exact as object), world } };
	const { status, body } = await call('POST', '/scenario', sent);
	expect(status).toBe(200);
	expect(body).toMatchObject({ exact: false, entities_spawned: 1 });
	expect(body.warnings).toEqual([expect.stringContaining('the exact part was ignored: it is damaged')]);
	engine.close();
});
