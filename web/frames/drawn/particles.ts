/** Emitters of particles and where they are: those of entities in id order, then those of what happens. The particles themselves follow from them and the tick. */

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
	/** Of its entity; below 0 if no entity has it. */
	readonly id: number;
	readonly generation: number;
	readonly emitter: Emitter;
	readonly run: EmitterRun;
	readonly position: readonly [number, number, number];
	/** Unit quaternion. */
	readonly rotation: readonly [number, number, number, number];
	/** Velocity of the entity (m/s), of those that leave a trail. */
	readonly velocity: readonly [number, number, number];
}

export interface FrameParticles {
	readonly tick: number;
	readonly emitters: readonly FrameEmitter[];
}

const NONE: FrameParticles = { tick: 0, emitters: [] };
const last = new WeakMap<World, { readonly key: string; readonly value: FrameParticles }>();

/** With emitters every tick has another value, without any there is but one. */
function now(world: World): FrameParticles {
	const emitterVersion = versionOf(world, Particles, 'emitter', 'run');
	const moments = feedbackVersion(world);
	if (emitterVersion === 0 && moments === '') return NONE;
	const versions = [
		versionOf(world, LocalTransform, 'position', 'rotation', 'scale'),
		versionOf(world, Parent, 'entity'),
		versionOf(world, Velocity, 'linear'),
	];
	const key = `${world.tick} ${emitterVersion} ${moments} ${versions.join(' ')}`;
	const cached = last.get(world);
	if (cached?.key === key) return cached.value;
	const emitters = [...emittersOf(world), ...feedbackEmitters(world)];
	const value = emitters.length === 0 ? NONE : { tick: world.tick, emitters };
	last.set(world, { key, value });
	return value;
}

function emittersOf(world: World): FrameEmitter[] {
	const found: FrameEmitter[] = [];
	let poses: ReturnType<typeof currentPoses> | undefined;
	each(world, [Particles, LocalTransform], (slot) => {
		poses ??= currentPoses(world);
		const { emitter, run } = get(world, slot, Particles)!;
		const moves = emitter.trail && has(world, slot, Velocity);
		const speed = moves ? read(world, Velocity, 'linear') : null;
		const three = (from: ArrayLike<number>) =>
			[from[slot * 3]!, from[slot * 3 + 1]!, from[slot * 3 + 2]!] as const;
		const turn = poses.rotation as Float32Array;
		found.push({
			id: slot,
			generation: world.entities.generations.data[slot]!,
			emitter,
			run,
			position: three(poses.position as Float32Array),
			rotation: [turn[slot * 4]!, turn[slot * 4 + 1]!, turn[slot * 4 + 2]!, turn[slot * 4 + 3]!],
			velocity: speed === null ? [0, 0, 0] : three(speed as Float32Array),
		});
	});
	return found;
}

export const particles: DrawnBlock<FrameParticles> = {
	version: (world) => identityOf(now(world)),
	read: now,
};
