/** Runs a tick, and computes the digest of the exact distribution of its draws. */

import { type ChanceChoice, type Chooser, copyWork } from '../core/chance.ts';
import { clone, dispose } from '../core/clone.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import type { World } from '../core/world.ts';
import { type StepObserver, step } from '../step.ts';
import { distributionDigest, factorsFrom } from './distribution.ts';
import { enumerateFrom, FIRST_DRAW, type MidTick, type WalkFilter } from './enumerate.ts';
import { interactionGroups } from './footprint.ts';

export interface TracedTick {
	/** Number of ticks that were completed before it. */
	readonly tick: number;
	readonly choices: readonly ChanceChoice[];
	readonly distribution_digest: string;
}

/** Advances a world by one tick immediately, and then computes the distribution of its draws. */
export function* tracedStep(
	world: World,
	observer?: StepObserver,
	chooser?: Chooser,
): SlicedWork<TracedTick> {
	const { tick } = world;
	const groups = interactionGroups(world);
	const entities = world.entities.count;
	const needsMidTick = groups.entangled.length > 0;
	let midTick: MidTick | undefined;
	const midTickObserver: StepObserver = {
		beginTick: () => observer?.beginTick(),
		endSystem(index, work) {
			// Physics has stepped by now, so this copy costs little: its snapshot is taken only if physics steps again.
			if (index === FIRST_DRAW - 1) midTick = { world: clone(world), work: copyWork(work) };
			observer?.endSystem(index, work);
		},
	};
	try {
		const choices = step(world, needsMidTick ? midTickObserver : observer, chooser);
		const start = midTick;
		const groupedTick =
			start === undefined
				? null
				: { groups, entities, enumerateBranches: (isWalked: WalkFilter) => enumerateFrom(start, isWalked) };
		return {
			tick,
			choices,
			distribution_digest: distributionDigest(yield* factorsFrom(groupedTick, choices)),
		};
	} finally {
		if (midTick !== undefined) dispose(midTick.world);
	}
}
