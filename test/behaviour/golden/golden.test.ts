/**
 * Golden traces: every game of public/scenes plays by itself, to the bit as it did when its trace was accepted.
 * Owns: that each game has a trace and each trace a game. What a trace says is `web/proof/play-golden.ts`'s.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openGolden, playGolden } from '../../../web/proof/play-golden.ts';
import { clientOf } from '../../support/engine.ts';
import { goldenGame, sceneNames } from '../../support/scenes.ts';

const ACCEPT = 'ORRERY_GOLDEN=write npx vitest run --project unit test/behaviour/golden';
const goldenFile = (name: string) => fileURLToPath(new URL(`./${name}.golden.txt`, import.meta.url));

describe('golden traces', () => {
	test.for(sceneNames())('%s', { timeout: 180_000 }, async (name) => {
		const game = goldenGame(name);
		const played = await playGolden(game);
		const file = goldenFile(name);
		if (process.env.ORRERY_GOLDEN === 'write') writeFileSync(file, played.trace);
		expect(
			existsSync(file),
			`${name} has no golden trace. Look at how it plays, then write one: ${ACCEPT}`,
		).toBe(true);
		expect(
			played.trace,
			`${name} no longer plays as its golden trace says. If that is what you want, accept it: ${ACCEPT}`,
		).toBe(readFileSync(file, 'utf8'));
		expect(played.trace).toContain('phase   post_match');

		const again = await openGolden(game);
		let digest = '';
		for (let left = played.tick; left > 0; left -= 5000)
			digest = (await clientOf(again.handle).call('POST', '/step', { ticks: Math.min(left, 5000) })).body
				.state_digest;
		again.close();
		expect(digest, `${name} does not play the same way twice`).toBe(played.digest);
	});

	test('every trace belongs to a game', () => {
		const traces = readdirSync(fileURLToPath(new URL('.', import.meta.url)))
			.filter((file) => file.endsWith('.golden.txt'))
			.map((file) => file.slice(0, -'.golden.txt'.length));
		expect(traces.sort()).toEqual(sceneNames());
	});
});
