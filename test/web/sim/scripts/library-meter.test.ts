/** Work of Lua's library in C is counted as well: rounds of its loops, not time. */

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

/** Each does a thing that is long in C again and again, and counts how often in `n`. */
const LONG_IN_C: Readonly<Record<string, string>> = {
	'texts that are nearly alike are compared':
		'local a, b = ("x"):rep(8000), ("x"):rep(7999) .. "x" while a <= b do n = n + 1 end',
	'texts that are alike are compared':
		'local a, b = ("x"):rep(8000), ("x"):rep(7999) .. "x" while a == b do n = n + 1 end',
	'a text is looked up that is not the key itself':
		'local a, b = ("x"):rep(8000), ("x"):rep(7999) .. "x" local t = { [a] = 1 } while t[b] do n = n + 1 end',
	'a few long texts are sorted':
		'local x, t = ("x"):rep(8000), {} for i = 1, 64 do t[i] = x .. i end while true do n = n + 100 table.sort(table.move(t, 1, 64, 1, {})) end',
	'a text is read as a number': `${DIGITS} while true do n = n + 1 math.floor(long) end`,
	'a text is read as a place': `${LONG} while true do n = n + 1; ("abc"):sub(long, long) end`,
	'texts are read as the bounds of a random number': `${LONG} while true do n = n + 1 math.random(long, long) end`,
	'texts are packed': `${LONG} while true do n = n + 1 string.pack("bbbbbbbb", long, long, long, long, long, long, long, long) end`,
	'many arguments are compared':
		'local t = {} for i = 1, 3900 do t[i] = i end local function g(...) while true do n = n + 1 math.max(...) end end g(table.unpack(t))',
	'many arguments are handed on':
		'local t = {} for i = 1, 3900 do t[i] = i end local function g(...) while true do n = n + 1 select(-1, ...) end end g(table.unpack(t))',
};

describe('is charged', () => {
	test.for(Object.entries(LONG_IN_C))('%s', async ([, source]) => {
		await engine.must('POST', '/script/load', {
			script_name: 'x',
			source: `n = 0 function on_update() if n > 0 then print(n) return end ${source} end`,
		});
		await engine.spawn({ script: 'x' });
		await engine.step(1);
		expect((await listedScript('x')).errors[0]!.message).toContain('used all of its instructions');
		await engine.step(1);
		const [times] = (await listedScript('x')).output;
		expect(Number(times)).toBeGreaterThan(0);
		expect(Number(times)).toBeLessThan(5000);
	});
});

const ENDLESS = `${DIGITS} local t = {} for i = 1, 3900 do t[i] = long end local function most(...) for i = 1, 9 do math.max(...) end end most(table.unpack(t))`;

test('calls into C that go on too long between two looks end the machine, and all scripts start anew', async () => {
	await engine.must('POST', '/script/load', {
		script_name: 'other',
		source: 'local n = 0 function on_update(me) n = n + 1 engine.set_position(me, n, 0, 0) end',
	});
	await engine.spawn({ position: [0, 0, 0], script: 'other' });
	await engine.step(3);
	expect(await engine.position(0)).toEqual([3, 0, 0]);
	const refused = await engine.post('/script/load', { script_name: 'x', source: ENDLESS });
	expect(refused).toMatchObject({ ok: false, code: 'script_failed' });
	// What a refused call did is undone: the other script has noticed nothing.
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

test('a source that takes too long to be read is refused', async () => {
	const source = `local x = ${'x or '.repeat(13_000)}x`;
	const refused = await engine.post('/script/load', { script_name: 'x', source });
	expect(refused).toMatchObject({ ok: false, code: 'script_failed' });
	expect(refused.error).toContain('takes too long to be read');
	await engine.must('POST', '/script/load', {
		script_name: 'x',
		source: `local x = ${'x or '.repeat(2_000)}x`,
	});
});

test('the count and the mark of the stack are in the binary once, under their names', () => {
	const exported = WebAssembly.Module.exports(new WebAssembly.Module(addMeter(readLua())));
	expect(exported.filter(({ kind }) => kind === 'global')).toEqual(
		['steps', 'lowest'].map((name) => ({ name, kind: 'global' })),
	);
});
