/**
 * Limits the number of new pairs of bodies in the next step of the physics library.
 * Owns: the limit. The library stores every pair whose boxes meet, including obstacles, with about 24 bytes each. 70,000
 * spheres on one point would be 2.4 billion pairs, which exceeds its memory.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { count, each, has, read, type World } from '../core/world.ts';
import { type Box, buildBoxTree, type ComparisonCount, visitPairsWithin } from './box-tree.ts';
import { MAX_CROWD, requireFewOverlaps } from './crowding.ts';
import { colliderAt, halfExtent } from './geometry.ts';
import { NONE } from './mirror.ts';
import { boxAround } from './overlap.ts';
import type { PhysicsState } from './physics.part.ts';
import { type BodyKind, isSynced, readBodyKind } from './sync-bodies.ts';

/** Limits of the library in one world: bodies (about 8 KiB each in a dense pile), and pairs that meet on one step. */
const LIMITS = { bodies: 100_000, pairs: 10_000_000 };

/**
 * Throws `world_full` if a world has too many bodies. Throws `too_crowded` if the bodies that are new or were moved since
 * the last step meet too many others.
 */
export function requireFewPairs(state: PhysicsState, world: World, limits = LIMITS): void {
	// With fewer bodies, no limit can be exceeded. A body without a collider meets no other.
	const areFew = count(world, Collider) <= MAX_CROWD && count(world, PhysicsBody) <= limits.bodies;
	if (areFew || isSynced(world, state)) return;
	const { slots, newCount } = findBodies(world, state);
	const bodies = slots.length;
	// Calls that add one body check it themselves. This check is for many bodies that were added or moved together.
	if (newCount > MAX_CROWD && state.mirror.lost === null) requireFewOverlaps(world);
	if (bodies > limits.bodies)
		throw new ApiError(
			'world_full',
			`The world has ${bodies} physics bodies; the limit is ${limits.bodies}.`,
			{
				fix: 'Despawn some, or remove "physics_body" from entities that need no collisions.',
			},
		);
	if (newCount * bodies <= limits.pairs) return;
	if (countPairs(boxesOf(world, slots), limits.pairs) < limits.pairs) return;
	throw new ApiError(
		'too_crowded',
		`More than ${limits.pairs} pairs of the ${bodies} bodies overlap, which is the limit of the physics library.`,
		{ fix: 'Move the overlapping bodies and obstacles apart, or despawn some of them.' },
	);
}

/** Returns the slots of all bodies for the library, and the number of those that are new or have moved. */
function findBodies(world: World, { mirror }: PhysicsState): { slots: number[]; newCount: number } {
	const bodyKind: BodyKind = { kind: NONE, shape: 0 };
	const kinds = read(world, PhysicsBody, 'kind');
	const shapes = read(world, Collider, 'shape');
	const position = read(world, LocalTransform, 'position');
	const slots: number[] = [];
	let newCount = 0;
	each(world, [PhysicsBody], (slot) => {
		readBodyKind(world, slot, bodyKind, kinds, shapes);
		if (bodyKind.kind === NONE) return;
		slots.push(slot);
		const isSame =
			mirror.kind[slot] === bodyKind.kind &&
			mirror.generation[slot] === world.entities.generations.data[slot] &&
			[0, 1, 2].every((axis) => mirror.position[slot * 3 + axis] === position[slot * 3 + axis]);
		if (!isSame) newCount++;
	});
	return { slots, newCount };
}

/** Returns the box around each body that has a collider. */
function boxesOf(world: World, slots: readonly number[]): Box[] {
	const position = read(world, LocalTransform, 'position');
	const rotation = read(world, LocalTransform, 'rotation');
	const boxes: Box[] = [];
	for (const slot of slots) {
		if (!has(world, slot, Collider)) continue;
		const start = slot * 3;
		const rotationStart = slot * 4;
		const collider = colliderAt(world, slot);
		const [hx, hy, hz] = boxAround(collider.shape, halfExtent(world, collider), [
			rotation[rotationStart]!,
			rotation[rotationStart + 1]!,
			rotation[rotationStart + 2]!,
			rotation[rotationStart + 3]!,
		]);
		const [px, py, pz] = [position[start]!, position[start + 1]!, position[start + 2]!];
		boxes.push([px - hx, py - hy, pz - hz, px + hx, py + hy, pz + hz]);
	}
	return boxes;
}

/** Counts the pairs of boxes that meet, up to a limit. */
export function countPairs(boxes: readonly Box[], limit: number, tally?: ComparisonCount): number {
	let pairs = 0;
	visitPairsWithin(buildBoxTree(boxes), () => ++pairs < limit, tally);
	return pairs;
}
