/** The sounds that play, how loud the buses are, and where sounds are heard from; heard and not drawn. */

import { Listener } from '../../../shared/components/listener.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { Sound } from '../../../shared/components/sound.ts';
import type { Vector } from '../../../shared/contract/vector.ts';
import type { Audible, MixerSettings } from '../../../shared/media/sound.ts';
import { resourceVersion } from '../../sim/core/resource.ts';
import { each, get, has, versionOf } from '../../sim/core/world.ts';
import { Mixer, mixer } from '../../sim/sound/mixer.ts';
import { listenerSlot, ticksOf } from '../../sim/sound/sounds.ts';
import { currentPoses } from '../../sim/transform/poses-now.ts';
import type { DrawnBlock } from './drawn.ts';

/** A sound that was not stopped. */
export interface FrameSound extends Audible {
	/** Id and generation of its entity. */
	readonly of: string;
	/** Hash of the asset. */
	readonly clip: string;
	readonly pitch: number;
	readonly loop: boolean;
	/** Ticks until it has its volume. */
	readonly fade_in: number;
	/** Tick at which it began. */
	readonly started: number;
	/** Ticks that it plays; null: until it is stopped. */
	readonly ticks: number | null;
}

export interface FrameSounds {
	readonly sounds: readonly FrameSound[];
	readonly mixer: MixerSettings;
	/** Null: the camera listens. The rotation is a unit quaternion; a listener looks along -z. */
	readonly listener: {
		readonly position: Vector;
		readonly rotation: readonly [number, number, number, number];
	} | null;
}

export const sound: DrawnBlock<FrameSounds> = {
	version: (world) => {
		const heard = Math.max(versionOf(world, Sound, ...Object.keys(Sound.fields)), versionOf(world, Listener));
		const mixed = resourceVersion(world, Mixer);
		// Where nothing sounds, it does not matter what moves.
		if (heard === 0) return mixed;
		return Math.max(
			heard,
			mixed,
			versionOf(world, LocalTransform, 'position', 'rotation', 'scale'),
			versionOf(world, Parent, 'entity'),
		);
	},
	read(world) {
		let poses: ReturnType<typeof currentPoses> | undefined;
		const positionOf = (slot: number): Vector => {
			poses ??= currentPoses(world);
			const at = poses.position as Float32Array;
			return [at[slot * 3]!, at[slot * 3 + 1]!, at[slot * 3 + 2]!];
		};
		const sounds: FrameSound[] = [];
		each(world, [Sound], (slot) => {
			const row = get(world, slot, Sound)!;
			if (row.playing === 0) return;
			const { called: _, playing: __, loop, spatial, ...rest } = row;
			sounds.push({
				...rest,
				of: `${slot}:${world.entities.generations.data[slot]}`,
				loop: loop === 1,
				position: spatial === 1 && has(world, slot, LocalTransform) ? positionOf(slot) : null,
				ticks: ticksOf(world, row),
			});
		});
		const ear = listenerSlot(world);
		if (ear < 0) return { sounds, mixer: mixer(world), listener: null };
		const position = positionOf(ear);
		const turn = poses!.rotation as Float32Array;
		const rotation = [0, 1, 2, 3].map((i) => turn[ear * 4 + i]!) as [number, number, number, number];
		return { sounds, mixer: mixer(world), listener: { position, rotation } };
	},
};
