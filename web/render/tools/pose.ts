/**
 * Poses of edited entities, and the effect of changes on them.
 * Owns: the arithmetic of moving, turning and scaling several entities together.
 */

import { Quaternion, Vector3 } from 'three/webgpu';
import type { Base, Change } from './tool.ts';

/** Position, rotation and scale in the world. */
export interface Pose {
	readonly place: Vector3;
	readonly turn: Quaternion;
	readonly size: Vector3;
}

/** Reads a pose of ten numbers that begins at `offset`. */
export function readPose(poses: ArrayLike<number>, offset = 0): Pose {
	return {
		place: new Vector3(poses[offset], poses[offset + 1], poses[offset + 2]),
		turn: new Quaternion(poses[offset + 3], poses[offset + 4], poses[offset + 5], poses[offset + 6]),
		size: new Vector3(poses[offset + 7], poses[offset + 8], poses[offset + 9]),
	};
}

/** Writes a pose of ten numbers that begins at `offset`. */
export function writePose(out: Float32Array, offset: number, { place, turn, size }: Pose): void {
	place.toArray(out, offset);
	turn.toArray(out, offset + 3);
	size.toArray(out, offset + 7);
}

/** Returns a pose after a change around the pivot. */
export function applyChange({ place, turn, size }: Pose, change: Change, { pivot, axes }: Base): Pose {
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
			const newPosition = pivot.clone();
			axes.forEach((axis, i) => {
				newPosition.addScaledVector(axis, offset.dot(axis) * change.by[i]!);
			});
			return { place: newPosition, turn, size: size.clone().multiply(new Vector3(...change.by)) };
		}
	}
}

/** Returns the pose of a carried entity after its carrier moves from one pose to another. */
export function carryAlong({ place, turn, size }: Pose, from: Pose, to: Pose): Pose {
	const inverse = from.turn.clone().invert();
	const factor = new Vector3(
		to.size.x / (from.size.x || 1),
		to.size.y / (from.size.y || 1),
		to.size.z / (from.size.z || 1),
	);
	const local = place.clone().sub(from.place).applyQuaternion(inverse).multiply(factor);
	return {
		place: local.applyQuaternion(to.turn).add(to.place),
		turn: to.turn.clone().multiply(inverse).multiply(turn).normalize(),
		size: size.clone().multiply(factor),
	};
}
