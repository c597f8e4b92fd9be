/**
 * The worlds on the start page: on a real engine in this process.
 * Owns: the cases of scenes-state.ts and of the list that the build makes.
 */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSceneCards } from '../../../../relay/build/scene-list.ts';
import { createScenes, type Scenes } from '../../../../web/ui/start/scenes-state.ts';
import { createWorlds, type Worlds } from '../../../../web/ui/worlds/worlds-state.ts';
import { startEngine, type TestEngine } from '../../../support/engine.ts';
import { startPanels, type TestPanels } from '../../../support/panels.ts';

const PUBLIC = join(import.meta.dirname, '../../../../public');
const sceneFile = async (name: string): Promise<unknown> =>
	JSON.parse(await readFile(join(PUBLIC, 'scenes', `${name}.json`), 'utf8'));

let panels: TestPanels;
let started: TestEngine;
let worlds: Worlds;
let scenes: Scenes;
let documents: (name: string) => Promise<unknown>;

beforeEach(async () => {
	panels = await startPanels();
	started = panels.started;
	documents = sceneFile;
	worlds = createWorlds(panels.services, panels.places);
	scenes = createScenes(panels.services, panels.places, worlds, (name) => documents(name));
});
afterEach(() => {
	worlds.stop();
	started.engine.close();
});

const forks = async () => (await started.must('GET', '/fork/list')).forks;

it('every scene has a title, words and a picture', async () => {
	const cards = await readSceneCards(join(PUBLIC, 'scenes'));
	expect(cards.map(({ name }) => name)).toEqual(['arena', 'dungeon', 'market', 'towers']);
	for (const { name, title, words, entities, rules } of cards) {
		expect(title.toLowerCase()).toBe(name);
		expect(words).not.toBe('');
		expect(Math.min(entities, rules)).toBeGreaterThan(0);
		expect(existsSync(join(PUBLIC, 'pictures/scenes', `${name}.png`)), `a picture of ${name}`).toBe(true);
	}
});

it('opens in an empty world as `--scene` does, and shows it', async () => {
	await scenes.open('dungeon');
	const other = await startEngine();
	await other.must('POST', '/scenario', await sceneFile('dungeon'));
	const digestOf = async (engine: TestEngine) => (await engine.must('GET', '/digest')).state_digest;
	expect(await digestOf(started)).toBe(await digestOf(other));
	other.engine.close();
	expect([panels.places.view.value, panels.refused, await forks()]).toEqual(['make', [], []]);
});

it('keeps the world that was there as a fork, and what that one tuned out of the scene', async () => {
	await started.must('POST', '/spawn', { mesh: 'cube' });
	await started.must('POST', '/tuning', { physics: { gravity: [0, -1, 0] } });
	const { state_digest } = await started.must('GET', '/digest');
	await scenes.open('towers');
	expect(await forks()).toEqual(['was-main-1']);
	expect((await started.must('GET', '/digest?world=was-main-1')).state_digest).toBe(state_digest);
	expect((await started.must('GET', '/tuning')).tuning).toMatchObject({
		physics: { gravity: [0, -9.81, 0] },
	});
});

it('a scene that is refused, or whose file is gone, changes nothing and says why', async () => {
	await started.must('POST', '/spawn', { mesh: 'cube' });
	const before = await started.must('GET', '/digest');
	documents = async () => ({ entities: [{ helth: 5 }] });
	await scenes.open('arena');
	documents = () => Promise.reject(new Error('the request for its file was answered with 404.'));
	await scenes.open('arena');
	expect(panels.refused).toEqual([
		expect.stringMatching(/^Open: .*helth/),
		'Open: The world "arena" could not be opened: the request for its file was answered with 404.',
	]);
	expect([await started.must('GET', '/digest'), await forks()]).toEqual([before, []]);
	expect(panels.places.view.value).toBe('start');
});
