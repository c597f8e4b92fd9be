/**
 * Poses of edited entities, and the effect of changes on them.
 * Owns: the arithmetic of moving, turning and sizing several entities together.
 */

import { Quaternion, Vector3 } from 'three/webgpu';
import type { Base, Change } from './tool.ts';

/** Place, turn and size in the world. */
export interface Pose {
	readonly place: Vector3;
	readonly turn: Quaternion;
	readonly size: Vector3;
}

/** Reads a pose of ten numbers that begins at `at`. */
export function readPose(poses: ArrayLike<number>, at = 0): Pose {
	return {
		place: new Vector3(poses[at], poses[at + 1], poses[at + 2]),
		turn: new Quaternion(poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]),
		size: new Vector3(poses[at + 7], poses[at + 8], poses[at + 9]),
	};
}

/** Writes a pose of ten numbers that begins at `at`. */
export function writePose(out: Float32Array, at: number, { place, turn, size }: Pose): void {
	place.toArray(out, at);
	turn.toArray(out, at + 3);
	size.toArray(out, at + 7);
}

/** Returns a pose after a change around the pivot. */
export function changed({ place, turn, size }: Pose, change: Change, { pivot, axes }: Base): Pose {
	const offset = place.clone().sub(pivot);
	switch (change.kind) {
		case 'move':
			return { place: place.clone().add(change.by), turn, size };
		case 'turn':
			return {
				place: offset.applyQuaternion(change.turn).add(pivot),
				turn: change.turn.clone().multiply(turn).normalize(),
				size,
			};
		case 'scale': {
			const to = pivot.clone();
			axes.forEach((axis, i) => {
				to.addScaledVector(axis, offset.dot(axis) * change.by[i]!);
			});
			return { place: to, turn, size: size.clone().multiply(new Vector3(...change.by)) };
		}
	}
}

/** Returns the pose of a carried entity after its carrier moves from one pose to another. */
export function carried({ place, turn, size }: Pose, from: Pose, to: Pose): Pose {
	const back = from.turn.clone().invert();
	const factor = new Vector3(
		to.size.x / (from.size.x || 1),
		to.size.y / (from.size.y || 1),
		to.size.z / (from.size.z || 1),
	);
	const local = place.clone().sub(from.place).applyQuaternion(back).multiply(factor);
	return {
		place: local.applyQuaternion(to.turn).add(to.place),
		turn: to.turn.clone().multiply(back).multiply(turn).normalize(),
		size: size.clone().multiply(factor),
	};
}
