/** Shared limits of all scripts of a world, and invalid arguments of engine functions. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../../support/engine.ts';

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine();
});
afterEach(() => engine.engine.close());

interface ListedScript {
	readonly failed: number;
	readonly instructions: number;
	readonly errors: readonly { readonly message: string }[];
}

const listScripts = async () => (await engine.get('/script/list')).scripts as readonly ListedScript[];

test('all scripts of a world share a budget of instructions, in the order of their names', async () => {
	for (let i = 10; i < 22; i++) {
		await engine.must('POST', '/script/load', {
			script_name: `s${i}`,
			source: 'function on_update(me) while true do end end',
		});
		for (let j = 0; j < 11; j++) await engine.spawn({ script: `s${i}` });
	}
	await engine.step(1);
	const scripts = await listScripts();
	const spent = scripts.reduce((sum, { instructions }) => sum + instructions, 0);
	expect(spent).toBeLessThanOrEqual(8_000_000 + 200_000);
	expect(scripts[0]!.instructions).toBeGreaterThan(900_000);
	expect(scripts.at(-1)).toMatchObject({ instructions: 0, failed: 1 });
});

test('a script without remaining instructions gets no further events', async () => {
	await engine.must('POST', '/script/load', {
		script_name: 'ears',
		source: 'function on_event(event) while true do end end',
	});
	await engine.spawn({ script: 'ears' });
	for (let i = 0; i < 60; i++) await engine.must('POST', '/events', { type: 'SignalEvent', name: 'hey' });
	await engine.step(1);
	const [ears] = await listScripts();
	expect(ears!.failed).toBeGreaterThan(1);
	expect(ears!.failed).toBeLessThan(20);
	expect(ears!.errors.at(-1)!.message).toContain('used all of its instructions');
});

test.for([
	'engine.chance("x", {{ { toString = 1 }, 1 }})',
	'engine.chance("x", {{ label = { a = 1 }, weight = 1 }})',
	'engine.query{ with = { { toString = 1 } } }',
	'engine.chance(string.rep("x", 101), { a = 1 })',
	'engine.chance("x", { [string.rep("x", 101)] = 1 })',
])('an invalid name is refused with a message: %s', async (source) => {
	await engine.must('POST', '/script/load', {
		script_name: 's',
		source: `function on_update(me) ${source} end`,
	});
	await engine.spawn({ script: 's' });
	await engine.step(1);
	const [script] = await listScripts();
	expect(script!.errors).toHaveLength(1);
	expect(script!.errors[0]!.message).toMatch(/must be a text|at most 100 letters/);
});
