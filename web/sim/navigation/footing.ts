/**
 * Velocities of entities on a navigation mesh. Owns: keeping them on the mesh, and their vertical velocity on slopes.
 */

import { DT } from '../core/clock.ts';
import { spend } from '../core/tick-budget.ts';
import type { World } from '../core/world.ts';
import { maxCellsOnLine, walkLine } from './line.ts';
import { heightAt, type NavMesh } from './mesh.ts';
import { maxLineCells } from './settings.ts';

/** Maximum number of tested lines for one step: three candidates, and the chosen one. */
const LINES_PER_STEP = 4;

type Velocity = readonly [x: number, z: number];

/** A walker at a position (m). */
interface Walker {
	readonly x: number;
	readonly y: number;
	readonly z: number;
}

/** Returns a velocity that does not lead off the mesh: the velocity itself, or its part along one axis, or zero. */
export function keepOnMesh(
	world: World,
	mesh: NavMesh,
	place: number,
	{ x, z }: Walker,
	[vx, vz]: Velocity,
): Velocity {
	// An entity that was pushed off the mesh may move freely.
	if (place < 0) return [vx, vz];
	spend(world, 'searched', LINES_PER_STEP * maxCellsOnLine(mesh, vx * DT, vz * DT));
	const isOnMesh = (a: number, b: number) => walkLine(mesh, place, [x, z], [x + a * DT, z + b * DT]) !== null;
	if (isOnMesh(vx, vz)) return [vx, vz];
	if (isOnMesh(vx, 0)) return [vx, 0];
	if (isOnMesh(0, vz)) return [0, vz];
	return [0, 0];
}

/** Returns the maximum search cost of a step of one entity. */
export const maxStepCost = (world: World): number => LINES_PER_STEP * maxLineCells(world);

/** Returns the vertical velocity that keeps an entity at its height above the ground (m/s), at most `maxSpeed`. */
export function verticalVelocity(
	mesh: NavMesh,
	place: number,
	{ x, y, z }: Walker,
	lift: number,
	[vx, vz]: Velocity,
	maxSpeed: number,
): number {
	if (place < 0) return 0;
	const [toX, toZ] = [x + vx * DT, z + vz * DT];
	const nextPlace = walkLine(mesh, place, [x, z], [toX, toZ])?.place ?? place;
	const speed = (heightAt(mesh, nextPlace, toX, toZ) + lift - y) / DT;
	return Math.min(maxSpeed, Math.max(-maxSpeed, speed));
}
