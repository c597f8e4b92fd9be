/**
 * Attempts of scripts to leave the sandbox or to exceed the budget. All must fail.
 * Owns: the list. The budget counts work, not time: a stopped script has spent its budget and little more.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../../support/engine.ts';

/** Sources that must end with an error. The script must still run on the next tick. */
const STOPPED: Readonly<Record<string, string>> = {
	'an endless loop': 'while true do end',
	'an endless repeat': 'repeat until false',
	'a goto loop': '::again:: goto again',
	'a numeric loop without a call': 'for i = 1, math.maxinteger do end',
	'a loop over floats': 'for i = 0.0, 1e300, 1e-300 do end',
	'a pcall loop': 'while true do pcall(function() while true do end end) end',
	'pcall in pcall': 'local function f() while true do pcall(f) end end f()',
	'an error handler that loops':
		'while true do pcall(error, setmetatable({}, { __tostring = function() while true do end end })) end',
	'a coroutine that loops': 'coroutine.wrap(function() while true do end end)()',
	'coroutines without end': 'while true do coroutine.wrap(function() for i = 1, 100 do end end)() end',
	'a coroutine that is resumed after it was stopped':
		'local co = coroutine.create(function() while true do pcall(function() while true do end end) end end) while true do coroutine.resume(co) end',
	'coroutines that resume coroutines':
		'local function f() return coroutine.wrap(f)() end while true do pcall(f) end',
	'deep recursion': 'local function f() return 1 + f() end f()',
	'deep recursion that catches': 'local function f() pcall(f) f() end f()',
	'tail calls without end': 'local function f() return f() end f()',
	'an __index chain':
		'local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end }) local x = t[1]',
	'__index on itself': 'local t = {} setmetatable(t, { __index = t }) while true do local x = t.x end',
	'__newindex without end':
		'local t = setmetatable({}, { __newindex = function(t, k, v) t[k .. "x"] = v end }) t.a = 1',
	'__call without end':
		'local t = setmetatable({}, {}) getmetatable(t).__call = function(self) return self() end t()',
	'__eq without end':
		'local m = { __eq = function(a, b) return a == b end } local a, b = setmetatable({}, m), setmetatable({}, m) local x = a == b',
	'__lt in a sort':
		'local m = { __lt = function(a, b) while true do end end } table.sort({ setmetatable({}, m), setmetatable({}, m) })',
	'__concat without end':
		'local m = {} m.__concat = function(a, b) return a .. b end local x = setmetatable({}, m) .. "a"',
	'__len that lies to sort': 'table.sort(setmetatable({}, { __len = function() return 1 << 30 end }))',
	'__len that lies to concat':
		'table.concat(setmetatable({}, { __len = function() return 1 << 40 end, __index = function() return "" end }))',
	'__len that lies to unpack': 'table.unpack(setmetatable({}, { __len = function() return 1 << 30 end }))',
	'__len that lies to insert':
		'table.insert(setmetatable({}, { __len = function() return 1 << 40 end }), 1, 2)',
	'__len that lies to remove': 'table.remove(setmetatable({}, { __len = function() return 1 << 40 end }), 1)',
	'moving a table for ever': 'table.move({}, 1, 1 << 40, 2)',
	'moving a table for ever, by texts': 'table.move({}, "1", "1000000000000", "2")',
	'a __len that lies to insert the second time':
		'local n = 0 table.insert(setmetatable({}, { __len = function() n = n + 1 return n % 2 == 1 and 0 or 1 << 40 end }), 1, 1) error("x")',
	'a __len that lies to remove the second time':
		'local n = 0 table.remove(setmetatable({}, { __len = function() n = n + 1 return n % 2 == 1 and 0 or 1 << 40 end }), 1) error("x")',
	'joining for ever what a function of the library answers':
		'table.concat(setmetatable({}, { __index = getmetatable, __metatable = "" }), "", "9", "1000000000000")',
	'a coroutine that was stopped and has something to close':
		'local co = coroutine.wrap(function() local x <close> = setmetatable({}, { __close = function() while true do end end }) while true do end end) pcall(co) while true do end',
	'a coroutine with something to close, closed after it was stopped':
		'local co = coroutine.create(function() local x <close> = setmetatable({}, { __close = function() while true do end end }) while true do end end) coroutine.resume(co) coroutine.close(co) while true do end',
	'errors for ever': 'while true do pcall(error) end',
	'yields for ever':
		'local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end',
	'values handed over for ever':
		'local t = {} for i = 1, 4000 do t[i] = i end while true do pcall(engine.act, { action = "x", a = t }) end',
	'values handed over many times at once':
		'local t = {} for i = 1, 4000 do t[i] = i end local function give(n, ...) if n == 0 then engine.emit("x", ...) return end return give(n - 1, t, t, t, t, t, t, t, t, t, t, ...) end give(40)',
	'refusals for ever': 'while true do pcall(engine.has, me, "some_wrong_name_of_some_forty_letters_") end',
	'unpacking millions': 'local t = { table.unpack({}, 1, 1e7) }',
	'a __close that loops':
		'local x <close> = setmetatable({}, { __close = function() while true do end end })',
	'a __close in a loop that catches':
		'while true do pcall(function() local x <close> = setmetatable({}, { __close = function() while true do end end }) end) end',
	'a __pairs that loops':
		'for k in pairs(setmetatable({}, { __pairs = function() return function() return 1 end end })) do end',
	'a __tostring that loops': 'tostring(setmetatable({}, { __tostring = function() while true do end end }))',
	'a text doubled': 'local s = "x" while true do s = s .. s end',
	'a text doubled, caught':
		'while true do pcall(function() local s = "x" while true do s = s .. s end end) end',
	'string.rep of millions': 'local s = ("x"):rep(1e9)',
	'string.rep of nothing': 'local s = (""):rep(1e9)',
	'string.rep with a separator': 'local s = ("x"):rep(8000, ("y"):rep(8000))',
	'string.format with a width': 'while true do local s = ("%99d"):rep(80):format(1) end',
	'table.concat of large texts':
		'local t = {} for i = 1, 1000 do t[i] = ("x"):rep(8000) end local s = table.concat(t)',
	'a table that grows': 'local t = {} local i = 0 while true do i = i + 1 t[i] = {} end',
	'a table that grows, caught':
		'local keep = {} while true do pcall(function() while true do keep[#keep + 1] = {} end end) end',
	'allocating in an error handler':
		'local keep = {} while true do local ok, e = pcall(error, keep) keep[#keep + 1] = { e } end',
	'a table of long keys': 'local t = {} for i = 1, 1e9 do t[("k"):rep(4000) .. i] = i end',
	'a pattern that blows up': 'local x = (("a"):rep(22)):match((".-"):rep(22) .. "b")',
	'a pattern of nested repeats': 'local x = (("a"):rep(4000)):find(("a*"):rep(40) .. "b")',
	'a pattern with captures': 'local x = (("a"):rep(100)):find(("(a-)"):rep(30) .. "b")',
	'gsub with a callback that loops': 'local s = ("x"):rep(100):gsub(".", function() while true do end end)',
	'gsub in gsub': 'local function f(c) return (("x"):rep(100):gsub(".", f)) end f("x")',
	'gmatch without end': 'while true do for w in ("a b c"):gmatch("%a") do end end',
	'plain find in large texts':
		'local s, p = ("a"):rep(8000), ("a"):rep(4000) .. "b" while true do s:find(p, 1, true) end',
	'%b over a large text': 'local s = ("("):rep(8000) while true do s:find("%b()") end',
	'comparing large texts': 'local a, b = ("x"):rep(8000), ("x"):rep(7999) .. "x" while a == b do end',
	'tonumber of large texts': 'local s = ("1"):rep(8000) while true do tonumber(s) end',
	'arithmetic on large texts':
		'local s = ("1"):rep(8000) while true do pcall(function() return s + 1 end) end',
	'utf8 of large texts': 'local s = ("x"):rep(8000) while true do utf8.len(s) end',
	'many arguments': 'local function f(...) return f(1, ...) end f()',
	'select in a loop':
		'local t = {} for i = 1, 3000 do t[i] = i end while true do select("#", table.unpack(t)) end',
	'sorting for ever':
		'local t = {} for i = 1, 3000 do t[i] = -i end while true do table.sort(t, function(a, b) return a < b end) end',
	'pairs of a large table for ever':
		'local t = {} for i = 1, 3000 do t[i] = i end while true do for k in pairs(t) do break end end',
	'next of a large table for ever':
		'local t = {} for i = 1, 3000 do t[i] = i end while true do next(t, 2) end',
	'queries for ever': 'while true do engine.query({}) end',
	'spawning for ever': 'while true do engine.spawn() end',
	'spawning, caught': 'while true do pcall(engine.spawn) end',
	'signals for ever': 'while true do engine.emit("x") end',
	'timers for ever': 'while true do engine.after(1, function() end) end',
	'a handler that emits what it handles': 'engine.on("x", function() engine.emit("x") end) engine.emit("x")',
	'printing for ever': 'while true do print("x") end',
	'a cyclic value': 'local t = {} t.t = t engine.emit("x", t)',
	'a deep value': 'local t = {} local u = t for i = 1, 100 do u.t = {} u = u.t end engine.emit("x", t)',
};

/** Conditions that must be true, because the thing does not exist. */
const ABSENT: Readonly<Record<string, string>> = {
	'io and os': 'io == nil and os == nil',
	'debug and package': 'debug == nil and package == nil',
	'require and load': 'require == nil and load == nil and loadstring == nil',
	'files of Lua': 'dofile == nil and loadfile == nil',
	collectgarbage: 'collectgarbage == nil',
	xpcall: 'xpcall == nil',
	warn: 'warn == nil',
	'string.dump': 'string.dump == nil and ("").dump == nil',
	'libraries through the globals': '_G.io == nil and _G.debug == nil and rawget(_G, "load") == nil',
	'the metatable of texts': 'getmetatable("") == "text"',
	'addresses behind a metatable that hides':
		'tostring(setmetatable({}, { __metatable = { __tostring = function() return "x" end } })) == "x"',
	'changing the metatable of texts': 'not pcall(setmetatable, "", {})',
	'__gc in a metatable': 'not pcall(setmetatable, {}, { __gc = function() end })',
	'__gc added later':
		'(function() local m = {} setmetatable({}, m) m.__gc = function() while true do end end return true end)()',
	'addresses in tostring': 'tostring({}) == "table" and tostring(print) == "function"',
	'addresses of coroutines': 'tostring(coroutine.create(print)) == "thread"',
	'addresses in format': '("%s"):format({}) == "table" and not pcall(string.format, "%p", {})',
	'addresses in format with flags': 'not pcall(string.format, "%-10p", {})',
	'an escaped percent': '("100%%p"):format() == "100%p"',
	'addresses in errors': 'select(2, pcall(error, {})) ~= nil',
	'functions of the host': 'host == nil and engine.charge == nil and engine.find_match == nil',
	'engine.chance without its name in the source': 'engine["cha" .. "nce"] == nil',
	bytecode: '("\\27Lua").load == nil',
	'the registry': 'not pcall(next, nil) and select("#", coroutine.running()) == 2',
};

let engine: TestEngine;
beforeAll(async () => {
	engine = await startEngine();
	await engine.spawn({ position: [0, 0, 0] });
	await engine.spawn({ position: [0, 0, 0] });
	await engine.must('POST', '/script/load', {
		entity_id: 1,
		script_name: 'z',
		source: 'local n = 0 function on_update(me) n = n + 1 engine.set_position(me, n, 0, 0) end',
	});
});
afterAll(() => engine.engine.close());

interface ListedScript {
	readonly script_name: string;
	readonly state: string;
	readonly failed: number;
	readonly instructions: number;
	readonly memory: number;
	readonly errors: readonly { readonly message: string }[];
	readonly output: readonly string[];
}

async function listedScript(name: string): Promise<ListedScript> {
	const { scripts } = await engine.get('/script/list');
	return (scripts as ListedScript[]).find(({ script_name }) => script_name === name)!;
}

/** Maximum excess of a call over its budget: the work between two checks. */
const SLACK = 150_000;

test.for(Object.entries(STOPPED))('stopped: %s', async ([, source]) => {
	const before = (await engine.position(1))[0]!;
	await engine.must('POST', '/script/load', {
		script_name: 'x',
		entity_id: 0,
		source: `local calls = 0
function on_update(me) calls = calls + 1 if calls > 1 then print("goes on") return end ${source} end`,
	});
	await engine.must('POST', '/step', { ticks: 1 });
	const stopped = await listedScript('x');
	expect(stopped.errors.map(({ message }) => message)).toHaveLength(1);
	expect(stopped.instructions).toBeLessThanOrEqual(100_000 + SLACK);
	expect(stopped.memory).toBeLessThanOrEqual(4 * 2 ** 20);
	await engine.must('POST', '/step', { ticks: 1 });
	expect(await listedScript('x')).toMatchObject({ failed: 1, state: 'running' });
	expect((await listedScript('x')).output.at(-1)).toBe('goes on');
	// The other script is not affected.
	expect((await engine.position(1))[0]).toBe(before + 2);
});

test.for(Object.entries(STOPPED))('stopped while it is loaded: %s', async ([, source]) => {
	const answer = await engine.post('/script/load', { script_name: 'y', source });
	expect(answer).toMatchObject({ ok: false, code: 'script_failed' });
	expect(await listedScript('y')).toBeUndefined();
});

test.for(Object.entries(ABSENT))('missing: %s', async ([, claim]) => {
	const { output } = await engine.must('POST', '/script/load', {
		script_name: 'a',
		source: `print(${claim})`,
	});
	expect(output).toEqual(['true']);
});

test('there are at least sixty attempts', () => {
	expect(Object.keys(STOPPED).length + Object.keys(ABSENT).length).toBeGreaterThanOrEqual(60);
});
