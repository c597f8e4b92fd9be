/**
 * The ground of a terrain in the physics library: one body with a collider for each tile.
 * Owns: rebuilding the changed tiles after an edit, and waking the bodies on them.
 */

import type { ColliderDesc, World as RapierWorld, RigidBody } from '@dimforge/rapier3d-compat';
import { Collider } from '../../../shared/components/collider.ts';
import type { TerrainGround } from '../../../shared/media/terrain.ts';
import { hasBit } from '../core/bits.ts';
import { rotatedAbout, type Vector } from '../core/math/vector.ts';
import { has, type World } from '../core/world.ts';
import { HASH_WORDS, type TerrainTile, tileAt, tileCount, tileHashes } from '../terrain/tiles.ts';
import { colliderAt, halfExtent, tilePoints } from './geometry.ts';
import { DYNAMIC, indexOfHandle, type Mirror, setGround, setSlot } from './mirror.ts';
import { RAPIER } from './rapier.ts';
import { createOneSidedDesc } from './surfaces.ts';

/** Sets the friction and restitution of a collider, and makes the library report its touches. */
export function withSurface(desc: ColliderDesc, { restitution, friction }: Mirror['tuning']): ColliderDesc {
	return desc
		.setRestitution(restitution)
		.setRestitutionCombineRule(RAPIER.CoefficientCombineRule.Multiply)
		.setFriction(friction)
		.setActiveEvents(RAPIER.ActiveEvents.COLLISION_EVENTS);
}

/** Wakes bodies that touch a collider. */
export function wakeTouching(live: RapierWorld, handle: number): void {
	const touchingBodies: RigidBody[] = [];
	live.contactPairsWith(live.getCollider(handle), (other) => {
		const parent = other.parent();
		if (parent !== null) touchingBodies.push(parent);
	});
	for (const other of touchingBodies) other.wakeUp();
}

/** Creates the colliders of a terrain's body. */
export function createTiles(
	mirror: Mirror,
	live: RapierWorld,
	slot: number,
	body: RigidBody,
	ground: TerrainGround,
): void {
	const handles = Float64Array.from({ length: tileCount(ground) }, (_, index) =>
		createTile(mirror, live, slot, body, ground, tileAt(ground, index)),
	);
	setGround(mirror, slot, { handles, hashes: tileHashes(ground) });
}

/** Rebuilds the tiles that differ from those in the library. */
export function rebuildTiles(
	world: World,
	mirror: Mirror,
	live: RapierWorld,
	slot: number,
	ground: TerrainGround,
): void {
	const previous = mirror.grounds.get(slot)!;
	const prints = tileHashes(ground);
	if (previous.hashes === prints) return;
	const body = live.getRigidBody(mirror.body[slot]!);
	const handles = previous.handles.slice();
	for (let index = 0; index < handles.length; index++) {
		const start = index * HASH_WORDS;
		if (previous.hashes[start] === prints[start] && previous.hashes[start + 1] === prints[start + 1])
			continue;
		const tile = tileAt(ground, index);
		wakeTouching(live, handles[index]!);
		wakeNear(world, mirror, live, slot, ground, tile);
		mirror.slotOfCollider[indexOfHandle(handles[index]!)] = -1;
		live.removeCollider(live.getCollider(handles[index]!), true);
		handles[index] = createTile(mirror, live, slot, body, ground, tile);
	}
	setGround(mirror, slot, { handles, hashes: prints });
}

function createTile(
	mirror: Mirror,
	live: RapierWorld,
	slot: number,
	body: RigidBody,
	ground: TerrainGround,
	tile: TerrainTile,
): number {
	const shape = createOneSidedDesc(tilePoints(ground, tile));
	const { handle } = live.createCollider(withSurface(shape.setDensity(0), mirror.tuning), body);
	mirror.slotOfCollider = setSlot(mirror.slotOfCollider, indexOfHandle(handle), slot);
	return handle;
}

/** Wakes the bodies that a new tile may overlap, because the library does not test sleeping bodies. */
function wakeNear(
	world: World,
	mirror: Mirror,
	live: RapierWorld,
	slot: number,
	ground: TerrainGround,
	tile: TerrainTile,
): void {
	const { middle, radius } = boundingBallOf(mirror, slot, ground, tile);
	mirror.kind.forEach((kind, other) => {
		if (kind !== DYNAMIC || hasBit(mirror.awake, other) || !has(world, other, Collider)) return;
		const [a, b, c] = halfExtent(world, colliderAt(world, other));
		const reach = radius + Math.sqrt(a * a + b * b + c * c);
		const [x = 0, y = 0, z = 0] = mirror.position.subarray(other * 3, other * 3 + 3);
		const offset: Vector = [middle[0] - x, middle[1] - y, middle[2] - z];
		if (dot(offset, offset) <= reach * reach) live.getRigidBody(mirror.body[other]!).wakeUp();
	});
}

const dot = ([a, b, c]: Vector, [d, e, f]: Vector): number => a * d + b * e + c * f;

/** Returns the bounding sphere of a tile in the world (m). */
function boundingBallOf(
	mirror: Mirror,
	slot: number,
	ground: TerrainGround,
	tile: TerrainTile,
): { readonly middle: Vector; readonly radius: number } {
	const { points } = tilePoints(ground, tile);
	let [low, high] = [points[1]!, points[1]!];
	for (let i = 1; i < points.length; i += 3) {
		low = Math.min(low, points[i]!);
		high = Math.max(high, points[i]!);
	}
	const last = points.length - 3;
	const half = [
		(points[last]! - points[0]!) / 2,
		(high - low) / 2,
		(points[last + 2]! - points[2]!) / 2,
	] as const;
	const middle = [points[0]! + half[0], low + half[1], points[2]! + half[2]] as const;
	const [x = 0, y = 0, z = 0, w = 1] = mirror.rotation.subarray(slot * 4, slot * 4 + 4);
	const [px = 0, py = 0, pz = 0] = mirror.position.subarray(slot * 3, slot * 3 + 3);
	return { middle: rotatedAbout([x, y, z, w], middle, [px, py, pz]), radius: Math.sqrt(dot(half, half)) };
}
