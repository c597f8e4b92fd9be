/** Random sources are loaded or refused with a reason, and never cause an engine error. */

import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../../support/engine.ts';
import { cases, SEED, times } from '../../../support/property.ts';

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine();
});
afterEach(() => engine.engine.close());

const WORDS = [
	...'function end local if then else for while do repeat until return break goto ::a:: nil true false not and or'.split(
		' ',
	),
	...'( ) { } [ ] = == ~= < > + - * / // % ^ # .. ... , ; : . "a" [[b]] 0x1p4 1e309 0 1 me x'.split(' '),
	...'engine.spawn() engine.get(me,"health") engine.set(me,"x",1) engine.query{} engine.chance("c",{a=1})'.split(
		' ',
	),
	...'pcall error setmetatable({},{__index=x}) coroutine.wrap(x) string.rep("x",9) math.random(3) print(x)'.split(
		' ',
	),
	'function on_update(me) ',
	'function on_event(x) ',
	' end ',
	'\n',
];

/** Any character. fast-check's own texts with all characters take seconds to create. */
const character = fc.nat(0x10_f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

const sources = fc.oneof(
	fc.array(character, { maxLength: 60 }).map((list) => list.join('')),
	fc.array(fc.constantFrom(...WORDS), { maxLength: 40 }).map((words) => words.join(' ')),
	fc
		.array(fc.constantFrom(...WORDS), { maxLength: 12 })
		.map((words) => `function on_update(me) local x = {} ${words.join(' ')} end`),
);

test(`no source causes an engine error (seed ${SEED})`, async () => {
	await engine.spawn({ position: [0, 0, 0], health: 5 });
	let loaded = 0;
	for (const source of cases(sources, 100)) {
		const { status, body } = await engine.call('POST', '/script/load', { source, entity_id: 0 });
		expect(status, `${JSON.stringify(source)}: ${JSON.stringify(body)}`).toBe(200);
		if (body.ok !== true) {
			expect(body.code).toBe('script_failed');
			continue;
		}
		loaded++;
		const step = await engine.call('POST', '/step', { ticks: 2 });
		expect(step.status, JSON.stringify(source)).toBe(200);
		expect((await engine.call('POST', '/peek', { max_branches: 8 })).status).toBe(200);
	}
	expect(loaded).toBeGreaterThan(times(3));
});

test('a scenario contains its scripts, which restart, and invalid sources are refused', async () => {
	await engine.spawn({ position: [0, 0, 0] });
	const source = 'local n = 0 function on_update(me) n = n + 1 engine.set_position(me, n, 0, 0) end';
	await engine.must('POST', '/script/load', { source, script_name: 'count', entity_id: 0 });
	await engine.step(3);
	const {
		exact: _,
		error: __,
		...plain
	} = (await engine.get('/scenario?exact=false')) as Record<string, unknown>;
	expect(plain).toMatchObject({ resources: { script_sources: { count: { source } } } });
	await engine.must('POST', '/reset', { fresh: true });
	await engine.must('POST', '/scenario', plain);
	await engine.step(2);
	expect((await engine.position(0))[0]).toBe(2);
	for (const bad of [{ count: 3 }, { count: { source: 3 } }, { count: { source: 'x'.repeat(70_000) } }]) {
		const refused = await engine.post('/scenario', { ...plain, resources: { script_sources: bad } });
		expect(refused).toMatchObject({ ok: false, code: 'invalid_scenario' });
	}
	// A source with a syntax error fails on its first use.
	const broken = { ...plain, resources: { script_sources: { count: { source: 'function (' } } } };
	await engine.must('POST', '/scenario', broken);
	await engine.step(2);
	expect((await engine.get('/script/list')).scripts).toMatchObject([{ state: 'failed', failed: 1 }]);
});

test('a refused batch and a refused tick do not change scripts', async () => {
	await engine.spawn({ position: [0, 0, 0] });
	const source = 'local n = 0 function on_update(me) n = n + 1 engine.set_position(me, n, 0, 0) end';
	await engine.must('POST', '/script/load', { source, script_name: 'count', entity_id: 0 });
	await engine.step(2);
	const before = await engine.get('/digest');
	const requests = [
		{ method: 'POST', path: '/step', body: { ticks: 3 } },
		{ method: 'POST', path: '/script/unload', body: { script_name: 'count' } },
		{ method: 'POST', path: '/despawn', body: { entity_id: 77 } },
	];
	expect(await engine.post('/batch', { requests, atomic: true })).toMatchObject({ ok: false });
	expect(await engine.get('/digest')).toEqual(before);
	const rule = await engine.rule({
		when: 'tick:1',
		do: Array.from({ length: 30 }, () => ({
			action: 'spawn',
			mesh: 'cube',
			position: [0, 0, 0],
			count: 1000,
		})),
	});
	const digest = await engine.digest();
	expect(await engine.post('/step', { ticks: 1 })).toMatchObject({ ok: false, code: 'too_many_spawned' });
	expect(await engine.digest()).toBe(digest);
	await engine.remove(`/rule/${rule}`);
	await engine.step(1);
	expect((await engine.position(0))[0]).toBe(3);
});

test('a disabled script keeps its state, and unloading a script removes every trace of it', async () => {
	await engine.spawn({ position: [0, 0, 0] });
	const empty = await engine.digest();
	const source = 'local n = 0 function on_update(me) n = n + 1 engine.set_position(me, n, 0, 0) end';
	await engine.must('POST', '/script/load', { source, script_name: 'count', entity_id: 0 });
	expect(await engine.digest()).not.toBe(empty);
	await engine.must('POST', '/script/unload', { script_name: 'count' });
	expect(await engine.digest()).toBe(empty);
	await engine.must('POST', '/script/load', { source, script_name: 'count', entity_id: 0 });
	await engine.step(2);
	await engine.must('POST', '/script/enable', { entity_id: 0, enabled: false });
	await engine.step(5);
	await engine.must('POST', '/script/enable', { script_name: 'count' });
	await engine.step(1);
	expect((await engine.position(0))[0]).toBe(3);
	expect(await engine.post('/script/enable', { script_name: 'conut' })).toMatchObject({
		code: 'unknown_script',
	});
	expect(await engine.post('/script/unload', { entity_id: 9 })).toMatchObject({ code: 'entity_not_found' });
});
