/**
 * Speed, velocity and facing of walking entities.
 * Never: changes the vertical velocity.
 */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import type { Vector } from '../core/math/vector.ts';
import { read, type World, write } from '../core/world.ts';
import { speedFactor } from '../crowd-control/crowd-control.ts';
import { boundedStat, MAX_SPEED } from '../stats/stat.ts';

/** Returns the walking speed with effects and crowd control (m/s). `speed`: the speed without them. */
export function paceOf(world: World, slot: number, speed: number): number {
	return boundedStat(world, slot, 'move_speed', speed, MAX_SPEED) * speedFactor(world, slot);
}

export function vectorLength([x, y, z]: Vector): number {
	return Math.sqrt(x * x + y * y + z * z);
}

/** Returns the length of the horizontal part of a vector. */
export function flatLength([x, , z]: Vector): number {
	return Math.sqrt(x * x + z * z);
}

export function unitVector(vector: Vector): Vector {
	const length = vectorLength(vector);
	return [vector[0] / length, vector[1] / length, vector[2] / length];
}

/** Sets the horizontal velocity of an entity (m/s). */
export function steer(world: World, slot: number, x: number, z: number): void {
	const linear = read(world, Velocity, 'linear');
	if (linear[slot * 3] === Math.fround(x) && linear[slot * 3 + 2] === Math.fround(z)) return;
	const writable = write(world, Velocity, 'linear');
	writable[slot * 3] = x;
	writable[slot * 3 + 2] = z;
}

/** Turns an entity about the vertical, so that its -z axis points along a direction. Square roots give exact half angles. */
export function face(world: World, slot: number, direction: Vector): void {
	const length = flatLength(direction);
	if (length === 0) return;
	const [sin, cos] = [-direction[0] / length, -direction[2] / length];
	const y = Math.fround(Math.sqrt(Math.max(0, (1 - cos) / 2)) * (sin < 0 ? -1 : 1));
	const w = Math.fround(Math.sqrt(Math.max(0, (1 + cos) / 2)));
	const rotation = read(world, LocalTransform, 'rotation');
	const offset = slot * 4;
	if (
		rotation[offset] === 0 &&
		rotation[offset + 1] === y &&
		rotation[offset + 2] === 0 &&
		rotation[offset + 3] === w
	)
		return;
	write(world, LocalTransform, 'rotation').set([0, y, 0, w], offset);
}
