/**
 * Opening the world of a link, with a real engine in this process.
 * Owns: the cases of sharing-state.ts.
 */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reachWords, SharingState } from '../../../../web/ui/files/sharing-state.ts';
import { writeFragment } from '../../../../web/ui/files/world-file.ts';
import { Scenes } from '../../../../web/ui/start/scenes-state.ts';
import { createDoings } from '../../../../web/ui/state/doings.ts';
import { WorldsState } from '../../../../web/ui/worlds/worlds-state.ts';
import { startPanels, type TestPanels } from '../../../support/panels.ts';
import { readPublic } from '../../../support/public-files.ts';

let panels: TestPanels;
let worlds: WorldsState;
let sharing: SharingState;

const must = (method: 'GET' | 'POST', path: string, body?: unknown) =>
	panels.started.must(method, path, body);
const DOCUMENT = { name: 'Pond: a small one', entities: [{ name: 'Frog' }, { name: 'Fly' }] };

beforeEach(async () => {
	panels = await startPanels();
	const { services, navigation } = panels;
	worlds = new WorldsState(services, navigation, createDoings());
	sharing = new SharingState(services, navigation, worlds, new Scenes(services, navigation, worlds));
	sharing.offeredFragment.value = await writeFragment(DOCUMENT);
});
afterEach(() => {
	sharing.stop();
	worlds.stop();
	panels.started.engine.close();
});

it('the world of a link opens in a fork if main has entities, and main continues', async () => {
	await must('POST', '/spawn', { health: 5 });
	await must('POST', '/play');
	await vi.waitFor(() => expect(worlds.main.value?.playing).toBe(true), 60_000);
	await sharing.openLink();
	expect([worlds.selected.value, panels.navigation.view.value, sharing.offeredFragment.value]).toEqual([
		'pond-1',
		'make',
		null,
	]);
	expect(worlds.selectedInfo.value).toMatchObject({
		name: DOCUMENT.name,
		tick: 0,
		entityCount: 2,
		playing: false,
	});
	const main = await must('GET', '/');
	expect([main.entity_count, main.playing, main.world_name]).toEqual([1, true, '']);
	await must('POST', '/pause');
	expect(panels.refused).toEqual([]);
});

it('a link that is copied opens at the tick at which it was copied, and its notice leads back', async () => {
	await must('POST', '/spawn', { name: 'Ball', position: [0, 50, 0], physics_body: 'Dynamic' });
	await must('POST', '/spawn', { name: 'Oak', mesh: 'models/oak.glb' });
	await must('POST', '/step', { ticks: 40 });
	await vi.waitFor(() => expect(worlds.main.value?.tick).toBe(40), 60_000);
	const copied: string[] = [];
	vi.stubGlobal(
		'fetch',
		async (path: string) => new Response((await readPublic(path)) as Uint8Array<ArrayBuffer>),
	);
	vi.stubGlobal('location', new URL('http://worlds.example.org/#make'));
	vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => void copied.push(text) } });
	await sharing.copyLink();
	vi.unstubAllGlobals();
	expect(panels.notices.pop()).toMatch(/^The link is copied\. [^;]*; it opens a copy/);
	sharing.offeredFragment.value = copied[0]!.split('#')[1]!;
	await sharing.openLink();
	const opened = worlds.selected.value;
	expect(opened).not.toBe('main');
	const digest = async (world: string) => (await must('GET', `/digest?world=${world}`)).state_digest;
	expect(worlds.selectedInfo.value?.tick).toBe(40);
	expect(await digest(opened)).toBe(await digest('main'));
	expect(panels.notices.pop()).toMatch(/^"World of a link" is open/);
});

it('takes the place of a main that is empty', async () => {
	await sharing.openLink();
	expect(worlds.selected.value).toBe('main');
	expect(await must('GET', '/')).toMatchObject({ entity_count: 2, world_name: DOCUMENT.name });
	expect((await must('GET', '/fork/list')).forks).toEqual([]);
});

it('a damaged link changes nothing, and is refused', async () => {
	await must('POST', '/spawn', {});
	sharing.offeredFragment.value = 'world=AAAA';
	await vi.waitFor(() => expect(worlds.main.value?.entityCount).toBe(1), 60_000);
	await sharing.openLink();
	expect(panels.refused).toEqual([expect.stringMatching(/link is damaged/)]);
	expect((await must('GET', '/fork/list')).forks).toEqual([]);
});

it('describes who can open a link', () => {
	for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])
		expect(reachWords(host)).toMatch(/only on this computer.*Save as a file/);
	expect(reachWords('worlds.example.org')).toBe(
		'it opens a copy of this world for everybody who reaches worlds.example.org.',
	);
});
