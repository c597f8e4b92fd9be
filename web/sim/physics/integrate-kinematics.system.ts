/**
 * System that moves Kinematic bodies without a collider. They touch nothing, so they need no physics library.
 * Owns: their motion and rotation.
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
	run: integrate,
};

function integrate(world: World): void {
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
		const start = slot * 3;
		const [x, y, z] = [linear[start]!, linear[start + 1]!, linear[start + 2]!];
		const isRotating = angular[start] !== 0 || angular[start + 1] !== 0 || angular[start + 2] !== 0;
		if (x === 0 && y === 0 && z === 0 && !isRotating) return;
		if (children !== null && hasBit(children, slot) && parentOf(world, slot) !== null) return;
		if (x !== 0 || y !== 0 || z !== 0) {
			position ??= write(world, LocalTransform, 'position') as Float32Array;
			position[start] = clampToBounds(position[start]! + x * DT);
			position[start + 1] = clampToBounds(position[start + 1]! + y * DT);
			position[start + 2] = clampToBounds(position[start + 2]! + z * DT);
		}
		if (isRotating) {
			const rotation = write(world, LocalTransform, 'rotation') as Float32Array;
			rotateByVelocity(rotation, slot * 4, angular, start);
		}
	});
}

/** Maximum angular speed (rad/s): several turns per tick. A faster rotation would look the same. */
const MAX_SPIN = 2e3;

/** Rotates a unit quaternion by an angular velocity (rad/s) about the axes of the world, for one tick. */
function rotateByVelocity(
	rotation: Float32Array,
	rotationStart: number,
	angular: { readonly [index: number]: number },
	angularStart: number,
): void {
	const [ax, ay, az] = [angular[angularStart]!, angular[angularStart + 1]!, angular[angularStart + 2]!];
	const speed = Math.sqrt(ax * ax + ay * ay + az * az);
	const [sin, cos] = sinCos((Math.min(speed, MAX_SPIN) * DT) / 2);
	const [x, y, z, w] = [(ax / speed) * sin, (ay / speed) * sin, (az / speed) * sin, cos];
	const rx = rotation[rotationStart]!;
	const ry = rotation[rotationStart + 1]!;
	const rz = rotation[rotationStart + 2]!;
	const rw = rotation[rotationStart + 3]!;
	const q = [
		w * rx + x * rw + y * rz - z * ry,
		w * ry - x * rz + y * rw + z * rx,
		w * rz + x * ry - y * rx + z * rw,
		w * rw - x * rx - y * ry - z * rz,
	] as const;
	const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	for (let i = 0; i < 4; i++) rotation[rotationStart + i] = q[i]! / length;
}

/** Returns sine and cosine of a small angle, equal on every computer: series for angle / 32, then five doublings. */
function sinCos(angle: number): [number, number] {
	const smallAngle = angle / 32;
	const square = smallAngle * smallAngle;
	let sin = smallAngle * (1 - (square / 6) * (1 - (square / 20) * (1 - square / 42)));
	let cos = 1 - (square / 2) * (1 - (square / 12) * (1 - (square / 30) * (1 - square / 56)));
	for (let i = 0; i < 5; i++) [sin, cos] = [2 * sin * cos, cos * cos - sin * sin];
	return [sin, cos];
}
