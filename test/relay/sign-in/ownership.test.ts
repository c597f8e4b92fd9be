/** Attempts of agents to change each other's things on a server that needs sessions. All of them are refused. */

import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OwnerRule, ownerRules } from '../../../shared/contract/owner-rule.ts';
import { accessOf } from '../../../shared/contract/principal.ts';
import type { Route } from '../../../shared/contract/route.ts';
import { routes } from '../../../shared/routes/index.ts';
import { type Call, type GatedServer, startGated } from './gated-server.ts';

let server: GatedServer;
let ada: Call;
let bob: Call;
let op: Call;

beforeEach(async () => {
	const limits = { entities: 3, forks: 2, worlds: 1, snapshots: 2, files: 2, asset_bytes: 1000 };
	server = await startGated({ limits });
	({ ada, bob, op } = server);
});
afterEach(() => server.close());

/** Makes a call that must succeed. */
async function requireSuccess(call: Call, method: string, path: string, body?: unknown) {
	const answer = await call(method, path, body);
	expect(answer.body.error, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeUndefined();
	return answer.body;
}

/** Makes a call that must be refused with a code. */
async function requireRefusal(call: Call, method: string, path: string, body?: unknown, code = 'not_owner') {
	const answer = await call(method, path, body);
	expect(answer.body, `${method} ${path}`).toMatchObject({ ok: false, code });
	return answer.body;
}

test('a named world belongs to its creator: others read and fork it, and operators may change it', async () => {
	const { stranger } = server;
	await requireRefusal(stranger, 'POST', '/worlds', { name: 'adas' }, 'not_signed_in');
	expect(await requireSuccess(ada, 'POST', '/worlds', { name: 'adas' })).toMatchObject({ owner: 'ada' });
	await requireRefusal(ada, 'POST', '/worlds', { name: 'more' }, 'agent_limit');
	// Settings of main belong to the operators.
	await requireSuccess(ada, 'POST', '/camera?world=adas', { fov_y: 1 });
	await requireSuccess(ada, 'POST', '/spawn?world=adas', { health: 9 });
	for (const [path, body] of [
		['/spawn', { health: 1 }],
		['/step', { ticks: 1 }],
		['/entities/0/components', { health: 1 }],
	] as const)
		await requireRefusal(bob, 'POST', `${path}?world=adas`, body);
	await requireSuccess(stranger, 'GET', '/entities/0?world=adas');
	await requireSuccess(bob, 'POST', '/fork?world=adas', { fork_id: 'bobs' });
	await requireSuccess(bob, 'POST', '/step?world=adas/bobs', { ticks: 1 });
	await requireRefusal(ada, 'POST', '/step?world=adas/bobs', { ticks: 1 });
	await requireRefusal(bob, 'DELETE', '/worlds/adas');
	await requireSuccess(op, 'POST', '/entities/0/components?world=adas', { health: 5 });
	await requireSuccess(op, 'POST', '/worlds', { name: 'shared' });
	await requireRefusal(ada, 'DELETE', '/worlds/shared');
	await requireSuccess(ada, 'DELETE', '/worlds/adas');
	await requireSuccess(op, 'DELETE', '/worlds/shared');
});

describe('a fork', () => {
	beforeEach(async () => {
		await requireSuccess(op, 'POST', '/spawn', { health: 9 });
		await requireSuccess(ada, 'POST', '/fork', { fork_id: 'a' });
	});

	test.each<[string, string, object?]>([
		['POST', '/fork/a/step', { ticks: 1 }],
		['POST', '/fork/a/probe', { ticks: 1 }],
		['POST', '/fork/a/scenario', { version: 1, entities: [] }],
		['POST', '/fork/a/promote', {}],
		['DELETE', '/fork/a'],
		['POST', '/step?world=a', { ticks: 1 }],
		['POST', '/probe?world=a', { ticks: 1 }],
		['POST', '/play?world=a', {}],
		['POST', '/pause?world=a', {}],
		['POST', '/spawn?world=a', {}],
		['POST', '/reset?world=a', {}],
		['POST', '/snapshot?world=a', { label: 's' }],
		['POST', '/camera?world=a', { fov_y: 1 }],
		['POST', '/entities/0/components?world=a', { health: 5 }],
		['POST', '/undo?world=a', {}],
	])('is not changed by another agent, alone or in a batch: %s %s', async (method, path, body) => {
		const before = await requireSuccess(ada, 'GET', '/digest?world=a');
		await requireRefusal(bob, method, path, body);
		await requireRefusal(
			bob,
			'POST',
			'/batch',
			{ atomic: true, requests: [{ method, path, body }] },
			'batch_failed',
		);
		expect(await requireSuccess(ada, 'GET', '/digest?world=a')).toEqual(before);
	});

	test('is stepped by a call on many forks only if the caller owns it', async () => {
		const { id } = await requireSuccess(op, 'POST', '/spawn', { player: true });
		await requireSuccess(bob, 'POST', '/fork', { fork_id: 'b' });
		const before = await requireSuccess(bob, 'GET', '/digest?world=b');
		const spawn = [{ path: '/spawn', body: {} }];
		const steps = [
			{ fork_id: 'b' },
			{ fork_id: 'b', from: 'main' },
			{ fork_id: 'b', seed: 5, requests: spawn },
			{ fork_id: 'mine', from: 'b', requests: spawn },
			{ fork_id: 'mine', inputs: [{ key: 'ArrowUp', entity_id: id }] },
			{ fork_id: 'mine', from: 'a' },
			{ fork_id: 'third', from: 'mine' },
		];
		const { rows } = await requireSuccess(ada, 'POST', '/fork/step', { steps });
		const codes = (rows as { error?: { code: string } }[]).map(({ error }) => error?.code);
		const [NOT, OK] = ['not_owner', undefined];
		expect(codes).toEqual([NOT, NOT, NOT, OK, NOT, OK, 'agent_limit']);
		expect(await requireSuccess(bob, 'GET', '/digest?world=b')).toEqual(before);
		await requireRefusal(bob, 'POST', '/fork/mine/step', {});
	});

	test('that does not exist is reported as missing', async () => {
		await requireRefusal(bob, 'POST', '/fork/none/step', { ticks: 1 }, 'unknown_fork');
		await requireRefusal(bob, 'POST', '/step?world=none', { ticks: 1 }, 'unknown_world');
	});

	test('is open to its owner for every change, and to all for reads and forks', async () => {
		await requireSuccess(ada, 'POST', '/entities/0/components?world=a', { health: 5 });
		await requireSuccess(ada, 'POST', '/tuning?world=a', { combat: { armor_factor: 0.5 } });
		await requireSuccess(ada, 'POST', '/fork/a/step', { ticks: 2 });
		await requireSuccess(bob, 'POST', '/observe?world=a', {});
		await requireSuccess(bob, 'POST', '/fork', { fork_id: 'b', from: 'a' });
		await requireSuccess(bob, 'POST', '/fork?world=a', { fork_id: 'b2' });
		await requireSuccess(op, 'POST', '/fork/a/step', { ticks: 1 });
		await requireRefusal(ada, 'POST', '/fork/b/step', { ticks: 1 });
	});

	test('cannot be promoted with changes to things of others', async () => {
		await requireSuccess(op, 'POST', '/template/create', { name: 'orc' });
		for (const [path, body] of [
			['/entities/0/components', { health: 5 }],
			['/despawn', { entity_id: 0 }],
			['/tuning', { combat: { armor_factor: 0.5 } }],
			['/template/create', { name: 'orc', health: 1 }],
			['/reset', { fresh: true, seed: 5 }],
			['/events', { type: 'DamageEvent', target: 0, amount: 5 }],
		] as const) {
			await requireSuccess(bob, 'POST', '/fork', { fork_id: 'b' });
			await requireSuccess(bob, 'POST', `${path}?world=b`, body);
			await requireRefusal(bob, 'POST', '/fork/b/promote', {});
			await requireSuccess(bob, 'DELETE', '/fork/b');
		}
		await requireSuccess(bob, 'POST', '/fork', { fork_id: 'b' });
		await requireSuccess(bob, 'POST', '/spawn?world=b', { health: 1 });
		await requireSuccess(bob, 'POST', '/fork/b/promote', { keep_as: 'old' });
		await requireRefusal(ada, 'POST', '/fork/old/step', { ticks: 1 });
	});

	test('counts towards the limit of its owner, by any way of creation', async () => {
		await requireSuccess(ada, 'POST', '/fork', { fork_id: 'a2' });
		await requireRefusal(ada, 'POST', '/history/fork', { fork_id: 'a3', tick: 0 }, 'agent_limit');
		await requireRefusal(ada, 'POST', '/fork', { fork_id: 'a3' }, 'agent_limit');
	});
});

describe('inputs', () => {
	test.each(['', '?world=b'])('are for the owner of the entity alone%s', async (world) => {
		const { id } = await requireSuccess(ada, 'POST', '/spawn', { player: true });
		await requireSuccess(bob, 'POST', '/fork', { fork_id: 'b' });
		const inputs = [{ at: 0, key: 'ArrowUp', entity_id: id }];
		for (const [path, body] of [
			[`/step${world}`, { ticks: 1, inputs }],
			[`/step${world}`, { ticks: 1, inputs: [{ at: 0, key: 'ArrowUp' }] }],
			['/fork/b/step', { ticks: 1, inputs }],
			[`/input/press${world}`, { key: 'ArrowUp', entity_id: id }],
			[`/input/release${world}`, { key: 'ArrowUp', entity_id: id }],
			[`/input/axis${world}`, { action: 'move_x', value: 1, entity_id: id }],
		] as const) {
			const { body: answer } = await bob('POST', path, body);
			expect([path, answer.code]).toEqual([path, 'not_owner']);
		}
	});
});

describe('the rule of a route', () => {
	/** Routes whose examples change nothing that an operator owns. */
	const HARMLESS = new Set([
		'gameplay.heal',
		'operations.inject_event',
		'scenes.save',
		'scenes.save_level',
		'particle.create',
	]);
	const refusalOf = (id: string, rule: OwnerRule): string | undefined => {
		if (rule === 'operators') return 'not_allowed';
		return rule === 'made' || typeof rule === 'object' || HARMLESS.has(id) ? undefined : 'not_owner';
	};

	test('is declared for every caller with write access', () => {
		const undeclared = routes.filter((route) => accessOf(route) !== 'read' && ownerRules(route).length === 0);
		expect(undeclared.map(({ id }) => id)).toEqual([]);
		const reads = routes.filter((route: Route) => accessOf(route) === 'read' && route.owner !== undefined);
		expect(reads.map(({ id }) => id)).toEqual([]);
	});

	test('holds: things of an operator are closed to others, and unowned things are open', async () => {
		const wrong: unknown[] = [];
		for (const route of routes as readonly Route[]) {
			const [rule] = ownerRules(route);
			const example = route.examples.find(({ needs }) => needs === undefined);
			if (rule === undefined || rule === 'changed' || example === undefined) continue;
			await requireSuccess(op, 'POST', '/reset', { fresh: true });
			for (const { method = 'POST', path, body } of example.given ?? []) await op(method, path, body);
			const { body } = await bob(route.method, example.path ?? route.path, example.body);
			if (body.code !== refusalOf(route.id, rule)) wrong.push([route.id, rule, body.code, body.error]);
			for (const fork of (await requireSuccess(op, 'GET', '/fork/list')).forks as string[])
				await op('DELETE', `/fork/${fork}`);
			for (const { hash } of (await requireSuccess(op, 'GET', '/asset/list')).assets as { hash: string }[])
				await op('DELETE', `/asset/${hash}`);
			for (const { label } of (await requireSuccess(op, 'GET', '/snapshot/list')).snapshots as {
				label: string;
			}[])
				await op('DELETE', `/snapshot/${label}`);
		}
		expect(wrong).toEqual([]);
	});
});

describe('definitions', () => {
	const script = (source: string) => ({ script_name: 'mind', source });

	test("keep others' entities working: no other agent replaces a script, a template, a prefab or a HUD element", async () => {
		const { id } = await requireSuccess(ada, 'POST', '/spawn', { health: 5 });
		await requireSuccess(ada, 'POST', '/script/load', { ...script('function update() end'), entity_id: id });
		await requireRefusal(bob, 'POST', '/script/load', script('function update(e) engine.despawn(e) end'));
		for (const [path, first, second] of [
			['/template/create', { name: 'orc', health: 1 }, { name: 'orc', health: 99 }],
			['/prefab/register', { name: 'hut', health: 1 }, { name: 'hut', health: 99 }],
			['/item/define', { id: 7, name: 'sword' }, { id: 7, name: 'feather' }],
			['/material/define', { name: 'gold', metallic: 1 }, { name: 'gold', metallic: 0 }],
			['/ui/text', { id: 'score', text: 'mine' }, { id: 'score', text: 'yours' }],
			['/input/bind', { key: 'KeyP', action: 'attack' }, { key: 'KeyP', action: 'stop' }],
			['/hero/define', { name: 'Ada', health: 1 }, { name: 'Ada', health: 2 }],
		] as const) {
			await requireSuccess(ada, 'POST', path, first);
			await requireRefusal(bob, 'POST', path, second);
			await requireRefusal(bob, 'POST', '/level/load', { level: { templates: { orc: { health: 3 } } } });
			await requireSuccess(ada, 'POST', path, second);
			await requireSuccess(op, 'POST', path, first);
			await requireSuccess(ada, 'POST', path, second);
		}
	});

	test('of an operator are for operators alone, and a freed name is for any caller', async () => {
		await requireSuccess(op, 'POST', '/template/create', { name: 'orc', health: 1 });
		await requireRefusal(bob, 'POST', '/template/create', { name: 'orc', health: 2 });
		await requireRefusal(bob, 'DELETE', '/template/orc');
		await requireSuccess(ada, 'POST', '/template/create', { name: 'elf' });
		await requireSuccess(op, 'DELETE', '/template/elf');
		await requireSuccess(op, 'POST', '/template/create', { name: 'elf' });
		await requireRefusal(ada, 'DELETE', '/template/elf');
		await requireSuccess(op, 'DELETE', '/template/elf');
		await requireSuccess(bob, 'POST', '/template/create', { name: 'elf' });
	});

	test('built into the engine, or shipped with it, are for operators alone', async () => {
		const prefab = { name: 'ground', health: 1 };
		await requireRefusal(bob, 'POST', '/prefab/register', prefab);
		await requireRefusal(
			bob,
			'POST',
			'/level/load',
			{ level: { prefabs: { ground: { document: {} } } } },
			'invalid_body',
		);
		await requireSuccess(op, 'POST', '/prefab/register', prefab);
		for (const path of ['models/knight.glb', 'MODELS/Knight.glb', 'sounds/hit.wav', 'scenes/arena.json'])
			await requireRefusal(bob, 'POST', '/scene/save', { path });
		await requireRefusal(bob, 'POST', '/asset/upload?name=models/knight.glb', { data: 'aGVycw==' });
		await requireSuccess(op, 'POST', '/scene/save', { path: 'models/knight.glb' });
	});

	test('of one agent cannot fill a registry', async () => {
		const area = { density: 0.01, area_min: [0, 0, 0], area_max: [10, 10, 10] };
		for (let i = 0; i < 16; i++) await requireSuccess(bob, 'POST', '/foliage/scatter', area);
		await requireRefusal(bob, 'POST', '/foliage/scatter', area, 'agent_limit');
		await requireSuccess(ada, 'POST', '/foliage/scatter', area);
		const dense = { ...area, density: 100, area_max: [30, 10, 30] };
		await requireRefusal(ada, 'POST', '/foliage/scatter', dense, 'agent_limit');
		await requireSuccess(op, 'POST', '/foliage/scatter', dense);
		for (let i = 0; i < 125; i++) await requireSuccess(bob, 'POST', '/ui/text', { id: `t${i}`, text: 'x' });
		await requireRefusal(bob, 'POST', '/ui/text', { id: 'more', text: 'x' }, 'agent_limit');
	});

	test('return with a snapshot, together with their owners', async () => {
		await requireSuccess(ada, 'POST', '/template/create', { name: 'elf' });
		await requireSuccess(op, 'POST', '/snapshot', { label: 'then' });
		await requireSuccess(op, 'DELETE', '/template/elf');
		await requireSuccess(op, 'POST', '/snapshot/then/restore');
		await requireRefusal(bob, 'DELETE', '/template/elf');
		await requireSuccess(ada, 'DELETE', '/template/elf');
	});
});

describe('snapshots', () => {
	test('are replaced and deleted by their owner alone, and take no room of another agent', async () => {
		await requireSuccess(ada, 'POST', '/snapshot', { label: 'hers' });
		await requireRefusal(bob, 'POST', '/snapshot', { label: 'hers' });
		await requireRefusal(bob, 'DELETE', '/snapshot/hers');
		await requireSuccess(op, 'POST', '/snapshot', { label: 'kept' });
		for (let i = 0; i < 25; i++) await requireSuccess(bob, 'POST', '/snapshot', { label: `b${i}` });
		const { snapshots } = (await requireSuccess(bob, 'GET', '/snapshot/list')) as {
			snapshots: { label: string }[];
		};
		const labels = snapshots.map(({ label }) => label);
		expect(labels).toEqual(['hers', 'kept', ...Array.from({ length: 20 }, (_, i) => `b${i + 5}`)]);
	});
});

test('a scenario counts towards the entities of its sender, also when it is sent again', async () => {
	await requireSuccess(ada, 'POST', '/fork', { fork_id: 'a' });
	const scenario = { version: 1, entities: [{}, {}, {}, {}] };
	for (const path of ['/scenario', '/scenario?world=a', '/fork/a/scenario'])
		await requireRefusal(ada, 'POST', path, scenario, 'agent_limit');
	const { state_digest } = await requireSuccess(ada, 'POST', '/scenario', { version: 1, entities: [{}, {}] });
	expect((await requireSuccess(ada, 'GET', '/digest')).state_digest).toBe(state_digest);
	const level = await requireSuccess(bob, 'POST', '/level/load', { level: { entities: [{}] } });
	expect((await requireSuccess(ada, 'GET', '/digest')).state_digest).toBe(level.state_digest);
	expect((await requireSuccess(bob, 'GET', '/entities/0')).agent_id).toBe(1);
	await requireRefusal(ada, 'POST', '/level/load', { level: { entities: [{}, {}] } }, 'agent_limit');
});

test('an agent fills its own share of the journal and no more', async () => {
	await server.close();
	server = await startGated({ limits: { journal_bytes: 500 } });
	({ ada, bob, op } = server);
	const upload = { data: Buffer.from(''.padEnd(700)).toString('base64') };
	for (const [call, code] of [
		[ada, undefined],
		[ada, 'too_many_calls'],
		[bob, undefined],
		[op, undefined],
	] as const) {
		const { body } = await call('POST', '/asset/upload', upload);
		expect(body.code).toBe(code);
		if (code === undefined) continue;
		expect(body.message).toContain('journal');
		await requireRefusal(ada, 'POST', '/tag', { entity_id: 0, add: ['x'] }, 'too_many_calls');
		await requireSuccess(ada, 'POST', '/observe', {});
	}
});

test('all agents together fill a quarter of the journal in an hour, and an operator all of it', async () => {
	await server.close();
	server = await startGated({ journalBytes: 4000 });
	({ ada, bob, op } = server);
	// Two of them may write, so each has 500 bytes.
	const upload = { data: Buffer.from(''.padEnd(700)).toString('base64') };
	for (const call of [ada, bob]) {
		await requireSuccess(call, 'POST', '/asset/upload', upload);
		await requireRefusal(call, 'POST', '/spawn', {}, 'too_many_calls');
	}
	for (let i = 0; i < 3; i++) await requireSuccess(op, 'POST', '/asset/upload', upload);
});

describe('assets, files and tasks', () => {
	const upload = (bytes: string) => ({ data: Buffer.from(bytes).toString('base64') });

	test('are replaced and deleted by their owner alone, also by name, and a used file name is refused', async () => {
		const { hash } = await requireSuccess(ada, 'POST', '/asset/upload?name=hers.bin', upload('hers'));
		await requireRefusal(bob, 'POST', '/asset/upload?name=hers.bin', upload('his'));
		await requireRefusal(bob, 'DELETE', `/asset/${hash}`);
		await requireSuccess(op, 'POST', '/scene/save', { path: 'models/tree.json' });
		await requireRefusal(bob, 'POST', '/asset/upload?name=models/tree.json', upload('his'));
		const foreign = await requireSuccess(op, 'POST', '/asset/upload', upload('theirs'));
		await requireRefusal(bob, 'DELETE', `/asset/${foreign.hash}`);
		await requireSuccess(ada, 'POST', '/asset/upload?name=hers.bin', upload('newer'));
		await requireSuccess(ada, 'DELETE', `/asset/${hash}`);
	});

	test('of one agent take its own share of the room, also files read as assets', async () => {
		const bytes = (length: number, first: string) => upload(first.padEnd(length));
		const { hash } = await requireSuccess(ada, 'POST', '/asset/upload', bytes(900, 'a'));
		await requireRefusal(ada, 'POST', '/asset/upload', bytes(200, 'b'), 'agent_limit');
		await requireSuccess(bob, 'POST', '/asset/upload', bytes(2000, 'c'));
		await requireSuccess(ada, 'DELETE', `/asset/${hash}`);
		await requireSuccess(ada, 'POST', '/asset/upload', bytes(200, 'b'));
		await requireSuccess(ada, 'POST', '/scene/save', { path: 'a.json' });
		const { bytes: before } = await requireSuccess(ada, 'GET', '/asset/list');
		const texture = { name: 'gold', texture: 'a.json' };
		await requireRefusal(ada, 'POST', '/material/define', texture, 'asset_refused');
		expect((await requireSuccess(ada, 'GET', '/asset/list')).bytes).toBe(before);
	});

	test.each(['/scene/save', '/level/save'])('of an operator are for operators alone: %s', async (path) => {
		await requireSuccess(op, 'POST', path, { path: 'plan.json' });
		await requireRefusal(bob, 'POST', path, { path: 'plan.json' });
		await requireSuccess(op, 'POST', path, { path: 'plan.json' });
	});

	test('of an agent are its own, also in a batch and after an operator wrote them, and are limited', async () => {
		await requireSuccess(ada, 'POST', '/scene/save', { path: 'a.json' });
		await requireSuccess(op, 'POST', '/scene/save', { path: 'a.json' });
		const requests = [{ path: '/scene/save', body: { path: 'a.json' } }];
		await requireRefusal(bob, 'POST', '/batch', { atomic: true, requests });
		await requireSuccess(ada, 'POST', '/scene/save', { path: 'a.json' });
		await requireSuccess(ada, 'POST', '/scene/save', { path: 'b.json' });
		await requireRefusal(ada, 'POST', '/scene/save', { path: 'c.json' }, 'agent_limit');
		expect(await readdir(server.data)).not.toContain('c.json');
	});

	test('a failed write makes the caller no owner', async () => {
		await writeFile(join(server.data, 'no-folder'), '');
		await requireRefusal(ada, 'POST', '/scene/save', { path: 'no-folder/a.json' }, 'file_refused');
		await rm(join(server.data, 'no-folder'));
		await requireSuccess(bob, 'POST', '/scene/save', { path: 'no-folder/a.json' });
	});

	test('are cancelled by their creator', async () => {
		const body = { prompt: 'a small house', provider: 'procedural' };
		for (const [owner, other] of [
			[ada, bob],
			[op, ada],
		] as const) {
			const { task_id } = await requireSuccess(owner, 'POST', '/asset/generate', body);
			await requireRefusal(other, 'DELETE', `/asset/generated/${task_id}`);
		}
	});
});

describe('spawns of ticks', () => {
	const cube = { mesh: 'cube', position: [0, 0, 0], agent_id: 2 };
	const drops = { health: 1, loot: [{ label: 'cube', weight: 1, spawn: cube }] };
	const spawning = { action: 'spawn', ...cube, count: 5 };
	const shooter = {
		...{ combat: true, health: 9, position: [0, 0, 0], team: 1, combat_range: 90, combat_cooldown: 0 },
		combat_projectile: { speed: 0.1, lifetime: 1000 },
	};

	/** Returns the numbers of entities that agents 1 and 2 own, and that the operators own. */
	async function owners(): Promise<number[]> {
		const { entities } = await requireSuccess(op, 'POST', '/observe', {});
		return [1, 2, undefined].map(
			(agent) => (entities as { agent_id?: number }[]).filter(({ agent_id }) => agent_id === agent).length,
		);
	}

	test.each<[string, () => Promise<unknown>]>([
		['a rule', () => requireSuccess(ada, 'POST', '/rule/create', { when: 'tick:1', actions: [spawning] })],
		[
			'a rule that draws, with loot that drops loot',
			async () => {
				const outcomes = ['a', 'b'].map((label) => ({ label, weight: 1, do: [{ ...spawning, ...drops }] }));
				await requireSuccess(ada, 'POST', '/rule/create', { when: 'tick:1', outcomes });
				await requireSuccess(op, 'POST', '/rule/create', { when: 'tick:1', actions: ['damage all:any 5'] });
			},
		],
		[
			'a script, also by timers and bare',
			async () => {
				const source = `engine.every(0.02, function() engine.spawn() end)
					function on_update(e) engine.spawn(); engine.act("spawn cube 0,0,0") end`;
				const { id } = await requireSuccess(ada, 'POST', '/spawn', {});
				await requireSuccess(ada, 'POST', '/script/load', { script_name: 'mind', source, entity_id: id });
			},
		],
		[
			'a script on an entity of the operators',
			async () => {
				const source = 'function on_update(e) engine.spawn() end';
				await requireSuccess(ada, 'POST', '/spawn', {});
				await requireSuccess(ada, 'POST', '/script/load', { script_name: 'mind', source });
				await requireSuccess(op, 'POST', '/spawn', { script: 'mind' });
			},
		],
		[
			'loot',
			async () => {
				for (let i = 0; i < 3; i++) await requireSuccess(ada, 'POST', '/spawn', drops);
				await requireSuccess(op, 'POST', '/rule/create', { when: 'tick:1', actions: ['damage all:any 5'] });
			},
		],
		[
			'a fighter',
			async () => {
				await requireSuccess(ada, 'POST', '/spawn', shooter);
				await requireSuccess(op, 'POST', '/spawn', { health: 1e6, team: 2, position: [50, 0, 0] });
			},
		],
	])('for %s belongs to the owner of its cause, and fills only the share of that', async (_, begin) => {
		await begin();
		const [, , free] = await owners();
		for (let i = 0; i < 4; i++) {
			const { distribution } = await requireSuccess(op, 'POST', '/peek', {});
			await requireSuccess(op, 'POST', '/step', { ticks: 1 });
			const { state_digest } = await requireSuccess(op, 'GET', '/digest');
			expect(JSON.stringify(distribution)).toContain(`"state_digest":"${state_digest}"`);
		}
		expect(await owners()).toEqual([3, 0, free]);
		await requireSuccess(bob, 'POST', '/rule/create', { when: 'tick:1', actions: [spawning] });
		await requireSuccess(op, 'POST', '/step', { ticks: 1 });
		expect(await owners()).toEqual([3, 6, free]);
	});

	test('beyond the share are refused with an event that says why', async () => {
		await requireSuccess(ada, 'POST', '/rule/create', { when: 'tick:1', actions: [spawning] });
		const { events } = await requireSuccess(op, 'POST', '/step', { ticks: 1, events: ['action_failed'] });
		expect(events).toMatchObject([1, 2, 3].map(() => ({ reason: 'agent_limit' })));
	});

	test('keep their owner: no rule and no script changes it', async () => {
		const give = { when: 'tick:1', actions: ['set_field all:any agent_id 2'] };
		await requireRefusal(ada, 'POST', '/rule/create', give, 'invalid_rule');
		const source = 'function on_update(e) engine.set(e, "agent_id", 2) end';
		const { id } = await requireSuccess(ada, 'POST', '/spawn', {});
		await requireSuccess(ada, 'POST', '/script/load', { script_name: 'mind', source, entity_id: id });
		await requireSuccess(op, 'POST', '/step', { ticks: 1 });
		expect(await owners()).toEqual([1, 0, 0]);
	});

	test('have a share of the ground too, and so have calls', async () => {
		const ground = { width: 513, height: 513 };
		await requireSuccess(ada, 'POST', '/terrain/create', ground);
		await requireRefusal(ada, 'POST', '/terrain/create', { width: 2, height: 2 }, 'agent_limit');
		const flat = { width: 2, height: 2, cell_size: 1, chunks: [{ heights: '', paint: '' }] };
		const small = { action: 'spawn', mesh: 'cube', position: [0, 0, 0], terrain: flat };
		await requireSuccess(ada, 'POST', '/rule/create', { when: 'tick:1', actions: [small] });
		await requireSuccess(op, 'POST', '/step', { ticks: 1 });
		expect(await owners()).toEqual([2, 0, 0]);
		await requireSuccess(bob, 'POST', '/terrain/create', ground);
	});
});
