/**
 * Forces of water on Dynamic bodies: lift by Archimedes, resistance, and what waves and flow add.
 * Owns: the forces of one tick. They are set before the library steps and cleared after it, so that nothing of them is kept.
 *
 * A body is eight equal parts of its box. Each displaces water by the share of its height that is below the surface, so
 * that a tilted body rights itself. Force and resistance are worked out for the velocity at the end of the tick (implicit
 * Euler): light bodies settle instead of leaping. A body that water touches does not sleep.
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
import { heightAt, isOver, riseAt, type Swell, swellAt, type WaterHere, watersOf } from '../water/water.ts';
import { colliderAt } from './geometry.ts';
import { DYNAMIC, type Mirror } from './mirror.ts';
import { type Volume, volumeOf } from './volume.ts';

/** Share of its velocity through the water that a body loses in a second, if it displaces its own mass (1/s). */
const RESISTANCE = 2;
/** Resistance to turning as a multiple of that to moving. */
const TURNING = 2;
/** Share by which resistance grows with each m/s. */
const FASTER = 0.5;

/** Mass of a Dynamic body (kg). */
export const massOf = (world: World, slot: number): number =>
	has(world, slot, Mass) ? read(world, Mass, 'kilograms')[slot]! : 1;

type Sea = WaterHere & Swell;

/** A body with where it is. */
interface Floater {
	readonly position: Vector;
	readonly rotation: Rotation;
	readonly shape: Volume;
	/** Distance of its farthest corner from its origin (m). */
	readonly reach: number;
}

/** Sets the forces of all waters. Returns a function that clears them. */
export function pushByWater(world: World, mirror: Mirror, live: RapierWorld, gravity: number): () => void {
	const pushed: RigidBody[] = [];
	if (count(world, Water) === 0) return () => {};
	const tick = comingTick(world);
	const seas = watersOf(world).map((water): Sea => ({ ...water, ...swellAt(water, tick) }));
	const position = read(world, LocalTransform, 'position');
	const rotation = read(world, LocalTransform, 'rotation');
	const linear = read(world, Velocity, 'linear');
	for (let slot = 0; slot < mirror.kind.length; slot++) {
		if (mirror.kind[slot] !== DYNAMIC || mirror.shape[slot] === 0) continue;
		const shape = volumeOf(world, colliderAt(world, slot));
		if (shape === null) continue;
		const point: Vector = [position[slot * 3]!, position[slot * 3 + 1]!, position[slot * 3 + 2]!];
		const at = slot * 4;
		const floater = {
			position: point,
			rotation: [rotation[at]!, rotation[at + 1]!, rotation[at + 2]!, rotation[at + 3]!] as const,
			shape,
			reach: length(shape.middle) + length(shape.half),
		};
		const sea = seas.find((sea) => touches(sea, floater));
		if (sea === undefined) continue;
		const sunk = immersed(sea, floater);
		if (sunk.volume === 0) continue;
		const body = live.getRigidBody(mirror.body[slot]!);
		const velocity: Vector = [linear[slot * 3]!, linear[slot * 3 + 1]!, linear[slot * 3 + 2]!];
		push(body, sea, floater, sunk, { mass: massOf(world, slot), velocity, gravity });
		pushed.push(body);
	}
	return () => {
		for (const body of pushed) {
			body.resetForces(false);
			body.resetTorques(false);
			body.setAngularDamping(0);
		}
	};
}

const length = ([x, y, z]: Vector): number => Math.sqrt(x * x + y * y + z * z);

function touches(sea: Sea, { position: [x, y, z], reach }: Floater): boolean {
	const { level, depth, wave_height } = sea;
	return y - reach < level + wave_height && y + reach > level - depth && isOver(sea, x, z);
}

/** Part of a body that is under water. */
interface Immersed {
	/** Volume of it (m³), and by how much that grows for each metre that the water rises (m²). */
	readonly volume: number;
	readonly plane: number;
	/** Sum over the parts of volume times distance from the origin of the entity, along x and z. */
	readonly momentX: number;
	readonly momentZ: number;
}

const SIDES = [-0.5, 0.5] as const;

function immersed(sea: Sea, { position, rotation, shape }: Floater): Immersed {
	const { level, depth } = sea;
	if (shape.isBall) {
		const [x, y, z] = position;
		const high = 2 * shape.half[1];
		const share = (level + heightAt(sea, x, z) - y) / high + 0.5;
		const sunk = Math.min(1, Math.max(0, share));
		// A cap of a ball, by its share of the ball's height.
		const volume = shape.volume * sunk * sunk * (3 - 2 * sunk);
		return { volume, plane: (shape.volume * 6 * sunk * (1 - sunk)) / high, momentX: 0, momentZ: 0 };
	}
	const tall = halfHeight(rotation, shape.half);
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
				if (!isOver(sea, x, z) || y < level - depth) continue;
				const share = (level + heightAt(sea, x, z) - y) / tall + 0.5;
				if (share <= 0) continue;
				const part = (shape.volume / 8) * Math.min(1, share);
				volume += part;
				momentX += part * (x - position[0]);
				momentZ += part * (z - position[2]);
				if (share < 1) plane += shape.volume / 8 / tall;
			}
	return { volume, plane, momentX, momentZ };
}

/** Half of the height of a turned box: the height of each of its eight parts (m). */
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
	/** Downwards (m/s²). */
	readonly gravity: number;
}

function push(body: RigidBody, sea: Sea, floater: Floater, sunk: Immersed, motion: Motion): void {
	const { mass, velocity, gravity } = motion;
	const [vx, vy, vz] = velocity;
	const [x, , z] = floater.position;
	const [fx, fy, fz] = [sea.flow[0]!, riseAt(sea, x, z), sea.flow[1]!];
	const heavy = sea.density / mass;
	const down = Math.max(0, gravity);
	const lift = heavy * down * sunk.volume;
	const stiff = heavy * down * sunk.plane;
	const speed = length([vx - fx, vy - fy, vz - fz]);
	const resistance = RESISTANCE * sea.drag * (1 + FASTER * speed) * heavy * sunk.volume;
	const along = 1 / (1 + DT * resistance);
	const upright = 1 / (1 + DT * resistance + DT * DT * stiff);
	const rises = (vy + DT * (lift - gravity) + DT * (resistance + DT * stiff) * fy) * upright;
	const force = {
		x: mass * resistance * (fx - vx) * along,
		y: mass * ((rises - vy) / DT + gravity),
		z: mass * resistance * (fz - vz) * along,
	};
	body.addForce(force, true);
	// The lift alone turns the body, about its centre of mass.
	const centre = body.worldCom();
	const each = (mass * lift * upright) / sunk.volume;
	const armX = sunk.momentX + sunk.volume * (x - centre.x);
	const armZ = sunk.momentZ + sunk.volume * (z - centre.z);
	body.addTorque({ x: -each * armZ, y: 0, z: each * armX }, true);
	body.setAngularDamping(TURNING * resistance);
}
