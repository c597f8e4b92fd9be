/** The budget of scripts counts the loop rounds of Lua's C library, not its time. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readLua } from '../../../../web/host/lua-binary.ts';
import { addMeter } from '../../../../web/sim/scripts/library-meter.ts';
import { startEngine, type TestEngine } from '../../../support/engine.ts';

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine();
});
afterEach(() => engine.engine.close());

interface ListedScript {
	readonly script_name: string;
	readonly instructions: number;
	readonly output: readonly string[];
	readonly errors: readonly { readonly message: string }[];
}

async function listedScript(name: string): Promise<ListedScript> {
	const { scripts } = await engine.get('/script/list');
	return (scripts as readonly ListedScript[]).find(({ script_name }) => script_name === name)!;
}

const LONG = 'local long = ("0"):rep(8000) .. "1"';
const DIGITS = 'local long = ("1"):rep(8000) .. "e-8000"';

/** Sources that repeat a slow call of the C library. `n` counts the calls. */
const SLOW_CALLS: Readonly<Record<string, string>> = {
	'comparing texts that are almost equal':
		'local a, b = ("x"):rep(8000), ("x"):rep(7999) .. "x" while a <= b do n = n + 1 end',
	'comparing texts that are equal':
		'local a, b = ("x"):rep(8000), ("x"):rep(7999) .. "x" while a == b do n = n + 1 end',
	'looking up a text that is almost equal to a key':
		'local a, b = ("x"):rep(8000), ("x"):rep(7999) .. "x" local t = { [a] = 1 } while t[b] do n = n + 1 end',
	'sorting a few long texts':
		'local x, t = ("x"):rep(8000), {} for i = 1, 64 do t[i] = x .. i end while true do n = n + 100 table.sort(table.move(t, 1, 64, 1, {})) end',
	'parsing a text as a number': `${DIGITS} while true do n = n + 1 math.floor(long) end`,
	'parsing a text as a position in a text': `${LONG} while true do n = n + 1; ("abc"):sub(long, long) end`,
	'parsing texts as the bounds of a random number': `${LONG} while true do n = n + 1 math.random(long, long) end`,
	'packing texts': `${LONG} while true do n = n + 1 string.pack("bbbbbbbb", long, long, long, long, long, long, long, long) end`,
	'comparing many arguments':
		'local t = {} for i = 1, 3900 do t[i] = i end local function g(...) while true do n = n + 1 math.max(...) end end g(table.unpack(t))',
	'selecting from many arguments':
		'local t = {} for i = 1, 3900 do t[i] = i end local function g(...) while true do n = n + 1 select(-1, ...) end end g(table.unpack(t))',
};

describe('the budget counts', () => {
	test.for(Object.entries(SLOW_CALLS))('%s', async ([, source]) => {
		await engine.must('POST', '/script/load', {
			script_name: 'x',
			source: `n = 0 function on_update() if n > 0 then print(n) return end ${source} end`,
		});
		await engine.spawn({ script: 'x' });
		await engine.step(1);
		expect((await listedScript('x')).errors[0]!.message).toContain('used all of its instructions');
		await engine.step(1);
		const [callCount] = (await listedScript('x')).output;
		expect(Number(callCount)).toBeGreaterThan(0);
		expect(Number(callCount)).toBeLessThan(5000);
	});
});

const ENDLESS = `${DIGITS} local t = {} for i = 1, 3900 do t[i] = long end local function most(...) for i = 1, 9 do math.max(...) end end most(table.unpack(t))`;

test('C calls that take too long between two checks of the budget end the machine, and all scripts restart', async () => {
	await engine.must('POST', '/script/load', {
		script_name: 'other',
		source: 'local n = 0 function on_update(me) n = n + 1 engine.set_position(me, n, 0, 0) end',
	});
	await engine.spawn({ position: [0, 0, 0], script: 'other' });
	await engine.step(3);
	expect(await engine.position(0)).toEqual([3, 0, 0]);
	const refused = await engine.post('/script/load', { script_name: 'x', source: ENDLESS });
	expect(refused).toMatchObject({ ok: false, code: 'script_failed' });
	// The refused call did not change the other script.
	await engine.step(1);
	expect(await engine.position(0)).toEqual([4, 0, 0]);
	await engine.must('POST', '/script/load', {
		script_name: 'x',
		source: `function on_update() ${ENDLESS} end`,
	});
	const id = await engine.spawn({ script: 'x' });
	await engine.step(1);
	expect(await engine.events()).toContainEqual(
		expect.objectContaining({ message: expect.stringContaining('all scripts restart') }),
	);
	await engine.must('POST', '/despawn', { entity_id: id });
	await engine.step(2);
	expect(await engine.position(0)).toEqual([2, 0, 0]);
});

test('a source that takes too long to compile is refused', async () => {
	const source = `local x = ${'x or '.repeat(13_000)}x`;
	const refused = await engine.post('/script/load', { script_name: 'x', source });
	expect(refused).toMatchObject({ ok: false, code: 'script_failed' });
	expect(refused.error).toContain('takes too long to be read');
	await engine.must('POST', '/script/load', {
		script_name: 'x',
		source: `local x = ${'x or '.repeat(2_000)}x`,
	});
});

test('the metered binary exports the step counter and the lowest stack address once each', () => {
	const exported = WebAssembly.Module.exports(new WebAssembly.Module(addMeter(readLua())));
	expect(exported.filter(({ kind }) => kind === 'global')).toEqual(
		['steps', 'lowest'].map((name) => ({ name, kind: 'global' })),
	);
});
