/**
 * Tests that hold for every game of public/scenes, whatever it is about.
 * Owns: that peek announces draws of it, that forks and exact copies go on as it does, and that any agent may play.
 */

import { afterEach, expect, test } from 'vitest';
import { clone, dispose } from '../../../web/sim/core/clone.ts';
import { digest } from '../../../web/sim/core/digest.ts';
import { step } from '../../../web/sim/step.ts';
import { type Json, type TestEngine, testEngine } from '../../support/engine.ts';
import { spreadOver } from '../../support/json-samples.ts';
import { times } from '../../support/property.ts';
import { GAME_TIMEOUT, openScene } from '../../support/scenes.ts';

const SEED = 1;
/** Ticks with a draw, spread over the beginning of the game, at which it is peeked at. */
const PEEKS = 12;
/** A game with many draws is peeked at up to this tick only: by then every source of chance in it has drawn. */
const PEEKED_UNTIL = 2640;
const MANY_DRAWS = 120;

let opened: TestEngine[] = [];
async function open(name: string): Promise<TestEngine> {
	const game = testEngine(await openScene(name, SEED));
	opened.push(game);
	return game;
}

const phaseOf = async (game: TestEngine): Promise<string> => (await game.get('/game/state')).phase as string;

/** The first ticks of a game on which something is left to chance. A tick without a draw has one way only. */
async function drawnTicks(name: string): Promise<number[]> {
	const game = await open(name);
	const { world } = game.engine.worlds.main;
	const ticks: number[] = [];
	const enough = () => world.tick >= PEEKED_UNTIL && ticks.length >= MANY_DRAWS;
	while (!enough() && (world.tick < 600 || (await phaseOf(game)) !== 'post_match'))
		for (let i = 0; i < 60; i++) {
			const { tick } = world;
			if (step(world).length > 0) ticks.push(tick);
		}
	return ticks;
}

/** Declares the tests of one game. */
export function testGame(name: string): void {
	afterEach(() => {
		for (const { engine } of opened) engine.close();
		opened = [];
	});
	test('on ticks that leave something to chance, peek is exact and has what then happens', {
		timeout: GAME_TIMEOUT,
	}, async () => {
		const ticks = await drawnTicks(name);
		expect(ticks.length).toBeGreaterThan(0);
		const game = await open(name);
		const { world } = game.engine.worlds.main;
		for (const tick of spreadOver(ticks, times(PEEKS))) {
			while (world.tick < tick) step(world);
			const { exact, distribution } = await game.must('POST', '/peek', {});
			const { state_digest } = await game.must('POST', '/step', { ticks: 1 });
			expect(exact, `tick ${tick}`).toBe(true);
			const announced = (distribution as Json[]).map((way) => way.state_digest);
			expect(announced, `tick ${tick}`).toContain(state_digest);
		}
	});

	test('in the middle of it a fork, an exact copy and itself go the same way to the bit', {
		timeout: GAME_TIMEOUT,
	}, async () => {
		const game = await open(name);
		await game.step(900);
		await game.must('POST', '/fork', { fork_id: 'twin' });
		await game.must('POST', '/fork', { fork_id: 'copy' });
		await game.must('POST', '/scenario?world=copy', await game.get('/scenario?exact=true'));
		const ways: string[][] = [];
		for (const at of ['', '?world=twin', '?world=copy']) {
			const way: string[] = [];
			for (let i = 0; i < 10; i++)
				way.push((await game.must('POST', `/step${at}`, { ticks: 30 })).state_digest as string);
			ways.push(way);
		}
		expect(new Set(ways[0]).size).toBe(10);
		expect(ways.slice(1)).toEqual([ways[0], ways[0]]);
	});

	test('whatever an agent presses, nothing fails, and the same presses come to the same', {
		timeout: GAME_TIMEOUT,
	}, async () => {
		const play = async (): Promise<string[]> => {
			const game = await open(name);
			const { entities } = await game.must('POST', '/observe', {});
			const [hero] = (entities as Json[]).filter(({ role, player }) => role === 'Hero' || player === true);
			const entity_id = (hero ??
				(entities as Json[]).find(({ physics_body }) => physics_body === 'Kinematic'))!.id;
			await game.must('POST', `/entities/${entity_id}/components`, { player: true });
			let state = 7;
			const any = (most: number): number => {
				state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
				return (state >>> 8) % most;
			};
			const keys = [
				'ArrowUp',
				'ArrowDown',
				'ArrowLeft',
				'ArrowRight',
				'A',
				'MouseRight',
				'Q',
				'W',
				'E',
				'R',
				'F',
			];
			const digests: string[] = [];
			for (let i = 0; i < 20; i++) {
				const inputs = Array.from({ length: 3 }, (_, at) => ({
					at: at * 10,
					entity_id,
					key: keys[any(keys.length)]!,
					ticks: 1 + any(40),
					point: [any(60) - 30, 1, any(30) - 15],
				}));
				const { state_digest, events } = await game.must('POST', '/step', {
					ticks: 45,
					inputs,
					events: ['script_error'],
				});
				expect(events).toEqual([]);
				digests.push(state_digest as string);
			}
			return digests;
		};
		expect(await play()).toEqual(await play());
	});

	test('a tick that fails changes nothing, and all go on as if it had not been', {
		timeout: GAME_TIMEOUT,
	}, async () => {
		const game = await open(name);
		await game.step(600);
		const { world } = game.engine.worlds.main;
		const twin = clone(world);
		const before = digest(world);
		const broken = {
			begins: () => {},
			ran: (index: number) => {
				if (index === 20) throw new Error('interrupted');
			},
		};
		for (let i = 0; i < 3; i++) expect(() => step(world, broken)).toThrow('interrupted');
		world.digest = null;
		expect(digest(world)).toBe(before);
		for (let i = 0; i < 120; i++) {
			step(world);
			step(twin);
		}
		expect(digest(world)).toBe(digest(twin));
		dispose(twin);
	});
}
