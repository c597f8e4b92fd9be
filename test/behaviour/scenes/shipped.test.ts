/** Shipped files: misspelt names get a suggestion, and a scene opens by its name. */

import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SHIPPED } from '../../../shared/documents/shipped.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';
import { PUBLIC, readPublic } from '../../support/public-files.ts';

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine({ readPublic, files: createMemoryFiles().files });
});
afterEach(() => engine.engine.close());

test('all files of the folder are listed, and no others', () => {
	for (const [folder, { ending, names }] of Object.entries(SHIPPED))
		expect(readdirSync(`${PUBLIC}${folder}`).sort(), folder).toEqual(
			names.map((name) => `${name}.${ending}`).sort(),
		);
});

test.each([
	['/audio/play', { path: 'coin.mp3' }, 'Did you mean "sounds/coin.wav"?'],
	['/audio/play', { path: 'sounds/coins.wav' }, 'Did you mean "sounds/coin.wav"?'],
	['/animation/load', { path: 'assets/models/knigth.glb' }, 'Did you mean "models/knight.glb"?'],
	['/animation/load', { path: 'dragon.gltf' }, 'Did you mean "models/dragon.glb"?'],
	['/scene/load', { path: 'arena.json' }, 'POST /scene/open {"name":"arena"}'],
	['/level/load', { path: 'public/scenes/vilage.json' }, 'POST /scene/open {"name":"village"}'],
	['/scene/open', { name: 'dungeons' }, 'Did you mean "dungeon"?'],
	['/scene/open', { name: 'nothing like it' }, 'Use one of: arena, dungeon, market'],
])('%s %j has a fix with the right name', async (path, body, fix) => {
	const answer = await engine.post(path, body);
	expect(['asset_missing', 'file_missing']).toContain(answer.code);
	expect(answer.fix).toContain(fix);
});

test('a scene opens by its name, and equals a new world with its scenario', async () => {
	await engine.spawn({ health: 5 });
	await engine.step(3);
	const opened = await engine.must('POST', '/scene/open', { name: 'Arena' });
	expect(opened).toMatchObject({ name: 'arena', tick: 0 });
	const { entities } = await engine.must('POST', '/observe', { filter: 'role:hero | component:player' });
	const ids = (list: unknown) => (list as { id: number }[]).map(({ id }) => id);
	expect(ids(opened.heroes)).toEqual(ids(entities));
	expect(ids(opened.heroes).length).toBeGreaterThan(0);
	const bytes = await readPublic('scenes/arena.json');
	await engine.must('POST', '/fork', { fork_id: 'f' });
	await engine.must('POST', '/reset?world=f', { fresh: true });
	await engine.must('POST', '/scenario?world=f', JSON.parse(new TextDecoder().decode(bytes!)));
	expect(await engine.digest('f')).toBe(opened.state_digest);
	expect(await engine.future(20, 'f')).toEqual(await engine.future(20));
});
