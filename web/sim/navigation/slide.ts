/**
 * Makes walkers slide along obstacles.
 * Owns: estimating the direction of an obstacle from the walkable cells near it. It never leads off the mesh.
 */

import { Grounded } from '../../../shared/components/grounded.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { spend } from '../core/tick-budget.ts';
import { has, read, type World } from '../core/world.ts';
import { parentOf } from '../transform/hierarchy.ts';
import { keepOnMesh, maxStepCost } from './footing.ts';
import { type NavMesh, placeAt, stepTo } from './mesh.ts';
import { navigationOf } from './navigation.part.ts';
import { isKinematic } from './path.ts';
import { navmeshOf } from './settings.ts';

type Velocity = readonly [x: number, z: number];

/** Number of cells to either side, and ahead of each, that are used to estimate the direction of an obstacle. */
const VIEW_CELLS = 3;
/** Maximum number of tested steps for two places. */
const MAX_STEPS = 2 * (2 * VIEW_CELLS + 1) * (VIEW_CELLS + 1);
/** An entity with at least this share of its speed is not blocked. */
const FREE_SHARE = 0.3;
/** Slope (cells ahead per cell to the side) below which an obstacle counts as a wall across the path. */
const MIN_SLOPE = 0.12;

/** The four directions of the mesh. */
const [EAST, SOUTH, WEST, NORTH] = [0, 1, 2, 3] as const;

/** Returns the velocity of a grounded entity: along an obstacle if it meets one at an angle, otherwise unchanged. */
export function slideAlongObstacle(world: World, slot: number, velocity: Velocity): Velocity {
	if (!has(world, slot, Grounded) || navmeshOf(world) === null) return velocity;
	if (!isKinematic(world, slot) || parentOf(world, slot) !== null) return velocity;
	const { mesh } = navigationOf(world);
	if (mesh === null) return velocity;
	const position = read(world, LocalTransform, 'position');
	const [x, z] = [position[slot * 3]!, position[slot * 3 + 2]!];
	const y = position[slot * 3 + 1]! - read(world, Grounded, 'height')[slot]!;
	const place = placeAt(mesh, x, y, z);
	if (place < 0) return velocity;
	const free = keepOnMesh(world, mesh, place, { x, y, z }, velocity);
	if (squaredSpeed(free) >= FREE_SHARE * FREE_SHARE * squaredSpeed(velocity)) return velocity;
	spend(world, 'searched', MAX_STEPS);
	const ahead = directionOf(velocity);
	const slope = slopeAhead(mesh, place, ahead);
	if (Math.abs(slope) < MIN_SLOPE) return velocity;
	// If the obstacle ahead of the next cell slopes back, this is a notch, and sliding leads nowhere.
	const next = stepTo(mesh, place, slope > 0 ? rightOf(ahead) : leftOf(ahead));
	if (next < 0 || (stepTo(mesh, next, ahead) < 0 && slopeAhead(mesh, next, ahead) * slope < 0))
		return velocity;
	return projectOnSlope(velocity, ahead, slope);
}

/** Returns the maximum search cost for one entity. */
export const maxSlideCost = (world: World): number => MAX_STEPS + maxStepCost(world);

const squaredSpeed = ([x, z]: Velocity): number => x * x + z * z;
const rightOf = (direction: number): number => (direction + 1) % 4;
const leftOf = (direction: number): number => (direction + 3) % 4;

/** Returns the direction of the mesh that is nearest to a velocity. */
function directionOf([x, z]: Velocity): number {
	if (Math.abs(x) >= Math.abs(z)) return x > 0 ? EAST : WEST;
	return z > 0 ? SOUTH : NORTH;
}

/** Projects a velocity onto a line that goes `slope` cells ahead for each cell to the right. */
function projectOnSlope([x, z]: Velocity, ahead: number, slope: number): Velocity {
	const line: Velocity =
		ahead === EAST ? [slope, 1] : ahead === SOUTH ? [-1, slope] : ahead === WEST ? [-slope, -1] : [1, -slope];
	const share = (x * line[0] + z * line[1]) / squaredSpeed(line);
	return [line[0] * share, line[1] * share];
}

/**
 * Returns the slope of the obstacle ahead of a place, in cells ahead per cell to the right. It is a least-squares fit of the
 * free cells. Beyond a blocked cell to the side, the last number of free cells is used.
 */
function slopeAhead(mesh: NavMesh, place: number, ahead: number): number {
	const here = freeAhead(mesh, place, ahead);
	let [sum, squares] = [0, 0];
	for (const [side, sign] of [
		[rightOf(ahead), 1],
		[leftOf(ahead), -1],
	] as const) {
		let current = place;
		let free = here;
		for (let distance = 1; distance <= VIEW_CELLS; distance++) {
			current = current < 0 ? -1 : stepTo(mesh, current, side);
			if (current >= 0) free = freeAhead(mesh, current, ahead);
			sum += sign * distance * (free - here);
			squares += distance * distance;
		}
	}
	return sum / squares;
}

/** Returns the number of free cells ahead of a place. */
function freeAhead(mesh: NavMesh, place: number, ahead: number): number {
	let free = 0;
	for (
		let current = stepTo(mesh, place, ahead);
		current >= 0 && free < VIEW_CELLS;
		current = stepTo(mesh, current, ahead)
	)
		free++;
	return free;
}
