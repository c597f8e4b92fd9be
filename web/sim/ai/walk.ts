/**
 * Walking: how fast an entity goes, and its velocity and facing on the way.
 * Owns: the horizontal velocity alone.
 */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import type { Vector } from '../core/math/vector.ts';
import { read, type World, write } from '../core/world.ts';
import { speedFactor } from '../crowd-control/crowd-control.ts';
import { boundedStat, MAX_SPEED } from '../stats/stat.ts';

/** Speed of walking with effects and crowd control (m/s), from the speed without them. */
export function paceOf(world: World, slot: number, speed: number): number {
	return boundedStat(world, slot, 'move_speed', speed, MAX_SPEED) * speedFactor(world, slot);
}

export function length([x, y, z]: Vector): number {
	return Math.sqrt(x * x + y * y + z * z);
}

/** Returns the length on the ground. */
export function flat([x, , z]: Vector): number {
	return Math.sqrt(x * x + z * z);
}

export function unit(vector: Vector): Vector {
	const size = length(vector);
	return [vector[0] / size, vector[1] / size, vector[2] / size];
}

/** Sets the horizontal velocity of an entity (m/s). */
export function steer(world: World, slot: number, x: number, z: number): void {
	const linear = read(world, Velocity, 'linear');
	if (linear[slot * 3] === Math.fround(x) && linear[slot * 3 + 2] === Math.fround(z)) return;
	const own = write(world, Velocity, 'linear');
	own[slot * 3] = x;
	own[slot * 3 + 2] = z;
}

/** Turns an entity about the vertical so that its -Z looks along a direction. Half angles come from square roots. */
export function face(world: World, slot: number, way: Vector): void {
	const size = flat(way);
	if (size === 0) return;
	const [sin, cos] = [-way[0] / size, -way[2] / size];
	const y = Math.fround(Math.sqrt(Math.max(0, (1 - cos) / 2)) * (sin < 0 ? -1 : 1));
	const w = Math.fround(Math.sqrt(Math.max(0, (1 + cos) / 2)));
	const rotation = read(world, LocalTransform, 'rotation');
	const at = slot * 4;
	if (rotation[at] === 0 && rotation[at + 1] === y && rotation[at + 2] === 0 && rotation[at + 3] === w)
		return;
	write(world, LocalTransform, 'rotation').set([0, y, 0, w], at);
}
