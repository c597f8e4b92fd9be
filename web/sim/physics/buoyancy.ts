/**
 * Forces of water on Dynamic bodies: lift (Archimedes), resistance, waves and flow.
 * Owns: the forces of one tick. They are set before the library steps and cleared after it.
 *
 * A body is treated as eight equal parts of its box. Each displaces water by the share of its height that is below the
 * surface, so that a tilted body rights itself. The forces are computed for the velocity at the end of the tick (implicit
 * Euler), so that light bodies settle instead of jumping. A body in water does not sleep.
 */

import type { World as RapierWorld, RigidBody } from '@dimforge/rapier3d-compat';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Mass } from '../../../shared/components/mass.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { Water } from '../../../shared/components/water.ts';
import { DT } from '../core/clock.ts';
import { comingTick } from '../core/coming-tick.ts';
import { type Rotation, rotatedAbout, type Vector } from '../core/math/vector.ts';
import { count, has, read, type World } from '../core/world.ts';
import { heightAt, isOver, riseAt, type Swell, swellAt, type WaterEntity, watersOf } from '../water/water.ts';
import { colliderAt } from './geometry.ts';
import { DYNAMIC, type Mirror } from './mirror.ts';
import { type Volume, volumeOf } from './volume.ts';

/** Share of its velocity in water that a body loses per second if it displaces its own mass (1/s). */
const RESISTANCE = 2;
/** Resistance to rotation as a multiple of the resistance to motion. */
const ANGULAR_FACTOR = 2;
/** Share by which the resistance grows with each m/s. */
const RESISTANCE_PER_SPEED = 0.5;

/** Returns the mass of a Dynamic body (kg). */
export const massOf = (world: World, slot: number): number =>
	has(world, slot, Mass) ? read(world, Mass, 'kilograms')[slot]! : 1;

type MovingWater = WaterEntity & Swell;

/** Pose and shape of a body. */
interface Floater {
	readonly position: Vector;
	readonly rotation: Rotation;
	readonly shape: Volume;
	/** Distance of its farthest corner from its origin (m). */
	readonly reach: number;
}

/** Sets the forces of all waters on bodies. Returns a function that clears them. */
export function applyWaterForces(
	world: World,
	mirror: Mirror,
	live: RapierWorld,
	gravity: number,
): () => void {
	const pushedBodies: RigidBody[] = [];
	if (count(world, Water) === 0) return () => {};
	const tick = comingTick(world);
	const waters = watersOf(world).map((water): MovingWater => ({ ...water, ...swellAt(water, tick) }));
	const position = read(world, LocalTransform, 'position');
	const rotation = read(world, LocalTransform, 'rotation');
	const linear = read(world, Velocity, 'linear');
	for (let slot = 0; slot < mirror.kind.length; slot++) {
		if (mirror.kind[slot] !== DYNAMIC || mirror.shape[slot] === 0) continue;
		const shape = volumeOf(world, colliderAt(world, slot));
		if (shape === null) continue;
		const point: Vector = [position[slot * 3]!, position[slot * 3 + 1]!, position[slot * 3 + 2]!];
		const start = slot * 4;
		const floater = {
			position: point,
			rotation: [rotation[start]!, rotation[start + 1]!, rotation[start + 2]!, rotation[start + 3]!] as const,
			shape,
			reach: length(shape.middle) + length(shape.half),
		};
		const water = waters.find((water) => isInReach(water, floater));
		if (water === undefined) continue;
		const immersion = immersionOf(water, floater);
		if (immersion.volume === 0) continue;
		const body = live.getRigidBody(mirror.body[slot]!);
		const velocity: Vector = [linear[slot * 3]!, linear[slot * 3 + 1]!, linear[slot * 3 + 2]!];
		applyForces(body, water, floater, immersion, { mass: massOf(world, slot), velocity, gravity });
		pushedBodies.push(body);
	}
	return () => {
		for (const body of pushedBodies) {
			body.resetForces(false);
			body.resetTorques(false);
			body.setAngularDamping(0);
		}
	};
}

const length = ([x, y, z]: Vector): number => Math.sqrt(x * x + y * y + z * z);

function isInReach(water: MovingWater, { position: [x, y, z], reach }: Floater): boolean {
	const { level, depth, wave_height } = water;
	return y - reach < level + wave_height && y + reach > level - depth && isOver(water, x, z);
}

/** Part of a body that is under water. */
interface Immersion {
	/** Volume under water (m³). */
	readonly volume: number;
	/** Growth of the volume for each metre that the water rises (m²). */
	readonly plane: number;
	/** Sum over the parts of volume times distance from the origin of the entity, along x and z. */
	readonly momentX: number;
	readonly momentZ: number;
}

const SIDES = [-0.5, 0.5] as const;

function immersionOf(water: MovingWater, { position, rotation, shape }: Floater): Immersion {
	const { level, depth } = water;
	if (shape.isBall) {
		const [x, y, z] = position;
		const diameter = 2 * shape.half[1];
		const unclamped = (level + heightAt(water, x, z) - y) / diameter + 0.5;
		const share = Math.min(1, Math.max(0, unclamped));
		// Volume of a cap of a ball, by its share of the ball's height.
		const volume = shape.volume * share * share * (3 - 2 * share);
		return { volume, plane: (shape.volume * 6 * share * (1 - share)) / diameter, momentX: 0, momentZ: 0 };
	}
	const partHeight = halfHeight(rotation, shape.half);
	let [volume, plane, momentX, momentZ] = [0, 0, 0, 0];
	for (const i of SIDES)
		for (const j of SIDES)
			for (const k of SIDES) {
				const [x, y, z] = rotatedAbout(
					rotation,
					[
						shape.middle[0] + i * shape.half[0],
						shape.middle[1] + j * shape.half[1],
						shape.middle[2] + k * shape.half[2],
					],
					position,
				);
				if (!isOver(water, x, z) || y < level - depth) continue;
				const share = (level + heightAt(water, x, z) - y) / partHeight + 0.5;
				if (share <= 0) continue;
				const partVolume = (shape.volume / 8) * Math.min(1, share);
				volume += partVolume;
				momentX += partVolume * (x - position[0]);
				momentZ += partVolume * (z - position[2]);
				if (share < 1) plane += shape.volume / 8 / partHeight;
			}
	return { volume, plane, momentX, momentZ };
}

/** Returns half of the height of a rotated box, which is the height of each of its eight parts (m). */
function halfHeight([x, y, z, w]: Rotation, [hx, hy, hz]: Vector): number {
	return (
		Math.abs(2 * (x * y + z * w)) * hx +
		Math.abs(1 - 2 * (x * x + z * z)) * hy +
		Math.abs(2 * (y * z - x * w)) * hz
	);
}

interface Motion {
	/** Kilograms. */
	readonly mass: number;
	/** Metres per second. */
	readonly velocity: Vector;
	/** Acceleration downwards (m/s²). */
	readonly gravity: number;
}

function applyForces(
	body: RigidBody,
	water: MovingWater,
	floater: Floater,
	immersion: Immersion,
	motion: Motion,
): void {
	const { mass, velocity, gravity } = motion;
	const [vx, vy, vz] = velocity;
	const [x, , z] = floater.position;
	const [fx, fy, fz] = [water.flow[0]!, riseAt(water, x, z), water.flow[1]!];
	const densityPerMass = water.density / mass;
	const downwards = Math.max(0, gravity);
	const lift = densityPerMass * downwards * immersion.volume;
	const stiffness = densityPerMass * downwards * immersion.plane;
	const speed = length([vx - fx, vy - fy, vz - fz]);
	const resistance =
		RESISTANCE * water.drag * (1 + RESISTANCE_PER_SPEED * speed) * densityPerMass * immersion.volume;
	const horizontalDamping = 1 / (1 + DT * resistance);
	const verticalDamping = 1 / (1 + DT * resistance + DT * DT * stiffness);
	const nextVy = (vy + DT * (lift - gravity) + DT * (resistance + DT * stiffness) * fy) * verticalDamping;
	const force = {
		x: mass * resistance * (fx - vx) * horizontalDamping,
		y: mass * ((nextVy - vy) / DT + gravity),
		z: mass * resistance * (fz - vz) * horizontalDamping,
	};
	body.addForce(force, true);
	// Only the lift rotates the body, about its centre of mass.
	const centre = body.worldCom();
	const liftPerVolume = (mass * lift * verticalDamping) / immersion.volume;
	const armX = immersion.momentX + immersion.volume * (x - centre.x);
	const armZ = immersion.momentZ + immersion.volume * (z - centre.z);
	body.addTorque({ x: -liftPerVolume * armZ, y: 0, z: liftPerVolume * armX }, true);
	body.setAngularDamping(ANGULAR_FACTOR * resistance);
}
