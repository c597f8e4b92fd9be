/**
 * The test of one golden trace: the game plays to its end as it did when the trace was accepted.
 * Owns: that comparison. Which games have a trace is in `golden.test.ts`.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { openGolden, playGolden } from '../../../web/proof/play-golden.ts';
import { clientOf } from '../../support/engine.ts';
import { goldenGame } from '../../support/scenes.ts';

const ACCEPT = 'ORRERY_GOLDEN=write npx vitest run --project unit test/behaviour/golden';
/** The second play ends with the first line of the trace from this tick on: the first play already goes to the end. */
const AGAIN = 900;

/** Plays a game to its end and compares it with its trace, then plays its beginning again, in one step. */
export async function playsAsAccepted(name: string): Promise<void> {
	const game = goldenGame(name);
	const { trace } = await playGolden(game);
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

	const lines = [...trace.matchAll(/^ *(\d+) ([0-9a-f]{16})$/gm)];
	const [, tick, digest] = lines.find(([, at]) => Number(at) >= AGAIN)!;
	const again = await openGolden(game);
	const { body } = await clientOf(again.handle).call('POST', '/step', { ticks: Number(tick) });
	await again.close();
	expect(body.state_digest, `${name} does not play the same way twice`).toBe(digest);
}
