/** Benchmark: steps of vector environments of Gymnasium, compared with a pole on a cart in a world. */

import { ROOT } from '../../../relay/folders.ts';
import { median, type Result } from '../measure.ts';
import { peerResult, startPeer } from './peer.ts';

const ROUNDS = 10;
const CASES = [
	{
		ours: 'ours, 1 tick',
		peer: 'CartPole-v1',
		differs: 'ours: bodies in contact, over HTTP; CartPole: four equations in Python, in the same process',
	},
	{
		ours: 'ours, 1 tick',
		peer: 'CartPole-v1 in NumPy',
		differs: 'the same equations for all 64 in one go of NumPy',
	},
	{
		ours: 'ours, 2 ticks',
		peer: 'InvertedPendulum-v5',
		differs: 'both simulate bodies, two ticks a step; MuJoCo in the same process and with a hinge',
	},
] as const;

export async function environments(): Promise<Result[]> {
	const peer = await startPeer('gymnasium', 'environments.py', [ROOT]);
	const times = CASES.map((): [ours: number[], theirs: number[]] => [[], []]);
	if (typeof peer !== 'string') {
		for (let round = -2; round < ROUNDS; round++)
			for (const [i, { ours, peer: theirs }] of CASES.entries()) {
				const both = [await peer.run(ours), await peer.run(theirs)] as const;
				if (round < 0) continue;
				times[i]![0].push(both[0]);
				times[i]![1].push(both[1]);
			}
		await peer.close();
	}
	return CASES.map(({ ours, peer: name, differs }, i) => {
		const [mine, other] = times[i]!;
		return peerResult(peer, {
			name: `step of one of 64 environments, a pole on a cart${ours.slice(4)}`,
			ours_ms: median(mine),
			against: `Gymnasium, ${name}`,
			against_ms: median(other),
			differs,
		});
	});
}
