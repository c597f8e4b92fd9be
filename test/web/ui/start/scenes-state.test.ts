/**
 * The scenes on the start page, with a real engine in this process.
 * Owns: the cases of scenes-state.ts and of the scene list of the build.
 */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readSceneCards } from '../../../../relay/build/scene-list.ts';
import { Scenes } from '../../../../web/ui/start/scenes-state.ts';
import { createDoings } from '../../../../web/ui/state/doings.ts';
import { WorldsState } from '../../../../web/ui/worlds/worlds-state.ts';
import { startEngine, type TestEngine } from '../../../support/engine.ts';
import { startPanels, type TestPanels } from '../../../support/panels.ts';
import { PUBLIC, readPublic } from '../../../support/public-files.ts';

const sceneFile = async (name: string): Promise<unknown> =>
	JSON.parse(await readFile(join(PUBLIC, 'scenes', `${name}.json`), 'utf8'));

let panels: TestPanels;
let started: TestEngine;
let worlds: WorldsState;
let scenes: Scenes;
let documents: (name: string) => Promise<unknown>;

beforeEach(async () => {
	panels = await startPanels();
	started = panels.started;
	documents = sceneFile;
	worlds = new WorldsState(panels.services, panels.navigation, createDoings());
	scenes = new Scenes(panels.services, panels.navigation, worlds, (name) => documents(name));
});
afterEach(() => {
	worlds.stop();
	started.engine.close();
});

const forks = async () => (await started.must('GET', '/fork/list')).forks;

it('every scene has a title, words and a picture', async () => {
	const cards = await readSceneCards(join(PUBLIC, 'scenes'));
	expect(cards.map(({ name }) => name)).toEqual([
		'arena',
		'dungeon',
		'market',
		'skirmish',
		'towers',
		'village',
	]);
	for (const { name, title, words, entities, rules } of cards) {
		expect(title.toLowerCase()).toBe(name);
		expect(words).not.toBe('');
		expect(Math.min(entities, rules)).toBeGreaterThan(0);
		expect(existsSync(join(PUBLIC, 'pictures/scenes', `${name}.webp`)), `a picture of ${name}`).toBe(true);
	}
});

it('a scene opens in an empty world like with `--scene`, and is shown', async () => {
	await scenes.open('dungeon');
	const other = await startEngine({ readPublic });
	await other.must('POST', '/scenario', await sceneFile('dungeon'));
	const digestOf = async (engine: TestEngine) => (await engine.must('GET', '/digest')).state_digest;
	expect(await digestOf(started)).toBe(await digestOf(other));
	other.engine.close();
	expect([panels.navigation.view.value, panels.refused, await forks()]).toEqual(['make', [], []]);
});

it('opening a scene keeps the old world as a fork, and the scene has none of its settings', async () => {
	await started.must('POST', '/spawn', { mesh: 'cube' });
	await started.must('POST', '/tuning', { physics: { gravity: [0, -1, 0] } });
	await started.must('POST', '/sky/settings', { time_of_day: 2 });
	await started.must('POST', '/foliage/scatter', { mesh_name: 'grass', seed: 4242 });
	const { state_digest } = await started.must('GET', '/digest');
	await scenes.open('towers');
	expect(await forks()).toEqual(['was-main-1']);
	expect((await started.must('GET', '/digest?world=was-main-1')).state_digest).toBe(state_digest);
	expect((await started.must('GET', '/tuning')).tuning).toMatchObject({
		physics: { gravity: [0, -9.81, 0] },
	});
	expect((await started.must('GET', '/sky/settings')).time_of_day).not.toBe(2);
	const { layers } = (await started.must('GET', '/foliage/list')) as { layers: { seed: number }[] };
	expect(layers.map(({ seed }) => seed)).not.toContain(4242);
	expect(await started.must('GET', '/foliage/list?world=was-main-1')).toMatchObject({
		layers: [{ seed: 4242 }],
	});
});

it('another game drops one that has just begun, but keeps an edited one', async () => {
	await scenes.play('dungeon');
	await started.must('POST', '/pause');
	await started.must('POST', '/input/press', { key: 'ArrowUp', entity_id: 0, hold: true });
	await started.must('POST', '/step', { ticks: 5 });
	// A reloaded page must have the title again.
	scenes = new Scenes(panels.services, panels.navigation, worlds, (name) => documents(name));
	await vi.waitFor(() => expect(scenes.title.value).toBe('Dungeon'));
	await scenes.play('towers');
	expect(await forks()).toEqual([]);
	await started.must('POST', '/pause');
	await started.must('POST', '/spawn', { mesh: 'cube' });
	await scenes.play('market');
	expect(await forks()).toEqual(['towers-1']);
	await started.must('POST', '/pause');
});

it('a new world keeps a match that was played for 10 seconds, and its notice leads back', async () => {
	await scenes.play('dungeon');
	await started.must('POST', '/pause');
	const { tick } = await started.must('GET', '/digest');
	await started.must('POST', '/step', { ticks: 600 - Number(tick) });
	const { state_digest } = await started.must('GET', '/digest');
	const tell = vi.spyOn(panels.navigation, 'tell');
	await scenes.fill('World', async () => []);
	expect(await forks()).toEqual(['dungeon-1']);
	expect((await started.must('GET', '/digest?world=dungeon-1')).state_digest).toBe(state_digest);
	const [text, , back] = tell.mock.lastCall!;
	expect([text, back!.label]).toEqual(['"World" is open.', 'Back to Dungeon']);
	back!.take();
	expect(worlds.selected.value).toBe('dungeon-1');
});

it('the way back from a game that runs pauses it', async () => {
	await started.must('POST', '/spawn', { mesh: 'cube' });
	const tell = vi.spyOn(panels.navigation, 'tell');
	await scenes.play('dungeon');
	await vi.waitFor(() => expect(worlds.main.value?.playing).toBe(true), 60_000);
	const [, , back] = tell.mock.lastCall!;
	back!.take();
	await vi.waitFor(async () => expect((await started.must('GET', '/')).playing).toBe(false), 60_000);
	expect(worlds.selected.value).toBe('was-main-1');
});

it('continuing shows a world where it was left, and runs a match that is not over', async () => {
	const isRunning = async () => (await started.must('GET', '/')).playing;
	await scenes.open('dungeon');
	await scenes.resume({ id: 'main', tick: 0 }, false);
	expect([panels.navigation.view.value, await isRunning()]).toEqual(['make', false]);
	await started.must('POST', '/step', {});
	await scenes.resume({ id: 'main', tick: 1 }, true);
	expect([panels.navigation.view.value, await isRunning()]).toEqual(['play', false]);
	await scenes.resume({ id: 'main', tick: 1 }, false);
	expect(await isRunning()).toBe(true);
	await started.must('POST', '/pause');
	// The unit of another page would stand and die.
	sessionStorage.clear();
	await started.must('POST', '/entities/0/components', { player: true });
	await scenes.resume({ id: 'main', tick: 1 }, false);
	expect(await isRunning()).toBe(false);
	expect(panels.refused).toEqual([]);
});

it('a refused scene or a missing file changes nothing, and the reason is shown', async () => {
	await started.must('POST', '/spawn', { mesh: 'cube' });
	const before = await started.must('GET', '/digest');
	documents = async () => ({ entities: [{ helth: 5 }] });
	await scenes.open('arena');
	documents = () => Promise.reject(new Error('the server answered 404 for its file.'));
	await scenes.open('arena');
	expect(panels.refused).toEqual([
		expect.stringMatching(/^Open: .*helth/),
		'Open: The world "arena" could not be opened: the server answered 404 for its file.',
	]);
	expect([await started.must('GET', '/digest'), await forks()]).toEqual([before, []]);
	expect(panels.navigation.view.value).toBe('start');
});

it('a game starts at its first tick with its first hero, and a restart has the same state and no new fork', async () => {
	await scenes.play('dungeon');
	expect([panels.navigation.view.value, scenes.opened.value, panels.refused]).toEqual([
		'play',
		'dungeon',
		[],
	]);
	const main = await started.must('GET', '/');
	expect([main.tick, main.playing]).toEqual([0, true]);
	const played = async () =>
		(await started.must('POST', '/observe', { filter: 'component:player' })).entities as { id: number }[];
	expect((await played()).map(({ id }) => id)).toEqual([0]);
	await started.must('POST', '/pause');
	const { state_digest } = await started.must('GET', '/digest');
	await started.must('POST', '/step', { ticks: 30 });
	await scenes.again('dungeon');
	await started.must('POST', '/pause');
	expect((await started.must('GET', '/digest')).state_digest).toBe(state_digest);
	expect(await forks()).toEqual([]);
});

it('a game plays after it is visible, and not if the person has left the view', async () => {
	const shows = signal<{ readonly world: string; readonly line: number } | null>(null);
	const picture = signal({ kind: 'drawing', backend: 'webgpu', reduced: false } as const);
	const scenes = new Scenes({ ...panels.services, shows, picture }, panels.navigation, worlds, sceneFile);
	const isRunning = async () => (await started.must('GET', '/')).playing;
	const isInPlay = () => vi.waitFor(() => expect(panels.navigation.view.value).toBe('play'), 60_000);
	const opened = scenes.play('dungeon');
	await isInPlay();
	expect([scenes.arriving.value, await isRunning()]).toEqual(['Dungeon', false]);
	shows.value = { world: 'main', line: 1 };
	await opened;
	expect([scenes.arriving.value, await isRunning()]).toEqual([null, true]);
	await started.must('POST', '/pause');
	panels.navigation.go('start');
	const left = scenes.play('towers');
	await isInPlay();
	panels.navigation.go('start');
	await left;
	expect(await isRunning()).toBe(false);
});

it('a game starts at its first tick while another world plays, which continues if the scene is refused', async () => {
	const ticks: number[] = [];
	const { call } = panels.services;
	const late = new Scenes(
		{
			...panels.services,
			async call(method, path, body, on) {
				// Delays the call that takes the hero.
				if (JSON.stringify(body ?? '').includes('"action":"stop"')) {
					await setTimeout(100);
					ticks.push(Number((await started.must('GET', '/digest')).tick));
				}
				return call(method, path, body, on);
			},
		},
		panels.navigation,
		worlds,
		(name) => documents(name),
	);
	await late.play('dungeon');
	await late.again('dungeon');
	expect(ticks).toEqual([0, 0]);
	documents = async () => ({ entities: [{ helth: 5 }] });
	await late.open('arena');
	expect([panels.refused.length, (await started.must('GET', '/')).playing]).toEqual([1, true]);
	await started.must('POST', '/pause');
});
