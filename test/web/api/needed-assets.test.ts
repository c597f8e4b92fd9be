/** An exact document is taken only where every asset is that its world will need: wherever in the world the asset is named. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Json, startEngine, type TestEngine } from '../../support/engine.ts';
import { PIXEL } from '../../support/pixel.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

const HULL = Buffer.from(
	JSON.stringify({
		points: [
			[0, 0, 0],
			[1, 0, 0],
			[0, 1, 0],
			[0, 0, 1],
		],
	}),
).toString('base64');

const loot = (spawn: object) => [{ label: 'x', weight: 1, spawn }];
const cube = { mesh: 'cube', position: [0, 2, 0] };
const onTick = (action: object) => ['/rule/create', { when: 'tick:2', do: [{ action: 'spawn', ...action }] }];

/** A call that makes a world name an asset; `hull` names the points of a collider, `picture` a texture. */
const PLACES: Readonly<Record<string, (hull: object, picture: string) => readonly unknown[]>> = {
	'an entity': (hull) => ['/spawn', { ...cube, ...hull }],
	'the spawn of a rule': (hull) => onTick({ ...cube, ...hull }),
	'the texture of what a rule spawns': (_, texture) => onTick({ ...cube, material: { texture } }),
	'the loot of an entity': (hull) => ['/spawn', { health: 1, loot: loot({ ...cube, ...hull }) }],
	'the loot of what a rule spawns': (hull) => onTick({ ...cube, health: 1, loot: loot(hull) }),
	'a template': (hull) => ['/template/create', { name: 'q', ...cube, ...hull }],
	'a prefab': (hull) => ['/prefab/register', { name: 'q', ...cube, ...hull }],
	'a named material': (_, texture) => ['/material/define', { name: 'm', texture }],
};

/** Makes a world that names an asset at a place; the asset's hash. */
async function nameAt(place: string): Promise<string> {
	const { must } = started;
	const { hash: hull } = await must('POST', '/asset/upload', { data: HULL });
	const { hash: picture } = await must('POST', '/asset/upload', { data: PIXEL });
	const body = { physics_body: 'Dynamic', collider: { shape: 'ConvexHull', asset: hull } };
	const [path, sent] = PLACES[place]!(body, picture as string);
	await must('POST', path as string, sent);
	return (JSON.stringify(sent).includes(picture as string) ? picture : hull) as string;
}

/** Makes the world empty, and the assets go. */
async function forget(): Promise<void> {
	const { must } = started;
	await must('POST', '/reset', { fresh: true });
	for (const { hash } of (await must('GET', '/asset/list')).assets as Json[])
		await must('DELETE', `/asset/${hash}`);
}

const future = () => started.get('/digest').then((answer: Json) => answer.future_digest);

test.for(Object.keys(PLACES))('an asset named by %s is needed', async (place) => {
	const { must, post } = started;
	const hash = await nameAt(place);
	expect(await started.remove(`/asset/${hash}`)).toMatchObject({ code: 'asset_in_use' });
	const scenario = await must('GET', '/scenario?exact=true');
	expect((scenario.exact as Json).assets).toEqual([hash]);
	await must('POST', '/scene/save', { path: 'there.json' });
	const before = await future();
	await forget();
	const empty = await future();

	const refused = await post('/scenario', scenario);
	expect(refused).toMatchObject({ ok: false, code: 'invalid_scenario' });
	expect(refused.fix + refused.error).toContain(hash);
	expect(refused.fix).toContain('POST /asset/upload');
	await post('/fork', { fork_id: 'f' });
	expect(await post('/fork/f/scenario', scenario)).toMatchObject({ ok: false, code: 'invalid_scenario' });
	await started.remove('/fork/f');
	expect(await future()).toBe(empty);

	// The saved file brings its assets along.
	expect(await must('POST', '/scene/load', { path: 'there.json' })).toMatchObject({ exact: true });
	expect(await future()).toBe(before);
	await must('POST', '/reset', { fresh: true });
	expect(await must('POST', '/scenario', scenario)).toMatchObject({ exact: true });
	expect(await future()).toBe(before);
});

test('an asset that did not exist when the world was written is not needed', async () => {
	const { must } = started;
	const picture = 'ab'.repeat(32);
	const { warnings } = await must('POST', '/rule/create', {
		when: 'tick:2',
		do: [{ action: 'spawn', ...cube, material: { texture: picture } }],
	});
	expect(warnings).toEqual([expect.stringContaining(picture)]);
	const before = await future();
	const scenario = await must('GET', '/scenario?exact=true');
	expect((scenario.exact as Json).assets).toEqual([]);
	await must('POST', '/reset', { fresh: true });
	expect(await must('POST', '/scenario', scenario)).toMatchObject({ exact: true });
	expect(await future()).toBe(before);
});
