/**
 * The own worlds of a person on the start page, with a real engine in this process.
 * Owns: the tests of own-worlds-state.ts and world-title.ts.
 */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { agoWords, OwnWorlds, ownWorlds, titleOf } from '../../../../web/ui/start/own-worlds-state.ts';
import { Scenes } from '../../../../web/ui/start/scenes-state.ts';
import { createDoings } from '../../../../web/ui/state/doings.ts';
import { freeTitle } from '../../../../web/ui/worlds/world-title.ts';
import { WorldsState } from '../../../../web/ui/worlds/worlds-state.ts';
import { startPanels, type TestPanels } from '../../../support/panels.ts';
import { worldInfo } from '../../../support/world-info.ts';

describe('the listed worlds', () => {
	const main = worldInfo('main', { parent: null, name: 'Hills' });
	const ids = (...worlds: Parameters<typeof ownWorlds>) => ownWorlds(...worlds).map(({ id }) => id);

	it('are main unless it is empty, and forks with a separate name', () => {
		const forks = [
			worldInfo('plan-1', { name: 'Hills' }),
			worldInfo('arena-1', { name: 'Arena: two lanes' }),
			worldInfo('plan-2', { name: 'Arena: two lanes', parent: 'arena-1' }),
			worldInfo('past-1', { name: 'Old', parent: 'old', parentGone: true }),
		];
		expect(ids(main, forks)).toEqual(['main', 'arena-1', 'past-1']);
		expect(ids({ ...main, tick: 0, entityCount: 0 }, [])).toEqual([]);
		expect(ids(null, [])).toEqual([]);
	});

	it('have a title, or their id without a name', () => {
		expect([titleOf({ id: 'a', name: 'Arena: two lanes' }), titleOf({ id: 'b', name: '' })]).toEqual([
			'Arena',
			'b',
		]);
		expect(freeTitle(new Set(['Hills', 'Hills 2']), 'Hills')).toBe('Hills 3');
	});

	it('have the time of their last use', () => {
		const now = Date.parse('2026-03-04T12:00:00Z');
		const ago = (at: string) => agoWords(at, now);
		expect([
			ago('2026-03-04T11:59:30Z'),
			ago('2026-03-04T11:55:00Z'),
			ago('2026-03-04T09:00:00Z'),
			ago('2026-03-03T12:00:00Z'),
			ago('2026-03-01T12:00:00Z'),
		]).toEqual(['just now', '5 min ago', '3 h ago', '1 day ago', '3 days ago']);
	});
});

describe('worlds that a person creates', () => {
	let panels: TestPanels;
	let worlds: WorldsState;
	let scenes: Scenes;
	let own: OwnWorlds;
	const titles = () => own.list.value.map(titleOf);
	const untilTitles = (...expected: readonly string[]) =>
		vi.waitFor(() => expect(titles()).toEqual(expected), 60_000);
	const createOwnWorld = (title: string) =>
		scenes.fill(title, async () => [{ path: '/spawn', body: { health: 5 } }]);

	beforeEach(async () => {
		sessionStorage.clear();
		panels = await startPanels();
		worlds = new WorldsState(panels.services, panels.navigation, createDoings());
		scenes = new Scenes(panels.services, panels.navigation, worlds);
		own = new OwnWorlds(panels.services, panels.navigation, worlds);
	});
	afterEach(() => {
		own.stop();
		worlds.stop();
		panels.started.engine.close();
	});

	it('have names, and are listed with the time of their last change', async () => {
		for (const title of ['Ground', 'Ground', 'Hills']) await createOwnWorld(title);
		await untilTitles('Hills', 'Ground', 'Ground 2');
		expect(own.list.value.map(({ id }) => id)).toEqual(['main', 'ground-1', 'ground-2']);
		panels.navigation.go('start');
		await vi.waitFor(() => expect(own.facts.value.size).toBe(3), 60_000);
		for (const { used, scene, ending } of own.facts.value.values()) {
			expect(agoWords(used!, Date.now())).toBe('just now');
			expect([scene, ending]).toEqual([null, null]);
		}
	});

	it('can be resumed, renamed, and deleted', async () => {
		await createOwnWorld('Ground');
		await createOwnWorld('Hills');
		await untilTitles('Hills', 'Ground');
		await scenes.resume({ id: 'ground-1', tick: 0 }, false);
		expect([worlds.selected.value, panels.navigation.view.value]).toEqual(['ground-1', 'make']);
		const before = await panels.started.must('GET', '/digest?world=ground-1');
		await own.rename(own.list.value[1]!, ' Meadow ');
		await own.rename(own.list.value[0]!, 'Alps');
		await untilTitles('Alps', 'Meadow');
		expect(await panels.started.must('GET', '/digest?world=ground-1')).toEqual(before);
		await own.remove('ground-1');
		await untilTitles('Alps');
		expect(worlds.selected.value).toBe('main');
		await own.remove('main');
		await untilTitles();
		expect(panels.refused).toEqual([]);
	});

	it('are listed when they were main before another was promoted, or come from a link with the same title', async () => {
		await createOwnWorld('Ground');
		await worlds.forking.branch('main', 'plan');
		await vi.waitFor(() => expect(worlds.forks.value).toHaveLength(1), 60_000);
		await untilTitles('Ground');
		await worlds.forking.promote('plan');
		await untilTitles('Ground', 'Ground 2');
		const document = { name: 'Ground: flat', entities: [{}] };
		await scenes.openBeside('Link', async () => [{ path: '/scenario', body: document }]);
		await untilTitles('Ground', 'Ground 3', 'Ground 2');
		expect(panels.notices.at(-1)).toMatch(/^"Ground 3" is open\./);
		expect(panels.refused).toEqual([]);
	});

	it('have the result of a match that is over', async () => {
		await createOwnWorld('Duel');
		await panels.started.must('POST', '/game/create', { mode: 'duel' });
		await panels.started.must('POST', '/game/end', { winner_team: 2 });
		await untilTitles('Duel');
		panels.navigation.go('start');
		await vi.waitFor(() => expect(own.facts.value.get('main')?.ending?.title).toBe('Vermilion wins'), 60_000);
	});
});
