/**
 * Errors and functions of the script library. An error has the line and the names of the script.
 * Owns: the list of errors, and the values of the functions that Lua has only with LUA_COMPAT_MATHLIB.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startEngine, type TestEngine } from '../../../support/engine.ts';

let engine: TestEngine;
beforeAll(async () => {
	engine = await startEngine();
});
afterAll(() => engine.engine.close());

/** Faulty scripts, each with a part of the message. The fault is on line 2 of each. */
const RAISED: readonly (readonly [source: string, message: string])[] = [
	[
		"local x = string.format('%d', 3.5)",
		"bad argument #2 to 'format' (number has no integer representation)",
	],
	["return string.format('%d', 3.5)", "bad argument #2 to 'format'"],
	["local f = string.format f('%d', 'x')", "bad argument #2 to 'f' (number expected, got string)"],
	['string.format()', "bad argument #1 to 'format' (string expected, got nil)"],
	["string.format('%p', {})", 'there are no addresses here'],
	['setmetatable(1, {})', "bad argument #1 to 'setmetatable' (table expected, got number)"],
	['return setmetatable({}, { __gc = 1 })', 'a metatable cannot have __gc here'],
	['setmetatable(setmetatable({}, { __metatable = 1 }), {})', 'cannot change a protected metatable'],
	[
		'tostring(setmetatable({}, { __tostring = function() return 1 end }))',
		"'__tostring' must return a string",
	],
	['table.insert(nil, 1)', "bad argument #1 to 'insert' (table expected, got nil)"],
	['table.insert({}, 5, 1)', "bad argument #2 to 'insert' (position out of bounds)"],
	['table.insert({}, 1, 2, 3)', "wrong number of arguments to 'insert'"],
	["table.remove({}, 'x')", "bad argument #2 to 'remove' (number expected, got string)"],
	['table.remove(5)', "bad argument #1 to 'remove' (table expected, got number)"],
	['table.concat({1, {}, 3})', "invalid value (table) at index 2 in table for 'concat'"],
	['return table.concat(nil)', "bad argument #1 to 'concat' (table expected, got nil)"],
	['table.concat({}, {})', "bad argument #2 to 'concat' (string expected, got table)"],
	['table.unpack(nil)', "bad argument #1 to 'unpack' (table expected, got nil)"],
	['table.unpack({}, 1, 1e6)', 'too many results'],
	['table.move(nil, 1, 2, 3)', "bad argument #1 to 'move' (table expected, got nil)"],
	['table.move({}, 1, 2, 3, 4)', "bad argument #5 to 'move' (table expected, got number)"],
	['table.sort({3, 1, {}})', 'attempt to compare'],
	['local t = {} for i = 1, 300 do t[i] = i % 2 == 0 and i or {} end table.sort(t)', 'attempt to compare'],
	['table.sort({3, 1}, 5)', "bad argument #2 to 'sort' (function expected, got number)"],
	['for k in pairs(nil) do end', "bad argument #1 to 'pairs' (table expected, got nil)"],
	["next({}, 'nothing') next(7)", "bad argument #1 to 'next' (table expected, got number)"],
	['for i in ipairs() do end', "bad argument #1 to 'ipairs' (value expected)"],
	["string.find('a', '[a')", "malformed pattern (missing ']')"],
	["string.find(nil, 'a')", "bad argument #1 to 'find' (string expected, got nil)"],
	["string.find('a', {})", "bad argument #2 to 'find' (string expected, got table)"],
	["string.find('a', 'a', {})", "bad argument #3 to 'find' (number expected, got table)"],
	["string.match('a', '%')", 'malformed pattern'],
	["for w in string.gmatch('a', '[a') do end", 'malformed pattern'],
	["string.gsub('a', 'a', nil)", "bad argument #3 to 'gsub' (string/function/table expected, got nil)"],
	["string.gsub('a', 'a', '%9')", 'invalid capture index %9 in replacement string'],
	["string.gsub('a', 'a', function() return {} end)", 'invalid replacement value (a table)'],
	["string.gsub('a', 'a', function() error('mine') end)", 'mine'],
	["string.rep('x', 'y')", "bad argument #2 to 'rep' (number expected, got string)"],
	["('x'):rep({})", "bad argument #1 to 'rep' (number expected, got table)"],
	["('x'):rep(1e9)", 'a text is repeated 8192 times at most'],
	['string.byte({})', "bad argument #1 to 'byte' (string expected, got table)"],
	["string.byte('abc', 'x', 2)", "bad argument #2 to 'byte' (number expected, got string)"],
	['string.upper()', "bad argument #1 to 'upper' (string expected, got nil)"],
	['string.char(-1)', "bad argument #1 to 'char' (value out of range)"],
	['utf8.codepoint(1.5, 1, {})', "bad argument #3 to 'codepoint' (number expected, got table)"],
	["utf8.codepoint('abc', 9)", "bad argument #3 to 'codepoint' (out of bounds)"],
	["utf8.len('abc', 9)", "bad argument #2 to 'len' (initial position out of bounds)"],
	["string.pack('i17', 1)", 'integral size (17) out of limits [1,16]'],
	['string.pack({}, 1)', 'the format has to be a text'],
	["tonumber('z', 99)", "bad argument #2 to 'tonumber' (base out of range)"],
	['coroutine.wrap(5)', "bad argument #1 to 'wrap' (function expected, got number)"],
	["coroutine.wrap(function() error('inside') end)()", 'inside'],
	["local x = 'a' + 1", 'attempt to perform arithmetic on a string value'],
	["local x = '2' * {}", 'attempt to perform arithmetic on a table value'],
	["local x = -'a'", 'attempt to perform arithmetic on a string value'],
	["local x = '5' // 0", 'attempt to divide by zero'],
	["local x = 'a' .. {}", 'attempt to concatenate a table value'],
	["local x = 'a' < {}", 'attempt to compare string with table'],
	["math.pow('x', 2)", "bad argument #1 to 'pow' (number expected, got string)"],
	['return math.ldexp(1, 0.5)', "bad argument #2 to 'ldexp' (number has no integer representation)"],
	["engine.on('x')", 'engine.on takes a name and a function'],
	['return engine.after(1)', 'a timer takes seconds and a function'],
	['return engine.emit(5)', 'argument 1 must be a text'],
	["engine.spawn('x')", ''],
	["error('mine')", 'mine'],
	["local ok, why = pcall(string.format, '%d', 3.5) error(why)", "bad argument #2 to 'string.format'"],
	['local ok, why = pcall(math.floor, {}) error(why)', "bad argument #1 to 'math.floor'"],
	["local ok, why = pcall(function() return ('x'):rep({}) end) error(why, 0)", "to 'rep'"],
];

describe('an error has the line and the names of the script', () => {
	test.for(RAISED)('%s', async ([source, message]) => {
		await engine.must('POST', '/reset', { fresh: true });
		await engine.must('POST', '/script/load', {
			script_name: 's',
			source: `function on_update(me)\n  ${source}\nend`,
		});
		await engine.must('POST', '/spawn', { script: 's' });
		await engine.must('POST', '/step', {});
		const { scripts } = await engine.get('/script/list');
		const [error] = (scripts as Json[])[0]!.errors as { line: number; message: string }[];
		expect(error).toMatchObject({ line: 2, message: expect.stringContaining(message) });
		expect(error!.message).not.toMatch(/raw_|\[library\]|upvalue/);
	});

	test.for([
		["error('mine', 2)", 'mine'],
		["for _ in string.gmatch('a', 'a') do error('mine', 2) end", 'mine'],
	])('%s at a level above the script has no line', async ([source, message]) => {
		await engine.must('POST', '/reset', { fresh: true });
		await engine.must('POST', '/script/load', {
			script_name: 's',
			source: `function on_update() ${source} end`,
		});
		await engine.must('POST', '/spawn', { script: 's' });
		await engine.must('POST', '/step', {});
		const { scripts } = await engine.get('/script/list');
		expect((scripts as Json[])[0]!.errors).toMatchObject([{ line: null, message }]);
	});

	test('a callback that is not a function is named', async () => {
		await engine.must('POST', '/reset', { fresh: true });
		await engine.must('POST', '/script/load', { script_name: 's', source: 'on_update = 5' });
		await engine.must('POST', '/spawn', { script: 's' });
		await engine.must('POST', '/step', {});
		const { scripts } = await engine.get('/script/list');
		expect((scripts as Json[])[0]!.errors).toMatchObject([
			{ line: null, message: "'on_update' has to be a function, not a number" },
		]);
	});
});

/** Returns the output of a script. */
async function outputOf(source: string): Promise<string> {
	const { output } = await engine.must('POST', '/script/load', { script_name: 'p', source });
	return (output as string[]).join('\n');
}

test('an operator on a table and a text calls the metamethod in either order', async () => {
	const events = ['add', 'sub', 'mul', 'div', 'mod', 'pow', 'idiv', 'concat', 'lt', 'le', 'band', 'shl'];
	const signs = ['+', '-', '*', '/', '%', '^', '//', '..', '<', '<=', '&', '<<'];
	const lines = events.map((event, i) => {
		const answer = event === 'lt' || event === 'le' ? 'true' : `'${event}'`;
		return `m.__${event} = function(a, b) seen = type(a) .. type(b) return ${answer} end
			print(v ${signs[i]} '2', seen, '2' ${signs[i]} v, seen, 'two' ${signs[i]} v, seen)`;
	});
	const text = await outputOf(`local m = {} local v = setmetatable({}, m)\n${lines.join('\n')}`);
	expect(text.split('\n')).toEqual(
		events.map((event) => {
			const answer = event === 'lt' || event === 'le' ? 'true' : event;
			return [answer, 'tablestring', answer, 'stringtable', answer, 'stringtable'].join('\t');
		}),
	);
	expect(
		await outputOf(
			'local v = setmetatable({x = 3}, {__mul = function(a, b) return a * b.x end}) print("2" * v)',
		),
	).toBe('6');
	expect(await outputOf('print("10" + 5, "3" * "4", "7" // 2, -"2", "0x10" + 0, 10 .. 20)')).toBe(
		'15\t12\t3\t-2\t16\t1020',
	);
});

test('a callback of the library can yield', async () => {
	const source = `local co = coroutine.wrap(function()
			return (string.gsub('abc', '.', function(c) return coroutine.yield(c) end))
		end)
		print(co(), co('1'), co('2'), co('3'))
		engine.on('x', function(a) print('heard', coroutine.yield(a)) end)
		local emit = coroutine.wrap(function() engine.emit('x', 7) return 'done' end)
		function on_update() print(emit()) print(emit('later')) end`;
	await engine.must('POST', '/reset', { fresh: true });
	await engine.must('POST', '/script/load', { script_name: 'p', source });
	await engine.must('POST', '/spawn', { script: 'p' });
	await engine.must('POST', '/step', {});
	const { scripts } = await engine.get('/script/list');
	expect((scripts as Json[])[0]!.output).toEqual(['a\tb\tc\t123', '7', 'heard\tlater', 'done']);
});

/** Known hash of the bits of each function's values. */
const KNOWN_HASHES: Readonly<Record<string, string>> = {
	'cosh(x)': 'ccfe12f0aa1d7cbd',
	'sinh(x)': '311548a15ee700bb',
	'tanh(x)': 'bdf2d057610ff1a3',
	'pow(1 + x * x, x)': 'e8c9c22f038a1f8c',
	'atan2(x, 2)': 'fa35152988b5214c',
	'log10(1 + x * x)': '9acde2830f853167',
};

describe('the functions of LUA_COMPAT_MATHLIB', () => {
	const bits = (value: number) => {
		const view = new DataView(new ArrayBuffer(8));
		view.setFloat64(0, value);
		return view.getBigInt64(0);
	};
	/** Returns the values of an expression in x. */
	async function values(of: string, at: readonly number[]): Promise<number[]> {
		const text = await outputOf(
			`for _, x in ipairs({ ${at.map((x) => (x === 0 ? (Object.is(x, -0) ? '-0.0' : '0.0') : String(x).replace('Infinity', 'math.huge').replace('NaN', '(0/0)'))).join(', ')} }) do print(string.format('%a', ${of})) end`,
		);
		return text.split('\n').map(fromHex);
	}
	function fromHex(text: string): number {
		if (/inf/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
		if (/nan/.test(text)) return NaN;
		const [, sign, whole, fraction = '', exponent] = /^(-?)0x(\d)(?:\.([0-9a-f]*))?p([+-]\d+)$/.exec(text)!;
		const mantissa = Number(`0x${whole}${fraction}`) / 16 ** fraction.length;
		// Two steps, so that only the second one rounds or overflows.
		const half = Math.trunc(Number(exponent) / 2);
		const size = mantissa * 2 ** half * 2 ** (Number(exponent) - half);
		return sign === '-' ? -size : size;
	}
	const ARGUMENTS = [
		0,
		-0,
		1e-300,
		-1e-9,
		0.001,
		0.3,
		-0.49,
		0.5,
		-0.75,
		0.999,
		1,
		-1.5,
		2,
		5,
		-20,
		710,
		-711,
		Infinity,
		-Infinity,
		NaN,
	];

	test.for(['cosh', 'sinh', 'tanh'] as const)('%s is close to Math', async (name) => {
		const found = await values(`math.${name}(x)`, ARGUMENTS);
		ARGUMENTS.forEach((x, i) => {
			const expected = Math[name](x);
			if (Number.isFinite(expected) && expected !== 0)
				expect(Math.abs(found[i]! / expected - 1), `${name}(${x})`).toBeLessThan(4 * Number.EPSILON);
			else expect(found[i], `${name}(${x})`).toBe(expected);
		});
	});

	test('frexp and ldexp are exact and inverse', async () => {
		const numbers = [0.5, 1, -3, 1e300, 5e-324, -2.2e-308, 1.7976931348623157e308, 0.1];
		expect(await values('math.ldexp(math.frexp(x))', numbers)).toEqual(numbers);
		expect(await outputOf('print(math.frexp(8), math.frexp(0), math.frexp(-0.3))')).toBe(
			'0.5\t0.0\t-0.6\t-1',
		);
		expect(await outputOf('print(math.frexp(8))')).toBe('0.5\t4');
		const scaled = await values('math.ldexp(x, -1074)', [1, 1.5, 0.5, 0.75, -1.25]);
		expect(scaled).toEqual([5e-324, 1e-323, 0, 5e-324, -5e-324]);
		expect(
			await outputOf(
				'print(math.ldexp(1, 1023) * 2 == math.ldexp(1, 1024), math.ldexp(3, 1e9) == math.huge)',
			),
		).toBe('true\ttrue');
	});

	test('pow, atan2 and log10 equal the operator, the angle and the logarithm', async () => {
		expect(await outputOf('print(math.pow(2, 10), math.pow(2, 0.5) == 2 ^ 0.5, math.pow("3", 2))')).toBe(
			'1024.0\ttrue\t9.0',
		);
		expect(
			await outputOf(
				'print(math.atan2(1, -1) == math.atan(1, -1), math.atan2(0, -1) == math.pi, math.log10(1000))',
			),
		).toBe('true\ttrue\t3.0');
	});

	test('the bits equal the known hashes', async () => {
		const found: Record<string, string> = {};
		for (const expression of Object.keys(KNOWN_HASHES)) {
			let hash = 0xcbf29ce484222325n;
			for (const value of await values(`math.${expression}`, ARGUMENTS.filter(Number.isFinite)))
				hash = BigInt.asUintN(64, (hash ^ BigInt.asUintN(64, bits(value))) * 0x100000001b3n);
			found[expression] = hash.toString(16).padStart(16, '0');
		}
		expect(found).toEqual(KNOWN_HASHES);
	});
});
