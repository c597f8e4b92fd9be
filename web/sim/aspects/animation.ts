/** Aspect: a state machine refers only to its own states and parameters, and its entity is in one of its states. */

import { Animation } from '../../../shared/components/animation.ts';
import { requireMachineOf } from '../animation/animation.ts';
import type { Aspect } from './aspect.ts';

export const animation: Aspect = {
	components: [Animation],
	requireExisting(world, ids) {
		for (const id of ids) requireMachineOf(world, id);
	},
};
