/** Animations on the models of drawn entities, in id order. They determine the poses at this tick. */

import { Animation } from '../../../shared/components/animation.ts';
import { Mesh } from '../../../shared/components/mesh.ts';
import type { ClipRef } from '../../../shared/media/animation.ts';
import { AnimationLibrary, findClip } from '../../sim/animation/library.ts';
import { resourceVersion } from '../../sim/core/resource.ts';
import { each, get, versionOf, type World } from '../../sim/core/world.ts';
import type { DrawnBlock } from './drawn.ts';
import { rowsVersion } from './rows.ts';

/** A clip of a model, and its progress. */
export interface FrameClip {
	/** SHA-256 of the model. */
	readonly hash: string;
	/** Index of the clip in the model's list. */
	readonly place: number;
	/** Duration in seconds. */
	readonly length: number;
	/** Number of ticks that the clip has played. */
	readonly elapsed: number;
	readonly speed: number;
	readonly looping: boolean;
}

export interface FrameAnimation {
	/** The entity's slot. */
	readonly id: number;
	/** False while the pose is held. */
	readonly playing: boolean;
	readonly clip: FrameClip | null;
	/** Previous clip, which fades out during the first `fade` ticks of the current one. */
	readonly fading: (FrameClip & { readonly fade: number }) | null;
	/** Animation over the clip. Its times are in ticks. `mask` has the indices of its joints; null means all. */
	readonly montage:
		| (FrameClip & {
				readonly duration: number;
				readonly blend_in: number;
				readonly blend_out: number;
				readonly mask: readonly number[] | null;
		  })
		| null;
}

type DrawnClip = {
	readonly clip: ClipRef;
	readonly speed: number;
	readonly elapsed: number;
	readonly looping: boolean;
};

function clipOf(world: World, slot: number, { clip, speed, elapsed, looping }: DrawnClip): FrameClip | null {
	const clipData = findClip(world, slot, clip);
	if (clipData === undefined) return null;
	const { hash, place, duration } = clipData;
	return { hash, place, length: duration, elapsed, speed, looping };
}

export const animations: DrawnBlock<readonly FrameAnimation[]> = {
	version: (world) => {
		const animationVersion = versionOf(world, Animation, ...Object.keys(Animation.fields));
		return animationVersion === 0
			? 0
			: Math.max(animationVersion, rowsVersion(world), resourceVersion(world, AnimationLibrary));
	},
	read(world) {
		const frameAnimations: FrameAnimation[] = [];
		each(world, [Animation, Mesh], (slot) => {
			const { clip, speed, looping, playing, elapsed, fading, montage, montage_elapsed } = get(
				world,
				slot,
				Animation,
			)!;
			const previousClip = fading && clipOf(world, slot, { ...fading, elapsed: fading.elapsed + elapsed });
			const montageClip =
				montage && clipOf(world, slot, { ...montage, elapsed: montage_elapsed, looping: false });
			frameAnimations.push({
				id: slot,
				playing: playing === 1,
				clip: clip === null ? null : clipOf(world, slot, { clip, speed, elapsed, looping: looping === 1 }),
				fading: previousClip && { ...previousClip, fade: fading!.fade },
				montage: montageClip && {
					...montageClip,
					duration: montage!.duration,
					blend_in: montage!.blend_in,
					blend_out: montage!.blend_out,
					mask: montage!.mask,
				},
			});
		});
		return frameAnimations;
	},
};
