/** The table of collider shapes: every shape works in physics, documents, assets and saves. */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Collider } from '../../../../shared/components/collider.ts';
import type { Geometry } from '../../../../shared/media/collider-geometry.ts';
import { columnsOf, POINT_SHAPES, SIZED_SHAPES } from '../../../../shared/media/collider-shapes.ts';
import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { createEngine, type EngineSettings } from '../../../../web/host/engine.ts';
import { memoryFiles } from '../../../../web/host/memory-files.ts';
import { clone, dispose } from '../../../../web/sim/core/clone.ts';
import { get, read } from '../../../../web/sim/core/world.ts';
import { geometryOf } from '../../../../web/sim/physics/geometry.ts';
import { caller, startEngine } from '../../../support/engine.ts';

describe.each(SIZED_SHAPES.map((shape) => [shape.name, shape] as const))('%s', (name, shape) => {
	const keys = Object.keys(shape.sizes);
	const document = { shape: name, ...Object.fromEntries(keys.map((key, i) => [key, 0.25 + i / 8])) };

	test('rests on a floor at the height of its extent', async () => {
		const { engine, must } = await startEngine();
		const floor = { shape: 'Aabb', hx: 20, hy: 0.5, hz: 20 };
		await must('POST', '/spawn', { physics_body: 'Static', collider: floor, position: [0, -0.5, 0] });
		const [, half] = shape.extent(columnsOf(document).size);
		const at = { position: [0, half + 0.05, 0] };
		const { id } = await must('POST', '/spawn', { ...at, physics_body: 'Dynamic', collider: document });
		await must('POST', '/step', { ticks: 30 });
		const entity = (await must('GET', `/entities/${id}`)) as unknown as {
			collider: unknown;
			local_transform: { position: number[] };
		};
		expect(entity.collider).toEqual(document);
		expect(entity.local_transform.position[1]).toBeCloseTo(half, 1);
		engine.close();
	});

	test('is unchanged by a scenario and by an exact save', async () => {
		const { engine, must } = await startEngine();
		await must('POST', '/spawn', { physics_body: 'Dynamic', collider: document, position: [0, 3, 0] });
		await must('POST', '/step', { ticks: 3 });
		const before = (await must('GET', '/digest')).state_digest;
		for (const exact of [true, false]) {
			const { ok: _, ...scenario } = await must('GET', `/scenario?exact=${exact}`);
			await must('POST', '/scenario', scenario);
			if (exact) expect((await must('GET', '/digest')).state_digest).toBe(before);
			const { entities } = (await must('POST', '/observe', {})) as { entities: { collider: unknown }[] };
			expect(entities[0]!.collider).toEqual(document);
		}
		engine.close();
	});

	test('is accepted under each of its names, in any case, and refused with sizes beyond the limits', async () => {
		const { engine, must, call } = await startEngine();
		for (const word of [name, ...shape.aliases].flatMap((alias) => [
			alias,
			alias.toLowerCase(),
			alias.toUpperCase(),
		])) {
			const { id } = await must('POST', '/spawn', { collider: { ...document, shape: word } });
			expect((await must('GET', `/entities/${id}`)).collider).toEqual(document);
		}
		for (const key of keys)
			for (const value of [0, -1, 1e-4, 1e20]) {
				const { body } = await call('POST', '/spawn', { collider: { ...document, [key]: value } });
				expect(body).toMatchObject({ ok: false, code: 'invalid_body' });
			}
		engine.close();
	});
});

test('an Aabb is a box that rotates with its entity', async () => {
	const { engine, must } = await startEngine();
	const spin = { linear: [0, 0, 0], angular: [0, 0, 3] };
	const body = { physics_body: 'Dynamic', velocity: spin, position: [0, 50, 0] };
	const { id } = await must('POST', '/spawn', { ...body, collider: { shape: 'Box', hx: 1, hy: 0.1, hz: 1 } });
	await must('POST', '/step', { ticks: 30 });
	const { local_transform } = (await must('GET', `/entities/${id}`)) as unknown as {
		local_transform: { rotation: number[] };
	};
	expect(Math.abs(local_transform.rotation[2]!)).toBeGreaterThan(0.5);
	const schema = JSON.stringify(await must('GET', '/schema?definition=Collider'));
	expect(schema).toContain('it rotates with its entity');
	engine.close();
});

/** Corners of a box of 2 x 1 x 2 m. */
const corners = [-1, 1].flatMap((x) => [-0.5, 0.5].flatMap((y) => [-1, 1].map((z) => [x, y, z])));
/** Shapes with points, each with its top at 0.5 m: the box, a floor of two triangles, and one of heights. */
const POINT_COLLIDERS = {
	ConvexHull: { points: corners },
	TriMesh: {
		points: [
			[-5, 0.5, -5],
			[5, 0.5, -5],
			[5, 0.5, 5],
			[-5, 0.5, 5],
		],
		triangles: [
			[0, 2, 1],
			[0, 3, 2],
		],
	},
	HeightField: { heights: [0, 1, 2].map(() => [0.5, 0.5, 0.5, 0.5]), size: [10, 8] },
} as const;
const names = Object.keys(POINT_COLLIDERS) as (keyof typeof POINT_COLLIDERS)[];

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const ball = {
	physics_body: 'Dynamic',
	collider: { shape: 'Sphere', radius: 0.25 },
	position: [0.3, 1, 0.2],
};

interface EntityBody {
	readonly collider: unknown;
	readonly local_transform: { readonly position: readonly number[] };
}

describe.each(names)('%s', (shape) => {
	const inline = { shape, ...POINT_COLLIDERS[shape] };
	const bytes = bytesOf(POINT_COLLIDERS[shape]);
	const asset = { shape, asset: hashOf(bytes) };
	const withAsset = async (settings: EngineSettings = {}) => {
		const started = await startEngine(settings);
		await started.must('POST', '/asset/upload', { data: Buffer.from(bytes).toString('base64') });
		return started;
	};

	test.each([
		['points in the request', inline],
		['points in an asset', asset],
	])('carries a ball in a fork and after scenarios, exact or not (%s)', async (_, collider) => {
		const { engine, must } = await withAsset();
		await must('POST', '/spawn', { physics_body: 'Static', collider });
		const { id } = await must('POST', '/spawn', ball);
		await must('POST', '/fork', { fork_id: 'f' });
		const { state_digest: after } = await must('POST', '/step', { ticks: 60 });
		expect((await must('POST', '/step?world=f', { ticks: 60 })).state_digest).toBe(after);
		const resting = (await must('GET', `/entities/${id}`)) as unknown as EntityBody;
		expect(resting.local_transform.position[1]).toBeCloseTo(0.75, 1);
		expect(((await must('GET', '/entities/0')) as unknown as EntityBody).collider).toEqual(collider);
		for (const query of ['', '?exact=false', '?exact=false&unset=false']) {
			const scenario = await must('GET', `/scenario${query}`);
			expect(await must('POST', '/scenario?world=f', scenario)).not.toHaveProperty('warnings');
			expect(await must('GET', `/scenario${query}${query === '' ? '?' : '&'}world=f`)).toEqual(scenario);
			if (query === '') expect((await must('GET', '/digest?world=f')).state_digest).toBe(after);
			await must('POST', '/step?world=f', { ticks: 30 });
			const still = (await must('GET', `/entities/${id}?world=f`)) as unknown as EntityBody;
			expect(still.local_transform.position[1]).toBeCloseTo(0.75, 1);
		}
		engine.close();
	});

	test('with other points changes its shape immediately, and the digest', async () => {
		const { engine, must } = await startEngine();
		await must('POST', '/spawn', { physics_body: 'Static', collider: inline });
		const { id } = await must('POST', '/spawn', ball);
		const before = (await must('POST', '/step', { ticks: 60 })).state_digest;
		const text = JSON.stringify(inline).replaceAll('0.5', '0.125');
		await must('POST', '/entities/0/components', { collider: JSON.parse(text) });
		expect((await must('GET', '/digest')).state_digest).not.toBe(before);
		await must('POST', '/step', { ticks: 60 });
		const lower = (await must('GET', `/entities/${id}`)) as unknown as EntityBody;
		expect(lower.local_transform.position[1]).toBeCloseTo(0.375, 1);
		await must('POST', '/entities/0/components', { remove: ['collider'] });
		await must('POST', '/step', { ticks: 60 });
		const fallen = (await must('GET', `/entities/${id}`)) as unknown as EntityBody;
		expect(fallen.local_transform.position[1]).toBeLessThan(-2);
		engine.close();
	});

	test('shares its points with every fork, and is saved by hash if they are an asset', async () => {
		const { engine, must } = await withAsset();
		await must('POST', '/spawn', { physics_body: 'Static', collider: inline });
		const { world } = engine.worlds.main;
		const copy = clone(world);
		expect(read(copy, Collider, 'geometry')[0]).toBe(read(world, Collider, 'geometry')[0]);
		dispose(copy);
		await must('POST', '/entities/0/components', { collider: asset });
		expect(read(world, Collider, 'geometry')[0]).toEqual({ asset: asset.asset });
		expect(JSON.stringify(await must('GET', '/scenario?exact=false'))).not.toContain('points":[[');
		engine.close();
	});

	test('requires an asset with valid points, which cannot be deleted while a world uses it', async () => {
		const { engine, must, call } = await startEngine();
		const body = { physics_body: 'Static', collider: asset };
		expect((await call('POST', '/spawn', body)).body).toMatchObject({ ok: false, code: 'asset_missing' });
		for (const wrong of ['no json', '{}', '{"points":[[0,0,0]],"triangles":[[0,1,2]],"heights":[[1]]}']) {
			const { hash } = await must('POST', '/asset/upload', { data: Buffer.from(wrong).toString('base64') });
			const refused = await call('POST', '/spawn', { ...body, collider: { shape, asset: hash } });
			expect(refused.body, wrong).toMatchObject({ ok: false, code: 'asset_refused' });
		}
		expect((await must('GET', '/')).entity_count).toBe(0);
		await must('POST', '/asset/upload', { data: Buffer.from(bytes).toString('base64') });
		await must('POST', '/spawn', body);
		const scenario = await must('GET', '/scenario');
		await must('POST', '/fork', { fork_id: 'f' });
		await must('POST', '/snapshot?world=f', { label: 's' });
		const deleteAsset = () => call('DELETE', `/asset/${asset.asset}`);
		expect((await deleteAsset()).body).toMatchObject({ ok: false, code: 'asset_in_use' });
		await must('POST', '/despawn', { entity_id: 0 });
		expect((await deleteAsset()).body).toMatchObject({ ok: false, code: 'asset_in_use' });
		await must('POST', '/despawn?world=f', { entity_id: 0 });
		expect((await deleteAsset()).body).toMatchObject({ ok: false, code: 'asset_in_use' });
		await must('DELETE', '/fork/f');
		expect((await deleteAsset()).body).toMatchObject({ ok: true });
		const before = (await must('GET', '/digest')).state_digest;
		expect((await call('POST', '/scenario', scenario)).body).toMatchObject({
			ok: false,
			error: expect.stringContaining(asset.asset),
			fix: expect.stringContaining('/asset/upload'),
		});
		expect((await must('GET', '/digest')).state_digest).toBe(before);
		engine.close();
	});

	test.each([
		['a template', '/template/create', { name: 't', collider: asset, physics_body: 'Static' }],
		['a prefab', '/prefab/register', { name: 'p', collider: asset, physics_body: 'Static' }],
		[
			'a rule',
			'/rule/create',
			{
				when: { kind: 'tick', every: 1 },
				do: [{ action: 'spawn', mesh: 'cube', collider: asset, physics_body: 'Static', position: [0, 0, 0] }],
			},
		],
	])('has an asset that cannot be deleted while %s of any world uses it', async (_, path, body) => {
		const { must, call, engine } = await withAsset();
		await must('POST', '/fork', { fork_id: 'f' });
		await must('POST', `${path}?world=f`, body);
		const deleteAsset = () => call('DELETE', `/asset/${asset.asset}`);
		expect((await deleteAsset()).body).toMatchObject({ ok: false, code: 'asset_in_use' });
		await must('POST', '/snapshot?world=f', { label: 's' });
		await must('POST', '/reset?world=f', { fresh: true });
		await must('DELETE', '/fork/f');
		expect((await deleteAsset()).body).toMatchObject({ ok: true });
		engine.close();
	});

	test.each(['request', 'asset'])('has 0 for -0 in the %s', async (where) => {
		const text = JSON.stringify(POINT_COLLIDERS[shape]).replace(/\d[.\d]*/, '0');
		const negative = new TextEncoder().encode(text.replace(/-?0\b/, '-0.0'));
		const { must, engine } = await startEngine();
		const { world } = engine.worlds.main;
		const points = JSON.parse(new TextDecoder().decode(negative)) as Geometry;
		const storedGeometry = async (): Promise<Geometry> => {
			if (where === 'request') {
				// As bytes: JSON.stringify would write 0.
				const rest = new TextDecoder().decode(negative).slice(1);
				const body = `{"physics_body":"Static","collider":{"shape":"${shape}",${rest}}`;
				await must('POST', '/spawn', new TextEncoder().encode(body));
				return get(world, 0, Collider)!.geometry!;
			}
			await must('POST', '/asset/upload', { data: Buffer.from(negative).toString('base64') });
			await must('POST', '/spawn', {
				physics_body: 'Static',
				collider: { shape, asset: hashOf(negative) },
			});
			return get(world, 0, Collider)!.geometry!;
		};
		const numbers = [points.points ?? [], points.heights ?? []].flat(2);
		expect(numbers.some((candidate) => Object.is(candidate, -0))).toBe(true);
		const { points: corners } = geometryOf(
			world.assets,
			POINT_SHAPES.find(({ name }) => name === shape)!,
			await storedGeometry(),
		);
		expect([...corners].some((candidate) => Object.is(candidate, -0))).toBe(false);
		engine.close();
	});

	test.each([
		['scene', { path: 'saved.json' }],
		['level', { path: 'saved.json' }],
	])('is restored from a saved %s in an engine without the asset', async (kind, file) => {
		const files = memoryFiles();
		const first = await startEngine({ files });
		await first.must('POST', '/asset/upload', { data: Buffer.from(bytes).toString('base64') });
		const collided = { physics_body: 'Static', collider: asset };
		const save = async () => {
			await first.must('POST', `/${kind}/save`, file);
			const { engine, must, call } = await startEngine({ files });
			expect((await must('GET', '/asset/list')).assets).toEqual([]);
			return { engine, must, call };
		};
		await first.must('POST', '/template/create', { name: 't', ...collided });
		for (const entities of [0, 1]) {
			if (entities === 1) await first.must('POST', '/spawn', collided);
			const { engine, must, call } = await save();
			expect(await must('POST', `/${kind}/load`, file)).not.toHaveProperty('warnings');
			expect((await must('POST', '/template/spawn', { name: 't' })).ok).toBe(true);
			expect((await must('GET', '/')).entity_count).toBe(entities + 1);
			expect((await call('DELETE', `/asset/${asset.asset}`)).body.code).toBe('asset_in_use');
			engine.close();
		}
		const { engine, call } = await save();
		await files.write(`assets/${asset.asset}`, bytesOf('others'));
		expect((await call('POST', `/${kind}/load`, file)).body).toMatchObject({
			ok: false,
			code: 'file_failed',
		});
		engine.close();
		first.engine.close();
	});

	test('is kept when another engine takes over the worlds', async () => {
		const memory = new JournalMemory();
		const { engine, must } = await withAsset({ journal: new MemoryJournal(memory) });
		await must('POST', '/spawn', { physics_body: 'Static', collider: asset });
		await must('POST', '/spawn', ball);
		await must('POST', '/step', { ticks: 5 });
		const { state_digest } = await must('POST', '/step', { ticks: 50 });
		await engine.release();
		const heir = await createEngine({ journal: new MemoryJournal(memory) });
		expect((await caller(heir.handle)('GET', '/digest')).body.state_digest).toBe(state_digest);
		heir.close();
	});
});

test('a moving body with a surface is refused in every request that could make one', async () => {
	const { engine, must, call } = await startEngine();
	for (const shape of ['TriMesh', 'HeightField'] as const) {
		const collider = { shape, ...POINT_COLLIDERS[shape] };
		for (const physics_body of ['Dynamic', 'Kinematic']) {
			const { body } = await call('POST', '/spawn', { physics_body, collider });
			expect(body).toMatchObject({
				ok: false,
				code: 'static_only',
				fix: expect.stringContaining('ConvexHull'),
			});
			const { id } = await must('POST', '/spawn', { physics_body: 'Static', collider });
			const changed = await call('POST', `/entities/${id}/components`, { physics_body });
			expect(changed.body).toMatchObject({ ok: false, code: 'static_only' });
			const { id: mover } = await must('POST', '/spawn', { physics_body });
			const given = await call('POST', `/entities/${mover}/components`, { collider });
			expect(given.body).toMatchObject({ ok: false, code: 'static_only' });
			await must('POST', `/entities/${mover}/components`, { collider, remove: ['physics_body'] });
			const entry = {
				physics_body: 'Static',
				collider,
				components: { physics_body: { kind: physics_body } },
			};
			const scenario = await call('POST', '/scenario?world=main', { entities: [entry] });
			expect(scenario.body).toMatchObject({ ok: false, error: expect.stringContaining('entities[0]') });
		}
	}
	engine.close();
});

test('invalid points are refused with the reason', async () => {
	const { engine, call } = await startEngine();
	const flat = corners.map(([x, , z]) => [x, 0, z]);
	for (const [collider, expectedError] of [
		[{ shape: 'ConvexHull', points: flat }, 'plane'],
		[{ shape: 'ConvexHull', points: corners.slice(0, 3) }, '4'],
		[{ shape: 'ConvexHull' }, 'asset'],
		[{ shape: 'ConvexHull', points: corners, asset: 'a'.repeat(64) }, 'asset'],
		[{ shape: 'Hull', asset: 'fox.json' }, '64 hexadecimal'],
		[{ shape: 'TriMesh', points: corners, triangles: [[0, 1, 8]] }, 'corner'],
		[{ shape: 'TriMesh', points: corners }, 'triangles'],
		[{ shape: 'HeightField', heights: [[0, 1], [0]], size: [1, 1] }, ''],
		[
			{
				shape: 'HeightField',
				heights: [
					[0, 1],
					[0, 1, 2],
				],
				size: [1, 1],
			},
			'same length',
		],
		[{ shape: 'Sphere', radius: 1, points: corners }, 'points'],
		[{ shape: 'ConvexHull', points: Array.from({ length: 257 }, (_, i) => [i, i * i, 1]) }, '256'],
	] as const) {
		const { body } = await call('POST', '/spawn', { physics_body: 'Static', collider });
		expect(body, JSON.stringify(collider).slice(0, 80)).toMatchObject({
			ok: false,
			code: 'invalid_body',
			error: expect.stringContaining(expectedError),
		});
	}
	engine.close();
});

test('bodies above a HeightField do not count as overlapping it', async () => {
	const { engine, must } = await startEngine();
	const heights = [0, 1, 2].map((row) => [row, 30, row]);
	await must('POST', '/spawn', {
		physics_body: 'Static',
		collider: { shape: 'HeightField', heights, size: [400, 400] },
	});
	const grid = Array.from({ length: 400 }, (_, i) => ({
		...ball,
		position: [(i % 20) * 2 - 150, 20, Math.floor(i / 20) * 2 - 150],
	}));
	await must('POST', '/batch', { atomic: true, requests: grid.map((body) => ({ path: '/spawn', body })) });
	await must('POST', '/step', { ticks: 2 });
	engine.close();
});

test('a fork with a HeightField has the same future digest as main', async () => {
	const engine = await startEngine();
	const height = (i: number, j: number) => (((i * 37 + j * 101) % 17) - 8) / 4;
	const heights = Array.from({ length: 12 }, (_, i) => Array.from({ length: 10 }, (_, j) => height(i, j)));
	await engine.spawn({
		position: [0.875, -1, 1.5],
		physics_body: 'Static',
		collider: { shape: 'HeightField', heights, size: [19.5, 6.5] },
	});
	for (let i = 0; i < 6; i++)
		await engine.spawn({
			position: [i * 2 - 5, 1.25, (i % 3) - 1],
			physics_body: 'Dynamic',
			collider: { shape: 'Cylinder', radius: 0.4, half_height: 0.5 },
		});
	for (let round = 0; round < 6; round++) {
		await engine.must('POST', '/fork', { fork_id: 'f' });
		await engine.step(20);
		await engine.must('POST', '/fork/f/step', { ticks: 20 });
		const [main, fork] = [
			await engine.get('/digest?future=true'),
			await engine.get('/digest?future=true&world=f'),
		];
		expect(fork.future_digest).toBe(main.future_digest);
		await engine.remove('/fork/f');
	}
	engine.engine.close();
});
