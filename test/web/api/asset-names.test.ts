/** A texture is sent by whichever name it has here, and kept by its hash: in everything that can name one. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Json, startEngine, type TestEngine } from '../../support/engine.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';
import { PIXEL } from '../../support/pixel.ts';

let started: TestEngine;
let folder: ReturnType<typeof createMemoryFiles>;
beforeEach(async () => {
	folder = createMemoryFiles();
	started = await startEngine({ files: folder.files });
});
afterEach(() => started.engine.close());

const loot = (spawn: object) => [{ label: 'x', weight: 1, spawn }];
const act = (spawn: object) => ({ action: 'spawn', position: [0, 0, 0], ...spawn });
const rule = (spawn: object) => ({ when: 'tick:9', do: ['score all:any 1', act(spawn)] });
const prefabs = (document: object) => ({ prefabs: { p: { summary: '', document } } });

const entities = [{ health: 1 }];

type AssetPlace = readonly [path: string, body: (texture: string) => object];
const cube = (texture: string) => ({ mesh: 'cube', material: { texture } });
const dying = (texture: string) => ({ mesh: 'cube', health: 1, loot: loot(cube(texture)) });

const PLACES: Readonly<Record<string, AssetPlace>> = {
	'an entity': ['/spawn', cube],
	'a change of an entity': ['/entities/0/components', cube],
	loot: ['/spawn', dying],
	'a template': ['/template/create', (texture) => ({ name: 't', ...cube(texture) })],
	'what is laid over a template': [
		'/template/spawn',
		(texture) => ({ name: 'plain', overrides: dying(texture) }),
	],
	'a prefab': ['/prefab/register', (texture) => ({ name: 'p', ...dying(texture) })],
	'what is laid over a prefab': ['/prefab/spawn', (texture) => ({ name: 'crate', overrides: cube(texture) })],
	'a rule': ['/rule/create', (texture) => rule(cube(texture))],
	'an outcome of a rule': [
		'/rule/create',
		(texture) => ({ when: 'tick:9', outcomes: [{ label: 'a', weight: 1, do: [act(dying(texture))] }] }),
	],
	'a material of an entity': ['/material/set', (texture) => ({ entity_id: 0, texture })],
	'a named material': ['/material/define', (texture) => ({ name: 'm', texture })],
	...Object.fromEntries(
		(
			[
				['entities', (texture) => ({ entities: [dying(texture)] })],
				[
					'a reference to a template',
					(texture) => ({ entities: [{ template: 'plain', overrides: cube(texture) }] }),
				],
				['templates', (texture) => ({ entities, templates: { t: cube(texture) } })],
				['rules', (texture) => ({ rules: [rule(dying(texture))] })],
				['prefabs', (texture) => ({ entities, resources: prefabs(cube(texture)) })],
				['materials', (texture) => ({ entities, resources: { materials: { m: { texture } } } })],
			] as const satisfies readonly (readonly [string, (texture: string) => object])[]
		).flatMap(([what, document]): [string, AssetPlace][] => [
			[`${what} of a scenario`, ['/scenario', document]],
			[`${what} of a level`, ['/level/load', (texture) => ({ level: document(texture) })]],
		]),
	),
};

const everything = (): Promise<Json> => started.must('GET', '/scenario?exact=false');

test.for(Object.keys(PLACES))('%s', async (place) => {
	const { must, post, spawn, bytes } = started;
	const [path, body] = PLACES[place]!;
	await spawn({ health: 1 });
	await must('POST', '/template/create', { name: 'plain', mesh: 'cube' });
	const before = bytes();
	const unknown = await post(path, body('nowhere.png'));
	expect(unknown).toMatchObject({ ok: false, code: 'asset_missing', fix: expect.any(String) });
	expect(unknown.message).toContain('nowhere.png');
	expect(bytes()).toBe(before);

	const { hash } = await must('POST', '/asset/upload?name=t.png', { data: PIXEL });
	expect((await must('POST', path, body('t.png'))).warnings).toBeUndefined();
	const document = JSON.stringify(await everything());
	expect(document).toContain(hash);
	expect(document).not.toContain('t.png');
});

test('a path in the data folder is a name too, also in a level that is a file', async () => {
	const { must, post } = started;
	folder.bytesByPath.set('pictures/t.png', Buffer.from(PIXEL, 'base64'));
	folder.bytesByPath.set('notes.txt', Buffer.from('no picture'));
	folder.writeJson('level.json', {
		templates: { t: cube('pictures/t.png') },
		rules: [rule(cube('pictures/t.png'))],
	});
	await must('POST', '/level/load', { path: 'level.json' });
	const [{ hash }] = (await must('GET', '/asset/list')).assets as [Json];
	const { templates, rules } = await everything();
	expect(JSON.stringify(templates)).toContain(hash);
	expect(JSON.stringify(rules)).toContain(hash);
	expect(await post('/template/create', { name: 'n', ...cube('notes.txt') })).toMatchObject({
		code: 'asset_refused',
	});
});

test('an import refuses or warns of a picture that does not exist there', async () => {
	const { must, post } = started;
	const { hash } = await must('POST', '/asset/upload?name=t.png', { data: PIXEL });
	await must('POST', '/spawn', dying('t.png'));
	await must('POST', '/template/create', { name: 't', ...cube('t.png') });
	await must('POST', '/prefab/register', { name: 'p', ...cube('t.png') });
	await must('POST', '/material/define', { name: 'm', texture: 't.png' });
	await must('POST', '/rule/create', rule(cube('t.png')));
	const scenario = await everything();
	await must('POST', '/reset', { fresh: true });
	await must('DELETE', `/asset/${hash}`);
	const warned = [
		'entities[0]: loot[0].spawn',
		'templates.t',
		'resources.prefabs.p',
		'resources.materials.m',
		'rules[0].do[1]',
	].map((place) => expect.stringMatching(new RegExp(`^${place.replace(/[[\].]/g, '\\$&')}: .*${hash}`)));
	expect((await must('POST', '/scenario', scenario)).warnings).toEqual(warned);
	await must('POST', '/reset', { fresh: true });
	const { version, entities, templates, rules, resources } = scenario;
	const level = { version, entities, templates, rules, resources };
	expect((await must('POST', '/level/load', { level })).warnings).toEqual(warned);
	const exact = { components: { material: { name: null, values: { texture: hash } } } };
	for (const entry of [cube(hash as string), exact])
		expect(await post('/scenario', { entities: [entry] })).toMatchObject({
			ok: false,
			code: 'invalid_scenario',
			message: expect.stringContaining(hash as string),
		});
});
