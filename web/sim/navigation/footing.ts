/**
 * Velocities of entities that walk on a navigation mesh. Owns: that none leads off it, and how fast they rise and
 * sink with the ground.
 */

import { DT } from '../core/clock.ts';
import { spend } from '../core/tick-budget.ts';
import type { World } from '../core/world.ts';
import { cellsMet, walkLine } from './line.ts';
import { heightAt, type NavMesh } from './mesh.ts';
import { longestLine } from './settings.ts';

/** Lines that are looked along for one step: three at most that it could take, and the one that it does. */
const LINES = 4;

type Velocity = readonly [x: number, z: number];

/** A walker at a position (m). */
interface Walker {
	readonly x: number;
	readonly y: number;
	readonly z: number;
}

/** Returns a velocity that does not lead off the mesh: along one axis alone where both do. */
export function onMesh(
	world: World,
	mesh: NavMesh,
	place: number,
	{ x, z }: Walker,
	[vx, vz]: Velocity,
): Velocity {
	// An entity that was pushed off finds back by itself.
	if (place < 0) return [vx, vz];
	spend(world, 'searched', LINES * cellsMet(mesh, vx * DT, vz * DT));
	const leads = (a: number, b: number) => walkLine(mesh, place, [x, z], [x + a * DT, z + b * DT]) !== null;
	if (leads(vx, vz)) return [vx, vz];
	if (leads(vx, 0)) return [vx, 0];
	if (leads(0, vz)) return [0, vz];
	return [0, 0];
}

/** Returns the most that it looks at for one entity. */
export const mostToStep = (world: World): number => LINES * longestLine(world);

/** Returns the vertical velocity that keeps an entity at its height above the ground (m/s), at most `most`. */
export function climb(
	mesh: NavMesh,
	place: number,
	{ x, y, z }: Walker,
	lift: number,
	[vx, vz]: Velocity,
	most: number,
): number {
	if (place < 0) return 0;
	const [toX, toZ] = [x + vx * DT, z + vz * DT];
	const to = walkLine(mesh, place, [x, z], [toX, toZ])?.place ?? place;
	const up = (heightAt(mesh, to, toX, toZ) + lift - y) / DT;
	return Math.min(most, Math.max(-most, up));
}
