/**
 * Plays the games in the Node that runs this, for `npm run portable`.
 * Owns: what goes over standard output: a JSON line for each game that has ended, as `web/proof` tells it of a browser.
 *
 * Usage: node test/portable/play.ts [--until TICK]
 */

import { parseArgs } from 'node:util';
import { after, type GameProof, lastOf, waitingProof } from '../../web/proof/game-proof.ts';
import { playGolden } from '../../web/proof/play-golden.ts';
import { goldenGame } from '../support/scenes.ts';
import { goldens } from './goldens.ts';

const { values } = parseArgs({ options: { until: { type: 'string' } } });
const most = values.until === undefined ? Number.POSITIVE_INFINITY : Number(values.until);

for (const golden of goldens) {
	const { name, trace } = golden;
	const [end] = lastOf(trace);
	let game: GameProof = after(waitingProof(golden), { type: 'begun', name });
	const began = performance.now();
	const played = await playGolden({
		...goldenGame(name),
		...(most < end ? { until: most } : {}),
		played: (tick, digest) => {
			game = after(game, { type: 'played', name, tick, digest });
		},
	});
	const ms = performance.now() - began;
	// A part of a game has a trace of its own; its digests are all that can be compared.
	if (most < end)
		game = { ...game, ms, verdict: game.compared > 0 && game.why === '' ? 'equal' : 'different' };
	else game = after(game, { type: 'ended', name, played, ms });
	const { verdict, tick, got, why } = game;
	console.log(JSON.stringify({ name, verdict, tick, digest: got, why, ms: Math.round(ms) }));
}
