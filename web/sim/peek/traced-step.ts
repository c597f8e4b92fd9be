/** A tick together with the exact distribution that its chance was drawn from. */

import type { Choice, Chooser } from '../core/chance.ts';
import { clone, dispose } from '../core/clone.ts';
import type { Work } from '../core/work.ts';
import type { World } from '../core/world.ts';
import { type StepObserver, step } from '../step.ts';
import { distributionDigest, factorsFrom } from './distribution.ts';
import { interactionGroups } from './footprint.ts';

export interface TracedTick {
	/** The tick that was made: ticks completed before it. */
	readonly tick: number;
	readonly choices: readonly Choice[];
	readonly distribution_digest: string;
}

/** Advances a world by one tick, at once, and then works out what it drew from. */
export function* tracedStep(world: World, observer?: StepObserver, chooser?: Chooser): Work<TracedTick> {
	const { tick } = world;
	const before = interactionGroups(world).entangled.length > 0 ? clone(world) : null;
	try {
		const choices = step(world, observer, chooser);
		return { tick, choices, distribution_digest: distributionDigest(yield* factorsFrom(before, choices)) };
	} finally {
		if (before !== null) dispose(before);
	}
}
