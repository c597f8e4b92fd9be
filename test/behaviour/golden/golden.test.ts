/**
 * Golden traces: every game of `public/scenes` plays by itself, and equals its accepted trace bit for bit.
 * Owns: the check that each trace belongs to a game. `web/proof/play-golden.ts` writes the traces.
 */

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { sceneNames, shorterGames } from '../../support/scenes.ts';
import { testGame } from './any-game.ts';

// `longest-golden.test.ts` plays the remaining one.
describe.each(shorterGames())('%s', testGame);

test('every trace belongs to a game', () => {
	const traces = readdirSync(fileURLToPath(new URL('.', import.meta.url)))
		.filter((file) => file.endsWith('.golden.txt'))
		.map((file) => file.slice(0, -'.golden.txt'.length));
	expect(traces.sort()).toEqual(sceneNames());
});
