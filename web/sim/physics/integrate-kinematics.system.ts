/**
 * Moves Kinematic bodies without a collider: they touch nothing, so their velocity is all there is to it.
 * Owns: which bodies move in this way, rather than by the physics library.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { wordIndex } from '../../../shared/contract/component.ts';
import { hasBit } from '../core/bits.ts';
import { DT } from '../core/clock.ts';
import type { System } from '../core/system.ts';
import { count, each, presence, read, type World, write } from '../core/world.ts';
import { clampToBounds } from '../space/bounds.ts';
import { parentOf } from '../transform/hierarchy.ts';

const KINEMATIC = wordIndex(PhysicsBody, 'kind', 'Kinematic');

export const integrateKinematics: System = {
	name: 'integrate-kinematics',
	needs: [PhysicsBody],
	access: {
		reads: [
			'collider',
			'local_transform.position',
			'local_transform.rotation',
			'parent',
			'physics_body.kind',
			'velocity',
		],
		writes: ['local_transform.position', 'local_transform.rotation'],
	},
	run,
};

function run(world: World): void {
	if (count(world, PhysicsBody) === 0 || count(world, Velocity) === 0) return;
	const kind = read(world, PhysicsBody, 'kind') as Uint8Array;
	if (!kind.includes(KINEMATIC)) return;
	const linear = read(world, Velocity, 'linear');
	const angular = read(world, Velocity, 'angular');
	const colliders = presence(world, Collider);
	const children = count(world, Parent) === 0 ? null : presence(world, Parent);
	let position: Float32Array | null = null;
	each(world, [PhysicsBody, Velocity, LocalTransform], (slot) => {
		if (kind[slot] !== KINEMATIC || hasBit(colliders, slot)) return;
		const at = slot * 3;
		const [x, y, z] = [linear[at]!, linear[at + 1]!, linear[at + 2]!];
		const turns = angular[at] !== 0 || angular[at + 1] !== 0 || angular[at + 2] !== 0;
		if (x === 0 && y === 0 && z === 0 && !turns) return;
		if (children !== null && hasBit(children, slot) && parentOf(world, slot) !== null) return;
		if (x !== 0 || y !== 0 || z !== 0) {
			position ??= write(world, LocalTransform, 'position') as Float32Array;
			position[at] = clampToBounds(position[at]! + x * DT);
			position[at + 1] = clampToBounds(position[at + 1]! + y * DT);
			position[at + 2] = clampToBounds(position[at + 2]! + z * DT);
		}
		if (turns) turn(write(world, LocalTransform, 'rotation') as Float32Array, slot * 4, angular, at);
	});
}

/** Many turns a tick: what spins faster looks no different (rad/s). */
const FASTEST_SPIN = 2e3;

/** Turns a unit quaternion by an angular velocity (rad/s) for one tick, about axes of the world. */
function turn(
	rotation: Float32Array,
	to: number,
	angular: { readonly [index: number]: number },
	from: number,
): void {
	const [ax, ay, az] = [angular[from]!, angular[from + 1]!, angular[from + 2]!];
	const speed = Math.sqrt(ax * ax + ay * ay + az * az);
	const [sin, cos] = sinCos((Math.min(speed, FASTEST_SPIN) * DT) / 2);
	const [x, y, z, w] = [(ax / speed) * sin, (ay / speed) * sin, (az / speed) * sin, cos];
	const [rx, ry, rz, rw] = [rotation[to]!, rotation[to + 1]!, rotation[to + 2]!, rotation[to + 3]!];
	const q = [
		w * rx + x * rw + y * rz - z * ry,
		w * ry - x * rz + y * rw + z * rx,
		w * rz + x * ry - y * rx + z * rw,
		w * rw - x * rx - y * ry - z * rz,
	] as const;
	const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	for (let i = 0; i < 4; i++) rotation[to + i] = q[i]! / length;
}

/** Sine and cosine of a small angle, the same on every machine: series of a 32nd of it, doubled five times. */
function sinCos(angle: number): [number, number] {
	const part = angle / 32;
	const square = part * part;
	let sin = part * (1 - (square / 6) * (1 - (square / 20) * (1 - square / 42)));
	let cos = 1 - (square / 2) * (1 - (square / 12) * (1 - (square / 30) * (1 - square / 56)));
	for (let i = 0; i < 5; i++) [sin, cos] = [2 * sin * cos, cos * cos - sin * sin];
	return [sin, cos];
}
