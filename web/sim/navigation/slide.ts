/**
 * Walking along obstacles.
 * Owns: the direction of the obstacle, from the walkable cells near it. Never: leads off the mesh.
 */

import { Grounded } from '../../../shared/components/grounded.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { spend } from '../core/tick-budget.ts';
import { has, read, type World } from '../core/world.ts';
import { parentOf } from '../transform/hierarchy.ts';
import { mostToStep, onMesh } from './footing.ts';
import { type NavMesh, placeAt, stepTo } from './mesh.ts';
import { navigationOf } from './navigation.part.ts';
import { floats } from './path.ts';
import { navmeshOf } from './settings.ts';

type Velocity = readonly [x: number, z: number];

/** Cells to either side, and ahead of each, that tell how what is ahead lies. */
const CELLS = 3;
/** Maximum number of steps that are looked at for two places. */
const STEPS = 2 * (2 * CELLS + 1) * (CELLS + 1);
/** An entity at this share of its speed or more is not held up. */
const GOING = 0.3;
/** Cells ahead for each to the side: what lies straighter in the way than this is a wall. */
const ASLANT = 0.12;

/** East, south, west and north: the four ways of the mesh. */
const [EAST, SOUTH, WEST, NORTH] = [0, 1, 2, 3] as const;

/** Returns the velocity of a grounded entity for a wanted one: along an obstacle, if it meets it at an angle. */
export function slid(world: World, slot: number, velocity: Velocity): Velocity {
	if (!has(world, slot, Grounded) || navmeshOf(world) === null) return velocity;
	if (!floats(world, slot) || parentOf(world, slot) !== null) return velocity;
	const { mesh } = navigationOf(world);
	if (mesh === null) return velocity;
	const position = read(world, LocalTransform, 'position');
	const [x, z] = [position[slot * 3]!, position[slot * 3 + 2]!];
	const y = position[slot * 3 + 1]! - read(world, Grounded, 'height')[slot]!;
	const place = placeAt(mesh, x, y, z);
	if (place < 0) return velocity;
	const free = onMesh(world, mesh, place, { x, y, z }, velocity);
	if (square(free) >= GOING * GOING * square(velocity)) return velocity;
	spend(world, 'searched', STEPS);
	const ahead = wayOf(velocity);
	const slope = slopeAhead(mesh, place, ahead);
	if (Math.abs(slope) < ASLANT) return velocity;
	// Where what is ahead of the next cell leads back again, this is a notch, and the way on leads nowhere.
	const next = stepTo(mesh, place, slope > 0 ? right(ahead) : left(ahead));
	if (next < 0 || (stepTo(mesh, next, ahead) < 0 && slopeAhead(mesh, next, ahead) * slope < 0))
		return velocity;
	return partAlong(velocity, ahead, slope);
}

/** Returns the most that it looks at for one entity. */
export const mostToSlide = (world: World): number => STEPS + mostToStep(world);

const square = ([x, z]: Velocity): number => x * x + z * z;
const right = (way: number): number => (way + 1) % 4;
const left = (way: number): number => (way + 3) % 4;

/** Returns the way of the mesh that a velocity goes most. */
function wayOf([x, z]: Velocity): number {
	if (Math.abs(x) >= Math.abs(z)) return x > 0 ? EAST : WEST;
	return z > 0 ? SOUTH : NORTH;
}

/** Returns the part of a velocity along a line that goes `slope` ahead for each 1 to the right. */
function partAlong([x, z]: Velocity, ahead: number, slope: number): Velocity {
	const line: Velocity =
		ahead === EAST ? [slope, 1] : ahead === SOUTH ? [-1, slope] : ahead === WEST ? [-slope, -1] : [1, -slope];
	const share = (x * line[0] + z * line[1]) / square(line);
	return [line[0] * share, line[1] * share];
}

/**
 * Returns the slope of the obstacle ahead of a place: cells further ahead for each to the right, by the least squares
 * of the free cells before it. An unseen part to the side is taken to continue straight.
 */
function slopeAhead(mesh: NavMesh, place: number, ahead: number): number {
	const here = freeAhead(mesh, place, ahead);
	let [sum, squares] = [0, 0];
	for (const [side, sign] of [
		[right(ahead), 1],
		[left(ahead), -1],
	] as const) {
		let at = place;
		let free = here;
		for (let aside = 1; aside <= CELLS; aside++) {
			at = at < 0 ? -1 : stepTo(mesh, at, side);
			if (at >= 0) free = freeAhead(mesh, at, ahead);
			sum += sign * aside * (free - here);
			squares += aside * aside;
		}
	}
	return sum / squares;
}

/** Returns the number of free cells ahead of a place. */
function freeAhead(mesh: NavMesh, place: number, ahead: number): number {
	let free = 0;
	for (let at = stepTo(mesh, place, ahead); at >= 0 && free < CELLS; at = stepTo(mesh, at, ahead)) free++;
	return free;
}
