/** Contents of a refusal: the position of the fault, and the correction. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nearest, suggestion } from '../../../shared/contract/nearest.ts';
import { type Json, startEngine, type TestEngine } from '../../support/engine.ts';

let testEngine: TestEngine;
beforeAll(async () => {
	testEngine = await startEngine();
	await testEngine.must('POST', '/spawn', { health: 10, agent_id: 7 });
	await testEngine.must('POST', '/fork', { fork_id: 'plan' });
});
afterAll(() => testEngine.engine.close());

async function refusal(method: string, path: string, body?: unknown): Promise<Json> {
	const reply = await testEngine.call(method, path, body);
	expect(reply.body.ok).toBe(false);
	expect(reply.body.error).toBe(reply.body.message);
	return { status: reply.status, ...reply.body };
}

describe('did you mean', () => {
	test.each([
		['/spawn', { posision: [1, 2, 3] }, 'Did you mean "position"?'],
		['/spawn', { helth: 3 }, 'Did you mean "health"?'],
		['/spawn', { velocity: { liner: [1, 2, 3], linear: [0, 0, 0] } }, 'Did you mean "linear"?'],
		['/spawn', { role: 'heero' }, 'Did you mean "hero"?'],
		['/spawn', { physics_body: 'dinamic' }, 'Did you mean "Dynamic"?'],
		['/spawn', { collider: { shape: 'Spere', radius: 1 } }, 'Did you mean "Sphere"?'],
		['/spawn', { building_type: 'tier1tower' }, 'Did you mean "tier1_tower"?'],
		['/level/load', { level: { entities: [{}, { helth: 3 }] } }, 'Did you mean "health"?'],
		['/camera/view', { view: 'tpo' }, 'Did you mean "top"?'],
		['/step', { tick: 3 }, 'Did you mean "ticks"?'],
		['/stepp', {}, 'Did you mean /step?'],
		['/fork/plam/step', {}, 'Did you mean "plan"?'],
		['/step?world=plam', {}, 'Did you mean "plan"?'],
		['/observe?vewer=1', {}, 'Did you mean "viewer"?'],
		['/spawn', { pos: [0, 1, 0] }, 'Did you mean "position"?'],
		['/spawn', { damage: 5 }, 'Did you mean "combat_damage"?'],
		['/spawn', { title: 'orc' }, 'Known keys: name, position, rotation,'],
	])('%s %j', async (path, body, fix) => {
		expect((await refusal('POST', path, body)).fix).toContain(fix);
	});

	test.each([
		['aliev team:1', 'Did you mean "alive team:1"?'],
		['alive:team:1', 'Did you mean "alive team:1"?'],
		['coutn team:1 max=2', 'Did you mean "count team:1 max=2"?'],
		['count:team:1 max=2', 'Did you mean "count team:1 max=2"?'],
		['feild health < 50 team:1', 'Did you mean "field health < 50 team:1"?'],
		['exits team:1', 'Did you mean "exists team:1"?'],
		['taem:1', 'Did you mean "team:1"?'],
		['alive taem:1', 'Did you mean "team:1"?'],
		['team:1+alvie', 'Did you mean "alive"?'],
		['role:heroo', 'Did you mean "role:hero"?'],
		['team 1', 'Write team:1.'],
		// If two words are wrong, only the first is corrected: the whole text would be refused again.
		['aliev taem:1', 'Did you mean "alive"?'],
		['alve tag:hero', 'Did you mean "alive tag:hero"?'],
		[
			'health.percent below 60',
			'Write "field health.percent < 50": the word field, a field, a comparison, a number.',
		],
		['level over 5', 'Write "field level < 50": the word field, a field, a comparison, a number.'],
	])('the text %s', async (text, fix) => {
		for (const [path, body] of [
			['/assert/create', { name: 'holds', condition: text }],
			['/probe', { ticks: 1, until: `(${text}) & tick:1` }],
			['/rule/create', { when: 'tick:1', filter: text, do: ['heal this 1'] }],
		] as const)
			expect((await refusal('POST', path, body)).fix, path).toBe(fix);
		const suggested = /^Did you mean "(.*)"\?$/.exec(fix)?.[1];
		if (suggested !== undefined) await testEngine.must('POST', '/probe', { ticks: 0, until: suggested });
	});

	test('an unknown word gets the list of valid words', async () => {
		expect((await refusal('POST', '/spawn', { role: 'zebra' })).fix).toBe(
			'Send "role" as one of: hero, minion, tower, structure.',
		);
		expect((await refusal('POST', '/step', { zzzzzzzz: 3 })).fix).toBe(
			'Known keys: ticks, trace, record, events, choices, inputs, capture.',
		);
		expect(nearest('zebra', ['hero', 'minion'])).toBeUndefined();
		expect(nearest('HERO', ['minion', 'hero'])).toBe('hero');
		expect(nearest('name', ['lane', 'team'])).toBeUndefined();
		expect(nearest('damage', ['damage_taken', 'attack_damage', 'armor'])).toBe('attack_damage');
		expect(nearest('speed', ['walk_speed', 'attack_speed'])).toBeUndefined();
	});
});

test('an inherited property name is not a colour of the palette', async () => {
	for (const color of ['constructor', '__proto__', '#ff0000'])
		expect((await testEngine.must('POST', '/spawn', { color })).warnings, color).toEqual([
			expect.stringMatching(/is unknown and shown as white; known: red, .*"r,g,b" with parts from 0 to 1$/),
		]);
});

test('the name __proto__ is refused, and `fix` excludes it', async () => {
	for (const path of ['/item/equip', '/item/unequip'])
		expect(await refusal('POST', path, { entity_id: 0, slot: '__proto__' }), path).toMatchObject({
			error: 'slot: no name may be __proto__, got "__proto__".',
			fix: 'Send "slot" as: Name of the slot; any but __proto__.',
		});
});

test('a number too large for JSON is named correctly', async () => {
	const sent = new TextEncoder().encode('{"health":1e999}');
	expect((await testEngine.call('POST', '/spawn', sent)).body.error).toBe(
		'health must be a number, got Infinity.',
	);
});

test('a repeated query parameter is refused, with any values', async () => {
	for (const path of [
		'/digest?world=main&world=main',
		'/digest?world=main&world=plan',
		'/observe?viewer=0&viewer=0',
		'/snapshot/diff?from=a&to=b&to=c',
	]) {
		const method = path.startsWith('/observe') ? 'POST' : 'GET';
		expect(await refusal(method, path, method === 'POST' ? {} : undefined)).toMatchObject({
			status: 400,
			code: 'bad_query',
			fix: expect.stringMatching(/^Send "\w+" once\.$/),
		});
	}
});

test('a broken query is refused instead of repaired', async () => {
	const before = await testEngine.must('GET', '/asset/list');
	for (const name of ['%FF', 'a%C3', 'x%E9.png', '%ED%A0%80', '%ED%B0%80.png', '%C0%AF', '%', '%zz', 'a+%F5'])
		expect(await refusal('POST', `/asset/upload?name=${name}`, { data: 'AAAA' }), name).toMatchObject({
			status: 400,
			code: 'bad_query',
			error: expect.stringContaining('percent-encoding'),
		});
	for (const query of ['%FF=1', 'world=%FF', 'future=true&%', 'future=%E0%80%80'])
		expect(await refusal('GET', `/digest?${query}`), query).toMatchObject({
			status: 400,
			code: 'bad_query',
			fix: expect.stringContaining('%25'),
		});
	expect(await testEngine.must('GET', '/asset/list')).toEqual(before);
	const validPath = '/asset/upload?&name=a+b%2Bc%25%C3%A9%F0%9F%A6%8A=d.png&';
	expect((await testEngine.must('POST', validPath, { data: 'AAAA' })).names).toEqual(['a b+c%é🦊=d.png']);
});

test('a slightly wrong address is refused with the code of its fault', async () => {
	for (const [method, path, status, code] of [
		['GET', '/digest?future=true&future=true', 400, 'bad_query'],
		['GET', '/digest?future=', 400, 'bad_query'],
		['GET', '/digest?future', 400, 'bad_query'],
		['GET', '/digest?=', 400, 'bad_query'],
		['GET', '/digest?future=true;world=main', 400, 'bad_query'],
		['GET', '/digest?world=', 404, 'unknown_world'],
		['GET', '/digest/', 404, 'no_such_route'],
		['GET', '//digest', 404, 'no_such_route'],
		['GET', '/digest//', 404, 'no_such_route'],
		['GET', '/%64igest', 404, 'no_such_route'],
		['GET', '/entities/1%2F2', 400, 'bad_path'],
		['GET', '/fork%2Fplan/observe', 404, 'no_such_route'],
		['GET', '/observe?viewer=0', 405, 'method_not_allowed'],
		['POST', '/observe?viewer=', 400, 'bad_query'],
		['POST', '/observe?viewer=0&viewer=0', 400, 'bad_query'],
		['POST', '/peek/', 404, 'no_such_route'],
		['POST', '//peek', 404, 'no_such_route'],
		['POST', '/peek?world=', 404, 'unknown_world'],
		['OPTIONS', '/digest', 405, 'method_not_allowed'],
	] as const)
		expect(await refusal(method, path), `${method} ${path}`).toMatchObject({
			status,
			code,
			fix: expect.stringMatching(/./),
		});
	for (const path of ['/digest?', '/digest?&&&', '/digest?&world=main&'])
		expect(await testEngine.must('GET', path), path).toEqual(await testEngine.must('GET', '/digest'));
});

test('half of a surrogate pair is refused in a body and in a path', async () => {
	const halfCharacter = new TextEncoder().encode('{"mesh":"models/\\ud800.glb"}');
	for (const [path, sent] of [
		['/spawn', halfCharacter],
		['/asset/upload?name=a.png', new TextEncoder().encode('{"data":"AA\\udc00"}')],
	] as const)
		expect((await testEngine.call('POST', path, sent)).body).toMatchObject({
			code: 'invalid_body',
			error: expect.stringContaining('half of a character'),
		});
	const invalidUtf8 = Uint8Array.of(...new TextEncoder().encode('{"mesh":"'), 0xff, 0x22, 0x7d);
	expect((await testEngine.call('POST', '/spawn', invalidUtf8)).body).toMatchObject({ code: 'bad_json' });
	expect(await refusal('GET', '/asset/%ED%A0%80')).toMatchObject({ status: 400, code: 'bad_path' });
});

test('a whole number in a path may be written as 5.0, as in a body, and in no other spelling', async () => {
	expect((await testEngine.must('GET', '/entities/0.0')).id).toBe(0);
	expect((await testEngine.must('GET', '/entities/0.000')).id).toBe(0);
	for (const id of ['0.5', '0.', '.0', '1e0', '0x0', '0,0', '+0', '0.0.0'])
		expect(await refusal('GET', `/entities/${id}`), id).toMatchObject({ status: 400, code: 'bad_path' });
});

test('the texts of a refusal have at most 2000 characters for an address of any length', async () => {
	const long = 'a'.repeat(9000);
	for (const path of [`/${long}`, `/digest?${long}=1`, `/digest?world=${long}`, `/digest?future=${long}`]) {
		const { error, fix } = (await testEngine.call('GET', path)).body;
		expect(
			[error.length, fix.length].every((length) => length <= 2000),
			path.slice(0, 20),
		).toBe(true);
	}
});

test('a repeated key in an object of the body is refused, at any depth and in any spelling', async () => {
	const encoder = new TextEncoder();
	const send = async (path: string, text: string) =>
		(await testEngine.call('POST', path, encoder.encode(text))).body;
	const before = await testEngine.must('GET', '/digest');
	for (const [path, text] of [
		['/step', '{"ticks":1,"ticks":5}'],
		['/step', '{"ticks":1,"tick\\u0073":1}'],
		['/spawn', '{"velocity":{"linear":[0,0,0],"linear":[1,0,0]}}'],
		['/batch', '{"requests":[{"path":"/step"},{"path":"/step","path":"/step"}]}'],
	] as const)
		expect(await send(path, text), text).toMatchObject({
			ok: false,
			code: 'invalid_body',
			fix: expect.stringMatching(/^Send "\w+" once\.$/),
		});
	const nested = (depth: number) =>
		`{"type":"SignalEvent","name":"n","data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
	expect(await send('/events', nested(200))).toMatchObject({
		code: 'invalid_body',
		fix: 'Nest at most 200 levels.',
	});
	expect(await send('/step', '['.repeat(1_000_000) + ']'.repeat(1_000_000))).toMatchObject({
		code: 'invalid_body',
	});
	expect(await testEngine.must('GET', '/digest')).toEqual(before);
	expect(await send('/events', nested(199))).toMatchObject({ ok: true });
	const unusualEvent = '{"name":"a:b\\":c","data":{"a":[{"a":1},{"a":{}}],"":"\\\\"},"type":"SignalEvent"}';
	expect(await send('/events', unusualEvent)).toMatchObject({ ok: true });
});

describe('an invalid path', () => {
	test.each([
		['GET', '/forks', 'Known routes: POST /fork, GET /fork/list,'],
		['GET', '/fork', 'Use POST.'],
		[
			'POST',
			'/rules',
			'Known routes: POST /rule/create, GET /rule/list, GET /rule/{id}, PATCH /rule/{id}, DELETE /rule/{id}.',
		],
		['GET', '/snapshots', 'Did you mean /snapshot/list?'],
		['GET', '/step/', 'Known routes: POST /step. GET /schema?form=compact lists every route.'],
		['GET', '/zebra', 'GET /schema?form=compact lists every route.'],
		['GET', '//', 'GET /schema?form=compact lists every route.'],
	])('%s %s', async (method, path, fix) => {
		expect((await refusal(method, path)).fix).toContain(fix);
	});
});

describe('fix of a refusal', () => {
	test.each([
		['/spawn', { position: [1, 2] }, 'Send "position" with exactly 3 items: Position [x, y, z] (m).'],
		['/spawn', { rotation: [0, 90, 0] }, 'exactly 4 items: Rotation [x, y, z, w] (unit quaternion).'],
		['/spawn', { position: 5 }, 'Send "position" as a list of numbers: Position [x, y, z] (m).'],
		['/spawn', { position: { x: 0, y: 1, z: 0 } }, 'as a list of numbers: Position [x, y, z] (m).'],
		['/spawn', { tags: 'hero' }, 'Send "tags" as a list: ["hero"].'],
		['/step', { events: 'death' }, 'Send "events" as a list: ["death"].'],
		['/step', { events: 5 }, 'Send "events" as a list.'],
		['/sweep', { where: 'winner:1' }, 'as an object: Conditions at the end of a run, by column name.'],
		['/entity/damage', { id: 0, amount: 1 }, 'Send "entity_id" as a number. The key "id" is unknown.'],
		['/spawn', { collider: { type: 'sphere', radius: 1 } }, 'The key "type" is unknown.'],
		[
			'/rule/create',
			{ when: 'death', do: [{ action: 'heal', target: 'team:1', amount: 1 }] },
			'Send "target" as: this, source, {entity}, {tag}, {team}, {nearest: filter} or {all: filter}.',
		],
		['/rule/create', { when: 'death', do: [{ action: 'heal', target: 'thsi', amount: 1 }] }, '"this"'],
		['/step', { ticks: -1 }, 'Send "ticks" as a number, at least 0.'],
		['/spawn', [1], 'Send the body as an object.'],
		[
			'/item/define',
			{ id: 6, recipe: { components: [5] } },
			'Send recipe.components[0] as an object with item_id, count.',
		],
		['/fork', { fork_id: 'a b' }, 'Send "fork_id" as: Id of a fork: 1 to 64 characters, no slash or space.'],
		['/assert/create', { name: 'x', condition: null }, 'Send "condition" as an object or a text.'],
		['/item/define', { properties: { cost: -1 } }, '`cost` is its price in gold'],
		[
			'/level/load',
			{ level: { entities: [{ template: 'x', mesh: 'cube' }] } },
			'Known keys: id, template, position, overrides.',
		],
		['/level/load', { level: { entities: [{ template: 5 }] } }, 'Send "template" as a text'],
		['/snapshot', { label: '' }, 'Send "label" with at least 1 character.'],
	])('%s %j', async (path, body, fix) => {
		expect((await refusal('POST', path, body)).fix).toContain(fix);
	});

	test('a short list of the alternatives, if none is similar', async () => {
		expect((await refusal('POST', '/fork/zebra/step', {})).fix).toBe('Use one of: plan.');
		expect((await refusal('POST', '/step?world=zebra', {})).fix).toBe('Use one of: main, plan.');
		expect(await refusal('GET', '/events/stream?since=abc')).toMatchObject({
			error: 'since has the wrong form, got "abc".',
			fix: expect.stringContaining('Id of an event'),
		});
		expect(suggestion('zz', ['a'])).toBe('Use one of: a.');
		expect(suggestion('zz', [])).toBeUndefined();
		expect(
			suggestion(
				'zz',
				Array.from({ length: 21 }, (_, i) => `n${i}`),
			),
		).toBeUndefined();
		expect(nearest('zz', ['a', 'bb'])).toBeUndefined();
	});
});

describe('position of the fault', () => {
	test.each([
		[{ position: [1, 2] }, 'position'],
		[{ position: [1, 'x', 2] }, 'position[1]'],
		[{ team: 256 }, 'team'],
		[{ collider: { shape: 'Aabb', hx: 1 } }, 'collider.hy'],
		[{ velocity: {} }, 'velocity.linear'],
		[{ tags: ['a', 5] }, 'tags[1]'],
		[{ ai_patrol: [[0, 0, 0], [1]] }, 'ai_patrol[1]'],
		[{ health: 1e300 }, 'health'],
		[{ rotation: [0, 0, 0, 0] }, 'rotation'],
	])('%j', async (body, path) => {
		expect(await refusal('POST', '/spawn', body)).toMatchObject({ status: 422, code: 'invalid_body', path });
		const level = { level: { entities: [{}, body] } };
		expect(await refusal('POST', '/level/load', level)).toMatchObject({ path: `level.entities[1].${path}` });
	});

	test('a key that a record cannot have', async () => {
		for (const [key, reason] of [
			['', 'the key "" of equipment must have at least 1 character'],
			['x'.repeat(81), 'of equipment must have at most 80 characters, got 81'],
		] as const) {
			const refused = await refusal('POST', '/spawn', { equipment: { [key]: 1 } });
			expect(refused).toMatchObject({ status: 422, code: 'invalid_body', path: 'equipment' });
			expect(refused.message).toContain(reason);
		}
	});

	test('a body that is not an object', async () => {
		for (const body of [[1], 'x', 5, true])
			expect(await refusal('POST', '/spawn', body)).toMatchObject({ status: 422, code: 'invalid_body' });
	});
});

describe('some refusals keep the status 200', () => {
	test.each([
		['POST', '/despawn', { entity_id: 99, entity_generation: 0 }, 'entity_not_found'],
		['POST', '/despawn', { entity_id: 0, entity_generation: 0 }, 'not_owner'],
		['POST', '/fork', { fork_id: 'plan' }, 'fork_exists'],
		['DELETE', '/fork/main', undefined, 'unknown_fork'],
		['POST', '/level/load', { path: 'levels/none.json' }, 'file_missing'],
		['POST', '/level/load', { path: '../secrets' }, 'file_refused'],
		['POST', '/level/load', { level: { entities: [{ parent: 77 }] } }, 'invalid_level'],
		['GET', '/engine/gpu', undefined, 'no_gpu'],
		['POST', '/rule/create', {}, 'invalid_body'],
		['POST', '/rule/create', { when: { kind: 'zzz' }, actions: ['despawn this'] }, 'invalid_body'],
		['POST', '/assert/create', { condition: 'exists' }, 'invalid_body'],
		['POST', '/assert/create', { name: 'x', condition: { type: 'zzz' } }, 'invalid_body'],
		['POST', '/manifest', { name: 'a' }, 'invalid_body'],
		['POST', '/manifest/feature', { status: 'complete' }, 'invalid_body'],
		['POST', '/template/create', { name: '' }, 'invalid_body'],
		['POST', '/template/create', { name: 'x', health: 'many' }, 'invalid_body'],
		['POST', '/template/spawn', {}, 'invalid_body'],
		['POST', '/hero/select', { entity_id: 0 }, 'invalid_body'],
	])('%s %s %j is %s', async (method, path, body, code) => {
		expect(await refusal(method, path, body)).toMatchObject({ status: 200, code });
	});

	test.each(['main', 'list', '.', '..'])('a fork called %s is refused', async (fork_id) => {
		expect(await refusal('POST', '/fork', { fork_id })).toMatchObject({ status: 422, path: 'fork_id' });
	});
});

test('on these routes, null means the default of a field', async () => {
	const calls: [string, object, string[]][] = [
		['/entity/damage', { entity_id: 0 }, ['amount', 'category', 'source']],
		['/entity/heal', { entity_id: 0 }, ['amount']],
		['/game/create', {}, ['mode', 'score_limit', 'time_limit', 'respawn_delay']],
		['/trigger/create', {}, ['position', 'zone', 'action']],
		['/projectile/spawn', {}, ['from', 'direction', 'speed', 'damage', 'lifetime']],
		['/ai/set', { entity_id: 0 }, ['behavior', 'target', 'speed', 'waypoints']],
		['/tag', { entity_id: 0 }, ['add', 'remove']],
		['/view-filter/set', { entity_id: 0 }, ['rules']],
		['/rule/create', { when: 'death', actions: ['despawn this'] }, ['filter', 'priority', 'once']],
		['/snapshot', {}, ['label']],
		['/probe', {}, ['ticks', 'assertions', 'snapshot_before', 'snapshot_after']],
		['/assert/create', { name: 'a', condition: 'exists' }, ['severity', 'filter', 'min', 'max']],
		['/scene/save', {}, ['path']],
		['/scene/load', {}, ['path']],
		['/item/define', {}, ['id', 'name', 'properties']],
		['/item/give', { entity_id: 0 }, ['item_id', 'count']],
		['/item/equip', { entity_id: 0 }, ['slot', 'item_id']],
		['/effect/apply', { entity_id: 0 }, ['tag', 'duration', 'modifiers', 'stack_policy', 'tick_effect']],
		['/effect/cleanse', { entity_id: 0 }, ['filter']],
	];
	const engines = await Promise.all([startEngine(), startEngine()]);
	for (const { must } of engines) await must('POST', '/spawn', { health: 50, team: 1, gold: 5 });
	for (const [path, body, fields] of calls) {
		const nulls = Object.fromEntries(fields.map((field) => [field, null]));
		const [expected, actual] = [
			await engines[0].must('POST', path, body),
			await engines[1].must('POST', path, { ...body, ...nulls }),
		];
		expect(actual, path).toEqual(expected);
	}
	const [first, second] = await Promise.all(engines.map(({ must }) => must('GET', '/digest')));
	expect(first).toEqual(second);
	for (const { engine } of engines) engine.close();
	expect(await refusal('POST', '/step', { ticks: null })).toMatchObject({ status: 422, path: 'ticks' });
	expect(await refusal('POST', '/entity/damage', { entity_id: null })).toMatchObject({ path: 'entity_id' });
});

test('permitted media types and path encodings are accepted, others are refused', async () => {
	const statusWith = (headers: Record<string, string>, method = 'POST') =>
		testEngine.call(method, '/observe', {}, headers).then(({ status }) => status);
	expect(await statusWith({ 'content-type': 'application/json; charset=utf-8' })).toBe(200);
	expect(await statusWith({ 'content-type': 'Application/JSON' })).toBe(200);
	expect(await statusWith({ 'content-type': 'application/vnd.orrery+json' })).toBe(200);
	expect(await statusWith({ 'content-type': 'application/jsonp' })).toBe(415);
	expect(await statusWith({ 'content-type': 'application/json; charset=utf-16' })).toBe(415);
	expect(await statusWith({ 'content-type': 'application/json', 'content-encoding': 'identity' })).toBe(200);
	expect(await statusWith({ 'content-type': 'application/json', 'content-encoding': 'gzip' })).toBe(415);
	expect((await testEngine.call('GET', '/%65ntities/0')).status).toBe(404);
	expect((await testEngine.call('GET', '/entities/%30')).status).toBe(200);
	expect((await testEngine.call('GET', '/entities/0?world=%70lan')).status).toBe(200);
	expect((await testEngine.call('GET', '/fork/pl%61n/observe')).status).toBe(200);
});
