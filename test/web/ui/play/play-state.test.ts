/**
 * State and actions of the view Play, with a real engine in this process.
 * Owns: the cases of play-state.ts and played.ts.
 */

import { effect } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Play } from '../../../../web/ui/play/play-state.ts';
import { createDoings } from '../../../../web/ui/state/doings.ts';
import { WorldsState } from '../../../../web/ui/worlds/worlds-state.ts';
import { startPanels, type TestPanels } from '../../../support/panels.ts';

let panels: TestPanels;
let worlds: WorldsState;
let play: Play;
let knight: number;
let mage: number;

const must = (path: string, body: unknown = {}) => panels.started.must('POST', path, body);
/** Resolves when a condition holds, because the page reads changes later. */
const until = (holds: () => boolean) => vi.waitFor(() => expect(holds()).toBe(true), 60_000);

beforeEach(async () => {
	sessionStorage.clear();
	panels = await startPanels(0, 'play');
	const { spawn } = panels.started;
	knight = await spawn({ role: 'hero', team: 1, health: 90, gold: 50, combat: true, position: [0, 0, 0] });
	mage = await spawn({ role: 'hero', team: 2, health: 60, combat: true, position: [4, 0, 0] });
	await must('/item/define', { id: 1, name: 'Sword', properties: { cost: 30, attack_damage: 5 } });
	await must('/item/define', { id: 2, name: 'Stone' });
	await must('/game/create', { score_limit: 3 });
	worlds = new WorldsState(panels.services, panels.navigation, createDoings());
	const { services, navigation } = panels;
	play = new Play({ services, navigation, worlds });
	await until(() => play.game.known.value && play.game.items.value.length > 0 && play.meaning('Q') !== null);
});
afterEach(() => {
	play.stop();
	worlds.stop();
	panels.started.engine.close();
});

test('the state has the match, its sides, the items for sale, and the meanings of keys', () => {
	expect(play.game.match.value).toMatchObject({ phase: 'playing', score_limit: 3 });
	expect(play.sides.value.map(({ team, score }) => [team, score])).toEqual([
		[1, 0],
		[2, 0],
	]);
	// An item without a price is not for sale.
	expect(play.game.items.value.map(({ name }) => name)).toEqual(['Sword']);
	expect([play.meaning('MouseRight'), play.meaning('F12')]).toEqual(['move_or_attack', null]);
	expect(play.keysOf('ability_q')[0]).toBe('Q');
	expect(play.ending.value).toBeNull();
});

test('hints begin with the first input, after the introduction', async () => {
	await must(`/entities/${knight}/components`, { respawns: false });
	await play.take(play.game.entities.value.find(({ id }) => id === knight)!);
	await until(() => play.mine.value?.respawns === false);
	await must('/step', { ticks: 900 });
	await until(() => play.game.tick.value === 900);
	expect(play.hints.shown.value).toBeNull();
	play.begun.value = true;
	await must('/step', { ticks: 1 });
	await until(() => play.hints.shown.value !== null);
	expect(play.hints.shown.value).toEqual({ about: 'healing', text: 'You have one life.' });
});

test('no unit is played before a person takes one, and after it is released', async () => {
	expect(play.mine.value).toBeNull();
	await play.take(play.game.entities.value.find(({ id }) => id === knight)!);
	await until(() => play.mine.value?.id === knight);
	expect(play.followed.value?.id).toBe(knight);
	await play.letGo();
	await until(() => play.mine.value === null);
	expect((await panels.started.entity(knight)).player).toBeUndefined();
	// The camera still follows the released unit.
	expect(play.followed.value?.id).toBe(knight);
	expect(panels.refused).toEqual([]);
});

test('a unit that another client plays is not played here', async () => {
	await panels.started.change(mage, { player: true });
	await until(() => play.game.entities.value.some(({ player }) => player === true));
	expect([play.mine.value, play.others.value]).toEqual([null, []]);
	await must('/input/press', { action: 'jump', entity_id: mage });
	await panels.services.call('POST', '/pause', {});
	expect(play.mine.value).toBeNull();
});

test('next follows each unit in turn, and the free camera follows none', () => {
	play.next();
	expect(play.followed.value?.id).toBe(knight);
	play.next();
	expect(play.followed.value?.id).toBe(mage);
	play.next();
	expect(play.followed.value?.id).toBe(knight);
	play.free();
	expect(play.followed.value).toBeNull();
});

test('time runs at its set speed, and at the same speed after a pause', async () => {
	await play.run(4);
	await until(() => play.running.value);
	await play.hold();
	await until(() => !play.running.value);
	play.log.forget();
	await play.run();
	expect(play.log.lines.value).toMatchObject([{ parts: [{ text: 'The game runs' }] }]);
	expect(panels.calls.filter((call) => /\/(play|pause)/.test(call))).toEqual([
		'POST /play {"speed":4}',
		'POST /pause',
		'POST /play {"speed":4}',
	]);
});

test('a purchase costs its price, and a refused one is reported', async () => {
	await play.take(play.game.entities.value.find(({ id }) => id === knight)!);
	await until(() => play.mine.value !== null);
	const [sword] = play.game.items.value;
	await play.buy(sword!);
	await until(() => play.mine.value?.gold === 20);
	await play.buy(sword!);
	expect(panels.refused).toEqual([expect.stringMatching(/^Buy: .*gold/)]);
});

test('a finished match names the winner', async () => {
	await must('/game/end', { winner_team: 2 });
	await until(() => play.ending.value !== null);
	expect(play.ending.value!.title).toBe('Vermilion wins');
});

test('the reason of the end is shown, also after its text has disappeared', async () => {
	await must('/rule/create', {
		name: 'the gate falls',
		when: 'tick:60',
		do: ['endgame 1', { action: 'show_text', text: 'THE GATE HAS FALLEN', size: 40, lifetime: 10 }],
	});
	const seen: (string | undefined)[] = [];
	const stop = effect(() => {
		if (play.ending.value !== null && seen.at(-1) !== play.ending.value.why) seen.push(play.ending.value.why);
	});
	await must('/step', { ticks: 70 });
	await until(() => seen.length > 0);
	await must('/step', { ticks: 60 });
	await until(() => play.game.tick.value === 130);
	stop();
	expect(seen).toEqual(['The gate has fallen. It took 0:01.']);
});

test('a page that is loaded after a match shows its story', async () => {
	play.stop();
	for (let kill = 0; kill < 3; kill++) {
		await must('/entity/damage', { entity_id: mage, amount: 1000, source: knight });
		await must('/step', { ticks: 2 });
		await must(`/entities/${mage}/components`, { health: 60 });
	}
	const { services, navigation } = panels;
	play = new Play({ services, navigation, worlds });
	await until(() => play.story.value !== null);
	const { lines, kills } = play.story.value!;
	expect(lines.map(({ score }) => score)).toEqual([3, 0]);
	expect(lines[0]!.points.length).toBe(4);
	expect(kills.map(({ heroes }) => heroes)).toEqual([3, 0]);
});

test('a winning number is shown over time, from the journal', async () => {
	await must('/rule/create', { when: 'field:gold>=90', do: ['endgame 1'] });
	for (let ticks = 0; ticks < 150; ticks += 30) {
		await must('/step', { ticks: 30 });
		await must(`/entities/${knight}/components`, { gold: 60 + ticks / 3 });
	}
	await until(() => (play.story.value?.lines[0]?.points.length ?? 0) > 3);
	expect(play.story.value!.lines[0]!.points.at(-1)).toEqual([1, 1]);
});

/** Kills a unit in the name of another one, and revives it. */
async function killAndRevive(unit: number, by: number): Promise<void> {
	await must('/entity/damage', { entity_id: unit, amount: 1000, source: by });
	await must('/step', { ticks: 2 });
	await must(`/entities/${unit}/components`, { health: 60 });
}

const heroKills = () => play.story.value?.kills.map(({ heroes }) => heroes);

test('another match has another story, also if the first still shows its end', async () => {
	for (let kill = 0; kill < 3; kill++) await killAndRevive(mage, knight);
	await until(() => play.story.value !== null);
	expect(heroKills()).toEqual([3, 0]);
	const seen: unknown[] = [];
	const stop = effect(() => {
		if (play.story.value !== null) seen.push(heroKills());
	});
	const requests = [
		{ path: '/game/create', body: { score_limit: 1 } },
		{ path: '/entity/damage', body: { entity_id: knight, amount: 1000, source: mage } },
		{ path: '/step', body: { ticks: 2 } },
	];
	await must('/batch', { requests });
	await until(() => play.story.value?.lines.map(({ score }) => score).join() === '0,1');
	stop();
	// The kills of one match are never shown with the scores of the other.
	expect(seen).toEqual([
		[3, 0],
		[0, 1],
	]);
	expect(play.story.value!.words).toEqual(['Vermilion led from 0:00 on: Hero killed Hero.']);
});

test('kills after the end are not in the story', async () => {
	for (let kill = 0; kill < 3; kill++) await killAndRevive(mage, knight);
	await until(() => play.story.value !== null);
	play.stop();
	await killAndRevive(knight, mage);
	await killAndRevive(mage, knight);
	const { services, navigation } = panels;
	play = new Play({ services, navigation, worlds });
	await until(() => play.story.value !== null);
	expect(heroKills()).toEqual([3, 0]);
});

test('a match that was played here pauses the world after its end, once', async () => {
	await play.take(play.game.entities.value.find(({ id }) => id === knight)!);
	await until(() => play.mine.value !== null);
	await must('/game/end', { winner_team: 2 });
	await must('/step', { ticks: 100 });
	await play.run();
	await until(() => play.running.value);
	expect(play.game.match.value!.ended_at! + 180).toBeGreaterThan(play.game.tick.value);
	await until(() => !play.running.value);
	expect(play.game.tick.value).toBeGreaterThanOrEqual(play.game.match.value!.ended_at! + 180);
	await play.run();
	await until(() => play.running.value);
	await must('/step', { ticks: 60 });
	expect(play.running.value).toBe(true);
});

test('a game that is played stops when the person goes to Start, and runs on behind other views', async () => {
	await play.take(play.game.entities.value.find(({ id }) => id === knight)!);
	await play.run();
	await until(() => play.mine.value !== null && play.running.value);
	panels.navigation.go('make');
	play.stop();
	expect(panels.calls.filter((call) => call.startsWith('POST /pause'))).toEqual([]);
	panels.navigation.go('start');
	play.stop();
	await until(() => panels.calls.some((call) => call.startsWith('POST /pause')));
});

test('the plate of the dead names the unit that struck the last blow', async () => {
	const at = (tick: number, entity: number, killer: number) => ({
		kind: 'death',
		tick,
		data: { entity: { id: entity, generation: 0 }, killer: { id: killer, generation: 0 } },
	});
	play.log.takeEvents([at(1, mage, knight)], play.game.byId.value, knight);
	expect(play.log.killer.value).toBeNull();
	play.log.takeEvents([at(2, knight, mage)], play.game.byId.value, knight);
	expect(play.log.killer.value).toBe('Hero of Vermilion');
});
