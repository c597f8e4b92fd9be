/** A tick together with the exact distribution that its chance was drawn from. */

import { type ChanceChoice, type Chooser, copyWork } from '../core/chance.ts';
import { clone, dispose } from '../core/clone.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import type { World } from '../core/world.ts';
import { type StepObserver, step } from '../step.ts';
import { distributionDigest, factorsFrom } from './distribution.ts';
import { enumerateFrom, FIRST_DRAW, type Middle, type Walks } from './enumerate.ts';
import { interactionGroups } from './footprint.ts';

export interface TracedTick {
	/** The tick that was made: ticks completed before it. */
	readonly tick: number;
	readonly choices: readonly ChanceChoice[];
	readonly distribution_digest: string;
}

/** Advances a world by one tick, at once, and then works out what it drew from. */
export function* tracedStep(
	world: World,
	observer?: StepObserver,
	chooser?: Chooser,
): SlicedWork<TracedTick> {
	const { tick } = world;
	const groups = interactionGroups(world);
	const entities = world.entities.count;
	const keeps = groups.entangled.length > 0;
	let keptMiddle: Middle | undefined;
	const keeper: StepObserver = {
		beginTick: () => observer?.beginTick(),
		endSystem(index, work) {
			// Physics has stepped by now, so this copy costs little: its snapshot is taken only if physics steps again.
			if (index === FIRST_DRAW - 1) keptMiddle = { world: clone(world), work: copyWork(work) };
			observer?.endSystem(index, work);
		},
	};
	try {
		const choices = step(world, keeps ? keeper : observer, chooser);
		const middle = keptMiddle;
		const before =
			middle === undefined
				? null
				: { groups, entities, leaves: (walks: Walks) => enumerateFrom(middle, walks) };
		return { tick, choices, distribution_digest: distributionDigest(yield* factorsFrom(before, choices)) };
	} finally {
		if (keptMiddle !== undefined) dispose(keptMiddle.world);
	}
}
