/**
 * Plays the games in the current Node, for `npm run portable`.
 * Owns: the standard output: a JSON line for each finished game, with the fields of `web/proof`.
 *
 * Usage: node test/portable/play.ts [--until TICK]
 */

import { parseArgs } from 'node:util';
import { afterMessage, type GameProof, lastOf, waitingProof } from '../../web/proof/game-proof.ts';
import { playGolden } from '../../web/proof/play-golden.ts';
import { goldenGame } from '../support/scenes.ts';
import { goldens } from './goldens.ts';

const { values } = parseArgs({ options: { until: { type: 'string' } } });
const maxTick = values.until === undefined ? Number.POSITIVE_INFINITY : Number(values.until);

for (const golden of goldens) {
	const { name, trace } = golden;
	const [end] = lastOf(trace);
	let game: GameProof = afterMessage(waitingProof(golden), { type: 'begun', name });
	const began = performance.now();
	const played = await playGolden({
		...goldenGame(name),
		...(maxTick < end ? { until: maxTick } : {}),
		onStep: (tick, digest) => {
			game = afterMessage(game, { type: 'played', name, tick, digest });
		},
	});
	const ms = performance.now() - began;
	// The trace of a partial game ends earlier, so only its digests can be compared.
	if (maxTick < end)
		game = { ...game, ms, verdict: game.compared > 0 && game.why === '' ? 'equal' : 'different' };
	else game = afterMessage(game, { type: 'ended', name, played, ms });
	const { verdict, tick, currentDigest, why } = game;
	console.log(JSON.stringify({ name, verdict, tick, digest: currentDigest, why, ms: Math.round(ms) }));
}
