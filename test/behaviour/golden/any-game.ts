/**
 * Tests for every game of `public/scenes`, checked on one play of the game.
 * Owns: the tests that it equals its accepted trace bit for bit, that peek predicts its draws, that forks and exact copies
 * continue the same, and that random inputs cause no failure.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { openGolden } from '../../../web/proof/play-golden.ts';
import { clientOf } from '../../support/engine.ts';
import { GAME_TIMEOUT, goldenGame } from '../../support/scenes.ts';
import { WatchedGame } from './watched-game.ts';

const ACCEPT = 'ORRERY_GOLDEN=write npx vitest run --project unit test/behaviour/golden';

/** Declares the tests of one game. */
export function testGame(name: string): void {
	const game = new WatchedGame(name);
	beforeAll(() => game.play(), GAME_TIMEOUT);

	test('plays as its golden trace', () => {
		const { trace } = game;
		const file = fileURLToPath(new URL(`./${name}.golden.txt`, import.meta.url));
		if (process.env.ORRERY_GOLDEN === 'write') writeFileSync(file, trace);
		expect(
			existsSync(file),
			`${name} has no golden trace. Look at how it plays, then write one: ${ACCEPT}`,
		).toBe(true);
		expect(
			trace,
			`${name} no longer plays as its golden trace says. If that is what you want, accept it: ${ACCEPT}`,
		).toBe(readFileSync(file, 'utf8'));
		expect(trace).toContain('phase   post_match');
	});

	test('gives the same start in one long step', async () => {
		const [, tick, digest] = /^ *(\d+) ([0-9a-f]{16})$/m.exec(game.trace)!;
		const engine = await openGolden(goldenGame(name));
		const { body } = await clientOf(engine.handle).call('POST', '/step', { ticks: Number(tick) });
		await engine.close();
		expect(body.state_digest).toBe(digest);
	});

	test('on ticks with draws, peek is exact and contains the actual result', () => {
		expect(game.peeked.length).toBeGreaterThan(0);
		for (const { tick, exact, announced, happened, ends } of game.peeked) {
			expect(exact, `tick ${tick}`).toBe(true);
			expect(announced, `tick ${tick}`).toContain(happened);
			expect(ends[0], `the fork after tick ${tick}`).toBe(ends[1]);
		}
	});

	test('in its middle a fork, an exact copy and the game itself continue the same, bit for bit', () => {
		const { game: own, fork, copy } = game.ways;
		expect(new Set(own).size).toBe(own.length);
		expect(own.length).toBeGreaterThan(1);
		expect([fork, copy]).toEqual([own, own]);
	});

	test('random actions of an agent cause no failure, and equal actions give equal results', () => {
		const [first, second] = game.pressed;
		expect(first!.errors).toEqual([]);
		expect(new Set(first!.digests).size).toBe(first!.digests.length);
		expect(second).toEqual(first);
	});

	test('a failed tick changes nothing, and all worlds resume as without it', () => {
		const { faults, before, after, later } = game.failed;
		expect(faults).toBe(3);
		expect(after).toBe(before);
		expect(later[0]).toBe(later[1]);
	});
}
