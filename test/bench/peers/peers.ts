/** Benchmarks against all native peers. Without Python or a package, their rows have the reason. */

import type { Result } from '../measure.ts';
import { boxes } from './boxes.ts';
import { chance } from './chance.ts';
import { environments } from './environments.ts';

export async function benchPeers(): Promise<Result[]> {
	return [...(await boxes()), ...(await chance()), ...(await environments())];
}
