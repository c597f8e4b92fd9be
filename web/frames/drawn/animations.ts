/** Animations on the models of drawn entities, in id order: they determine the poses at this tick. */

import { Animation } from '../../../shared/components/animation.ts';
import { Mesh } from '../../../shared/components/mesh.ts';
import type { ClipRef } from '../../../shared/media/animation.ts';
import { AnimationLibrary, findClip } from '../../sim/animation/library.ts';
import { resourceVersion } from '../../sim/core/resource.ts';
import { each, get, versionOf, type World } from '../../sim/core/world.ts';
import type { DrawnBlock } from './drawn.ts';
import { rowsVersion } from './rows.ts';

/** A clip of a model, and how far it is. */
export interface FrameClip {
	/** SHA-256 of the model that it is a clip of, and which of its clips it is. */
	readonly hash: string;
	readonly place: number;
	/** Seconds that it lasts. */
	readonly length: number;
	/** Ticks for which it has been played. */
	readonly elapsed: number;
	readonly speed: number;
	readonly looping: boolean;
}

export interface FrameAnimation {
	/** The entity's slot. */
	readonly id: number;
	/** False while it is held. */
	readonly playing: boolean;
	readonly clip: FrameClip | null;
	/** Clip played before; it has ended when this one was played for `fade` ticks. */
	readonly fading: (FrameClip & { readonly fade: number }) | null;
	/** Times in ticks; `mask` null: all joints. */
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
	const found = findClip(world, slot, clip);
	if (found === undefined) return null;
	const { hash, place, duration } = found;
	return { hash, place, length: duration, elapsed, speed, looping };
}

export const animations: DrawnBlock<readonly FrameAnimation[]> = {
	version: (world) => {
		const played = versionOf(world, Animation, ...Object.keys(Animation.fields));
		return played === 0 ? 0 : Math.max(played, rowsVersion(world), resourceVersion(world, AnimationLibrary));
	},
	read(world) {
		const found: FrameAnimation[] = [];
		each(world, [Animation, Mesh], (slot) => {
			const { clip, speed, looping, playing, elapsed, fading, montage, montage_elapsed } = get(
				world,
				slot,
				Animation,
			)!;
			const before = fading && clipOf(world, slot, { ...fading, elapsed: fading.elapsed + elapsed });
			const over = montage && clipOf(world, slot, { ...montage, elapsed: montage_elapsed, looping: false });
			found.push({
				id: slot,
				playing: playing === 1,
				clip: clip === null ? null : clipOf(world, slot, { clip, speed, elapsed, looping: looping === 1 }),
				fading: before && { ...before, fade: fading!.fade },
				montage: over && {
					...over,
					duration: montage!.duration,
					blend_in: montage!.blend_in,
					blend_out: montage!.blend_out,
					mask: montage!.mask,
				},
			});
		});
		return found;
	},
};
