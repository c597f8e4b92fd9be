/** A tick, together with the exact distribution from which its outcomes were drawn. */

import { type ChanceChoice, type Chooser, workOf } from '../core/chance.ts';
import { clone, dispose } from '../core/clone.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import type { World } from '../core/world.ts';
import { type StepObserver, step } from '../step.ts';
import { distributionDigest, factorsFrom } from './distribution.ts';
import { type BranchFilter, enumerateFrom, FIRST_DRAW, type MidTick } from './enumerate.ts';
import { interactionGroups } from './footprint.ts';

export interface TracedTick {
	/** Number of completed ticks before it. */
	readonly tick: number;
	readonly choices: readonly ChanceChoice[];
	readonly distribution_digest: string;
}

/** Advances a world by one tick immediately, and then computes the distribution of its draws in slices. */
export function* tracedStep(
	world: World,
	observer?: StepObserver,
	chooser?: Chooser,
): SlicedWork<TracedTick> {
	const { tick } = world;
	const groups = interactionGroups(world);
	const entities = world.entities.count;
	const keeps = groups.entangled.length > 0;
	let keptMiddle: MidTick | undefined;
	const keeper: StepObserver = {
		begins: () => observer?.begins(),
		ran(index, work) {
			// This copy is cheap: physics has already stepped, and its snapshot is taken only before physics steps again.
			if (index === FIRST_DRAW - 1) keptMiddle = { world: clone(world), work: workOf(work) };
			observer?.ran(index, work);
		},
	};
	try {
		const choices = step(world, keeps ? keeper : observer, chooser);
		const middle = keptMiddle;
		const before =
			middle === undefined
				? null
				: { groups, entities, branches: (walks: BranchFilter) => enumerateFrom(middle, walks) };
		return { tick, choices, distribution_digest: distributionDigest(yield* factorsFrom(before, choices)) };
	} finally {
		if (keptMiddle !== undefined) dispose(keptMiddle.world);
	}
}
