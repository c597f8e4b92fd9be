/**
 * Playing sounds, the volumes of the mixer, and the pose of the listener. The page plays this block; the view does not draw it.
 */

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
	/** Id and generation of the entity. */
	readonly of: string;
	/** Hash of the asset. */
	readonly clip: string;
	readonly pitch: number;
	readonly loop: boolean;
	/** Ticks until the sound has its full volume. */
	readonly fade_in: number;
	/** Tick at which the sound began. */
	readonly started: number;
	/** Number of ticks that the sound plays; null if it plays until it is stopped. */
	readonly ticks: number | null;
}

export interface FrameSounds {
	readonly sounds: readonly FrameSound[];
	readonly mixer: MixerSettings;
	/** Pose of the listening entity; null if the camera listens. The rotation is a unit quaternion; a listener looks along -z. */
	readonly listener: {
		readonly position: Vector;
		readonly rotation: readonly [number, number, number, number];
	} | null;
}

export const sound: DrawnBlock<FrameSounds> = {
	version: (world) => {
		const soundVersion = Math.max(
			versionOf(world, Sound, ...Object.keys(Sound.fields)),
			versionOf(world, Listener),
		);
		const mixerVersion = resourceVersion(world, Mixer);
		// Without sounds, movements do not matter.
		if (soundVersion === 0) return mixerVersion;
		return Math.max(
			soundVersion,
			mixerVersion,
			versionOf(world, LocalTransform, 'position', 'rotation', 'scale'),
			versionOf(world, Parent, 'entity'),
		);
	},
	read(world) {
		let poses: ReturnType<typeof currentPoses> | undefined;
		const positionOf = (slot: number): Vector => {
			poses ??= currentPoses(world);
			const positions = poses.position as Float32Array;
			return [positions[slot * 3]!, positions[slot * 3 + 1]!, positions[slot * 3 + 2]!];
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
		const listenerId = listenerSlot(world);
		if (listenerId < 0) return { sounds, mixer: mixer(world), listener: null };
		const position = positionOf(listenerId);
		const rotations = poses!.rotation as Float32Array;
		const rotation = [0, 1, 2, 3].map((i) => rotations[listenerId * 4 + i]!) as [
			number,
			number,
			number,
			number,
		];
		return { sounds, mixer: mixer(world), listener: { position, rotation } };
	},
};
