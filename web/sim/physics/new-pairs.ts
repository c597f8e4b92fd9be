/**
 * Number of pairs of bodies that the physics library would have to look at for the first time in its next step.
 * Owns: the most that it is given. It notes every pair whose boxes meet, of obstacles too, at some 24 bytes each: 70,000
 * spheres on one point are 2.4 billion pairs, which is more than its memory holds.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { count, each, has, read, type World } from '../core/world.ts';
import { type Box, boxTree, pairsWithin, type Tally } from './box-tree.ts';
import { MAX_CROWD, requireFewOverlaps } from './crowding.ts';
import { colliderAt, extent } from './geometry.ts';
import { NONE } from './mirror.ts';
import { boxAround } from './overlap.ts';
import type { PhysicsState } from './physics.part.ts';
import { isSynced, type Wanted, wanted } from './sync-bodies.ts';

/** Limits of the library in one world: bodies, some 8 KiB each in a dense pile, and pairs that meet on one step. */
const MOST = { bodies: 100_000, pairs: 10_000_000 };

/**
 * Throws `world_full` when a world has more bodies than the library is given, and `too_crowded` when those that are new
 * or were put elsewhere since its last step meet too many others. Changes nothing.
 */
export function requireFewPairs(state: PhysicsState, world: World, most = MOST): void {
	// So few cannot meet too often, wherever they are, and a body without a collider meets none.
	const few = count(world, Collider) <= MAX_CROWD && count(world, PhysicsBody) <= most.bodies;
	if (few || isSynced(world, state)) return;
	const { slots, fresh } = bodiesOf(world, state);
	const bodies = slots.length;
	// Calls that bring one are refused one by one; this is for bodies that came to their places in other ways,
	// many together.
	if (fresh > MAX_CROWD && state.mirror.lost === null) requireFewOverlaps(world);
	if (bodies > most.bodies)
		throw new ApiError('world_full', `The world has ${bodies} physics bodies; the limit is ${most.bodies}.`, {
			fix: 'Despawn some, or remove "physics_body" from entities that need no collisions.',
		});
	if (fresh * bodies <= most.pairs) return;
	if (pairsUpTo(boxesOf(world, slots), most.pairs) < most.pairs) return;
	throw new ApiError(
		'too_crowded',
		`More than ${most.pairs} pairs of the ${bodies} bodies overlap, which is the limit of the physics library.`,
		{ fix: 'Move the overlapping bodies and obstacles apart, or despawn some of them.' },
	);
}

/** Slots of all bodies for the library, and how many of them it has not got, or has elsewhere. */
function bodiesOf(world: World, { mirror }: PhysicsState): { slots: number[]; fresh: number } {
	const want: Wanted = { kind: NONE, shape: 0 };
	const kinds = read(world, PhysicsBody, 'kind');
	const shapes = read(world, Collider, 'shape');
	const position = read(world, LocalTransform, 'position');
	const slots: number[] = [];
	let fresh = 0;
	each(world, [PhysicsBody], (slot) => {
		wanted(world, slot, want, kinds, shapes);
		if (want.kind === NONE) return;
		slots.push(slot);
		const isSame =
			mirror.kind[slot] === want.kind &&
			mirror.generation[slot] === world.entities.generations.data[slot] &&
			[0, 1, 2].every((axis) => mirror.position[slot * 3 + axis] === position[slot * 3 + axis]);
		if (!isSame) fresh++;
	});
	return { slots, fresh };
}

/** Returns the box around each body that has a collider. */
function boxesOf(world: World, slots: readonly number[]): Box[] {
	const position = read(world, LocalTransform, 'position');
	const rotation = read(world, LocalTransform, 'rotation');
	const boxes: Box[] = [];
	for (const slot of slots) {
		if (!has(world, slot, Collider)) continue;
		const at = slot * 3;
		const turn = slot * 4;
		const collider = colliderAt(world, slot);
		const [hx, hy, hz] = boxAround(collider.shape, extent(world, collider), [
			rotation[turn]!,
			rotation[turn + 1]!,
			rotation[turn + 2]!,
			rotation[turn + 3]!,
		]);
		const [px, py, pz] = [position[at]!, position[at + 1]!, position[at + 2]!];
		boxes.push([px - hx, py - hy, pz - hz, px + hx, py + hy, pz + hz]);
	}
	return boxes;
}

/** Pairs of boxes that meet, counted up to a limit. */
export function pairsUpTo(boxes: readonly Box[], limit: number, tally?: Tally): number {
	let pairs = 0;
	pairsWithin(boxTree(boxes), () => ++pairs < limit, tally);
	return pairs;
}
