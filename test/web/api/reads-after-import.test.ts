/**
 * Reads of a world are the same to the byte in a world that was exported exactly and imported again.
 * Owns: that the order of keys does not tell how a world came to be. The calls are the examples of the routes.
 */

import { afterEach, expect, test } from 'vitest';
import { routes } from '../../../shared/routes/index.ts';
import { assertionDocumentsOf } from '../../../web/sim/assertions/assertion.ts';
import { dispose } from '../../../web/sim/core/clone.ts';
import { encodeWorld } from '../../../web/sim/core/codec.ts';
import { loadWorld } from '../../../web/sim/create-world.ts';
import { requestOf, startEngine, type TestEngine } from '../../support/engine.ts';

const ends: (() => void)[] = [];
afterEach(() => {
	for (const end of ends.splice(0)) end();
});

async function start(): Promise<TestEngine> {
	const started = await startEngine();
	ends.push(() => started.engine.close());
	return started;
}

/** Returns the answer of a call, as it goes over the wire. */
async function answerOf(
	{ engine }: TestEngine,
	method: string,
	path: string,
	body?: unknown,
): Promise<string> {
	const answer = await engine.handle(requestOf(method, path, body));
	expect(answer.status).toBe(200);
	return new TextDecoder().decode(answer.body);
}

/** Not in a world: snapshots and the past are beside it, and a frame says which versions of its columns the engine has seen. */
const BESIDE = /^\/(fork\/\{|snapshot\/|frame$|inevitable$|why\/dead\/|events\/stream$)/;
const examples = routes
	.filter(({ effect, world, path }) => effect === 'read' && world !== false && !BESIDE.test(path))
	.flatMap((route) =>
		route.examples.map((example) => {
			const path = example.path ?? route.path;
			return [
				`${route.method} ${path}: ${example.name}`,
				{ ...example, path, method: route.method },
			] as const;
		}),
	)
	.filter(([, { needs }]) => needs === undefined);

test.each(examples)('%s', async (_, { given = [], method, path, body }) => {
	const [one, other] = [await start(), await start()];
	for (const call of given) {
		await one.must(call.method ?? 'POST', call.path, call.body);
		// Assets are beside the world.
		if (call.path.startsWith('/asset/')) await other.must('POST', call.path, call.body);
	}
	await other.must('POST', '/scenario', await one.must('GET', '/scenario?exact=true'));
	expect(await answerOf(other, method, path, body)).toBe(await answerOf(one, method, path, body));
});

test('a condition of an assertion, in any form, over HTTP and as bytes of a saved world', async () => {
	const [one, other] = [await start(), await start()];
	for (const condition of [
		{ filter: { team: 1, type: 'team' }, value: 50, op: 'greater', type: 'field_check', field: 'health' },
		{ of: [{ kind: 'death' }, { filter: { type: 'any' }, type: 'none_are_dead' }], kind: 'all' },
		'count team:1 max=0 min=0',
	])
		await one.must('POST', '/assert/create', { name: 'holds', condition });
	await other.must('POST', '/scenario', await one.must('GET', '/scenario?exact=true'));
	expect(await answerOf(other, 'GET', '/assert/list')).toBe(await answerOf(one, 'GET', '/assert/list'));
	const copy = loadWorld(encodeWorld(one.engine.worlds.main.world));
	expect(JSON.stringify(assertionDocumentsOf(copy))).toBe(
		JSON.stringify(assertionDocumentsOf(one.engine.worlds.main.world)),
	);
	dispose(copy);
});
