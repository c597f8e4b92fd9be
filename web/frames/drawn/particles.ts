/**
 * Emitters of particles with their poses: those of entities in id order, then those of feedback. The particles follow from the
 * emitters and the tick.
 */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { Particles } from '../../../shared/components/particles.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import type { Emitter, EmitterRun } from '../../../shared/media/particles.ts';
import { each, get, has, read, versionOf, type World } from '../../sim/core/world.ts';
import { currentPoses } from '../../sim/transform/poses-now.ts';
import { feedbackEmitters, feedbackVersion } from './bursts.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf } from './identity.ts';

export interface FrameEmitter {
	/** Id of the entity; below 0 if no entity has the emitter. */
	readonly id: number;
	readonly generation: number;
	readonly emitter: Emitter;
	readonly run: EmitterRun;
	readonly position: readonly [number, number, number];
	/** Unit quaternion. */
	readonly rotation: readonly [number, number, number, number];
	/** Velocity of the entity (m/s) if the emitter leaves a trail; 0 otherwise. */
	readonly velocity: readonly [number, number, number];
}

export interface FrameParticles {
	readonly tick: number;
	readonly emitters: readonly FrameEmitter[];
}

const NO_PARTICLES: FrameParticles = { tick: 0, emitters: [] };
const memos = new WeakMap<World, { readonly key: string; readonly value: FrameParticles }>();

/** Returns the emitters of a world. The value is another object on each tick, but always the same object without emitters. */
function currentParticles(world: World): FrameParticles {
	const emitterVersion = versionOf(world, Particles, 'emitter', 'run');
	const feedbackKey = feedbackVersion(world);
	if (emitterVersion === 0 && feedbackKey === '') return NO_PARTICLES;
	const versions = [
		versionOf(world, LocalTransform, 'position', 'rotation', 'scale'),
		versionOf(world, Parent, 'entity'),
		versionOf(world, Velocity, 'linear'),
	];
	const key = `${world.tick} ${emitterVersion} ${feedbackKey} ${versions.join(' ')}`;
	const cached = memos.get(world);
	if (cached?.key === key) return cached.value;
	const emitters = [...emittersOf(world), ...feedbackEmitters(world)];
	const value = emitters.length === 0 ? NO_PARTICLES : { tick: world.tick, emitters };
	memos.set(world, { key, value });
	return value;
}

function emittersOf(world: World): FrameEmitter[] {
	const emitters: FrameEmitter[] = [];
	let poses: ReturnType<typeof currentPoses> | undefined;
	each(world, [Particles, LocalTransform], (slot) => {
		poses ??= currentPoses(world);
		const { emitter, run } = get(world, slot, Particles)!;
		const hasVelocity = emitter.trail && has(world, slot, Velocity);
		const speed = hasVelocity ? read(world, Velocity, 'linear') : null;
		const vectorOf = (from: ArrayLike<number>) =>
			[from[slot * 3]!, from[slot * 3 + 1]!, from[slot * 3 + 2]!] as const;
		const rotations = poses.rotation as Float32Array;
		emitters.push({
			id: slot,
			generation: world.entities.generations.data[slot]!,
			emitter,
			run,
			position: vectorOf(poses.position as Float32Array),
			rotation: [
				rotations[slot * 4]!,
				rotations[slot * 4 + 1]!,
				rotations[slot * 4 + 2]!,
				rotations[slot * 4 + 3]!,
			],
			velocity: speed === null ? [0, 0, 0] : vectorOf(speed as Float32Array),
		});
	});
	return emitters;
}

export const particles: DrawnBlock<FrameParticles> = {
	version: (world) => identityOf(currentParticles(world)),
	read: currentParticles,
};
