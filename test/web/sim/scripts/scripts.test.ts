/** Scripts: their functions, and reports about them. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { SCRIPT_FUNCTIONS } from '../../../../shared/documents/script-functions.ts';
import { type Json, startEngine, type TestEngine } from '../../../support/engine.ts';

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine();
});
afterEach(() => engine.engine.close());

async function load(source: string, body: Json = {}): Promise<Json> {
	return engine.must('POST', '/script/load', { script_name: 's', source, ...body });
}

test('a script runs once when it is loaded, and once a tick for each entity', async () => {
	await engine.must('POST', '/spawn', { position: [0, 0, 0] });
	const { output } = await load(
		`print("loaded", 1 + 1)
		 local n = 0
		 function on_start(me) print("start", me) end
		 function on_update(me, dt) n = n + 1; engine.set_position(me, n, 0, 0); print(n, dt) end`,
		{ entity_id: 0 },
	);
	expect(output).toEqual(['loaded\t2']);
	await engine.must('POST', '/step', { ticks: 2 });
	const list = (await engine.get('/script/list')) as Json;
	expect(list.scripts).toMatchObject([
		{
			state: 'running',
			errors: [],
			output: ['loaded\t2', 'start\t0', '1\t0.016666666666667', '2\t0.016666666666667'],
		},
	]);
	const entity = (await engine.get('/entities/0')) as Json;
	expect((entity.local_transform as Json).position).toEqual([2, 0, 0]);
});

test('the table engine has exactly the declared functions', async () => {
	const { output } = await load(
		`local names = {} -- engine.act and engine.chance exist for scripts with their names
		 for name in pairs(engine) do names[#names + 1] = name end
		 for i = 1, #names, 10 do print(table.concat(names, " ", i, math.min(i + 9, #names))) end`,
	);
	expect((output as string[]).join(' ').split(' ')).toEqual(SCRIPT_FUNCTIONS.map(({ name }) => name).sort());
});

const FOLLOW = `
function on_update(me, dt)
  local owner = engine.query({ filter = "tag:owner" })[1]
  local x, _, z = engine.get_position(me)
  local ox, _, oz = engine.get_position(owner)
  local dx, dz = ox - x, oz - z
  local far = math.sqrt(dx * dx + dz * dz)
  if far > 2 then engine.set_velocity(me, dx / far * 3, 0, dz / far * 3)
  else engine.set_velocity(me, 0, 0, 0) end
end`;

test('a script makes a pet follow its owner and stop two metres away, and a fork has the same future', async () => {
	await engine.spawn({ tags: ['owner'], position: [10, 0, 4] });
	await engine.spawn({ mesh: 'sphere', position: [0, 0, 0] });
	await load(FOLLOW, { entity_id: 1 });
	await engine.step(30);
	await engine.must('POST', '/fork', { fork_id: 'f' });
	expect(await engine.future(40)).toEqual(await engine.future(40, 'f'));
	await engine.step(300);
	const [x, , z] = await engine.position(1);
	const distance = Math.hypot(10 - x!, 4 - z!);
	expect(distance).toBeLessThanOrEqual(2);
	expect(distance).toBeGreaterThan(1.9);
});

const DEEP = `
local function counter() local n = 0; return function() n = n + 1; return n end end
local next_one = counter()
local words = {}
local walk = coroutine.wrap(function()
  local a, b = 0, 1
  while true do
    for i = 1, 3 do a, b = b, (a + b) % 1000; coroutine.yield(a * 10 + i) end
  end
end)
engine.every(0.1, function() words[#words + 1] = "t" .. engine.tick() end)
function on_update(me)
  local x, y, z = next_one(), walk(), math.random(1000)
  words["k" .. x] = y
  local sum = 0
  for k, v in pairs(words) do sum = sum + #tostring(k) * (tonumber(v) or 1) end
  engine.set_position(me, x, sum % 977, z)
end`;

test('forks, snapshots and saves keep locals, upvalues, coroutines, timers and random numbers', async () => {
	await engine.spawn({ position: [0, 0, 0] });
	await load(DEEP, { entity_id: 0 });
	await engine.step(25);
	await engine.must('POST', '/fork', { fork_id: 'f' });
	await engine.must('POST', '/snapshot', { label: 'here' });
	const { ok: _, ...saved } = (await engine.get('/scenario')) as Json;
	const onFork = await engine.future(30, 'f');
	const here = await engine.future(30);
	expect(onFork).toEqual(here);
	expect(new Set(here).size).toBe(30);
	await engine.must('POST', '/snapshot/here/restore', {});
	expect(await engine.future(30)).toEqual(here);
	const other = await startEngine();
	try {
		await other.must('POST', '/scenario', saved);
		expect(await other.future(30)).toEqual(here);
	} finally {
		other.engine.close();
	}
});

const DRAWS = `
function on_update(me)
  local x = engine.get_position(me)
  local one = engine.chance("step", { left = 1, right = "3/2" })
  if one == "left" then engine.set_position(me, x - 1, 0, 0)
  elseif engine.chance("far", { { "near", 1 }, { "far", 2 } }) == "far" then engine.set_position(me, x + 10, 0, 0) end
end`;

test('the odds of peek include the draws of scripts, and step draws from them', async () => {
	await engine.spawn({ position: [0, 0, 0] });
	await load(DRAWS, { entity_id: 0 });
	await engine.step(1);
	const before = await engine.digest();
	const peek = (await engine.post('/peek', {})) as Json;
	expect(peek.exact).toBe(true);
	const branches = peek.distribution as Json[];
	expect(branches.map(({ p }) => p)).toEqual([0.4, 0.2, 0.4]);
	expect((branches[2]!.choices as Json[]).map(({ rule, entity, label }) => [rule, entity, label])).toEqual([
		['script', 0, 'step: right'],
		['script', 0, 'far: far'],
	]);
	expect(await engine.digest()).toBe(before);
	const reachedDigests = new Set<string>();
	for (let seed = 0; seed < 40; seed++) {
		await engine.must('POST', '/fork', { fork_id: `f${seed}`, seed });
		const step = (await engine.post(`/step?world=f${seed}`, { ticks: 1 })) as Json;
		expect(branches.map(({ state_digest }) => state_digest)).toContain(step.state_digest);
		reachedDigests.add(step.state_digest as string);
		await engine.remove(`/fork/f${seed}`);
	}
	expect(reachedDigests.size).toBe(3);
});

test('errors are listed with their line and emit an event, and a refused source changes nothing', async () => {
	await engine.spawn({ position: [0, 0, 0] });
	const before = await engine.digest();
	const refused = await engine.call('POST', '/script/load', { source: 'local a =\n\n= 2', entity_id: 0 });
	expect(refused).toMatchObject({ status: 200, body: { ok: false, code: 'script_failed' } });
	expect(refused.body.message).toContain('line 3');
	expect(await engine.digest()).toBe(before);
	await load('function on_update(me)\n  local t = nil\n  t.x = 1\nend', { entity_id: 0 });
	await engine.step(2);
	const { scripts } = (await engine.get('/script/list')) as Json;
	expect(scripts).toMatchObject([
		{ failed: 2, errors: [{ line: 3, during: 'on_update', entity: 0, tick: 0 }, {}] },
	]);
	expect(await engine.events()).toContainEqual(
		expect.objectContaining({ type: 'ScriptErrorEvent', line: 3 }),
	);
});

test('step and probe return the first script errors of their ticks, and their count', async () => {
	for (const x of [0, 3, 6]) await engine.spawn({ position: [x, 0, 0] });
	const clean = await engine.must('POST', '/step', { ticks: 2 });
	expect(clean).not.toHaveProperty('script_errors');
	expect(clean).not.toHaveProperty('script_error_count');
	await load('function on_update(me)\n  if engine.tick() > 2 then error("on purpose") end\nend');
	for (const entity_id of [0, 1, 2])
		await engine.must('POST', `/entities/${entity_id}/components`, { script: 's' });
	expect(await engine.must('POST', '/step', {})).not.toHaveProperty('script_errors');
	const first = { script: 's', line: 2, message: 'on purpose', during: 'on_update', entity: 0, tick: 3 };
	const step = await engine.must('POST', '/step', { ticks: 4 });
	expect(step).toMatchObject({ script_error_count: 12, script_errors: [first, {}, {}, {}, {}] });
	expect(step.script_errors).toHaveLength(5);
	const probe = await engine.must('POST', '/probe', { ticks: 2, fork: true });
	expect(probe).toMatchObject({
		script_error_count: 6,
		script_errors: [{ ...first, tick: 7 }, {}, {}, {}, {}],
	});
});

test('the stack of a machine before a fork does not affect the digest', async () => {
	for (const x of [0, 3]) await engine.must('POST', '/spawn', { position: [x, 0, 0], health: 10 });
	// Deep calls, errors and long parameter lists leave much data on the stack.
	await load(
		`local function deep(n, ...) if n == 0 then return select("#", ...) end return (deep(n - 1, n, ...)) end
		 function on_update(me) print(deep(60)); error("on purpose " .. tostring(engine.tick() / 3)) end`,
		{ entity_id: 0 },
	);
	await engine.must('POST', '/step', { ticks: 3 });
	await engine.must('POST', '/fork', { fork_id: 'f' });
	for (const world of ['main', 'f']) {
		const source = `local seen = {}
		function on_update(me)
			local one <const>, two = engine.tick(), {}
			for i = 1, 5 do two[i] = function() seen[#seen + 1] = one + i end end
			for _, f in ipairs(two) do f() end
		end`;
		const body = { script_name: 'later', source, entity_id: 1 };
		await engine.must('POST', `/script/load?world=${world}`, body);
		await engine.must('POST', `/step?world=${world}`, { ticks: 3 });
	}
	const [main, fork] = await Promise.all(['/digest', '/digest?world=f'].map((path) => engine.get(path)));
	expect((fork as Json).state_digest).toBe((main as Json).state_digest);
});
