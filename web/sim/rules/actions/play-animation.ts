/** The action `play_animation`. */

import { playClip } from '../../animation/animation.ts';
import { findClip } from '../../animation/library.ts';
import { toTicks } from '../../core/clock.ts';
import { type ActionBehaviour, performOrReport } from './action.ts';

export const playAnimation: ActionBehaviour<'play_animation'> = {
	act: (world, action, target) =>
		performOrReport(world, action, target, () => {
			const { clip, speed, loop, fade } = action;
			playClip(world, target.id, { clip, speed, looping: loop, fade: toTicks(fade) });
		}),
	warn: (world, { clip }) =>
		findClip(world, 0, clip) === undefined
			? [
					`.clip: there is no clip ${JSON.stringify(clip)} yet; load the clips of a model with POST /animation/load`,
				]
			: [],
};
