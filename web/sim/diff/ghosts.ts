/**
 * Ghosts: translucent copies of the entities of another world that are missing or elsewhere in this world, for a picture
 * of both worlds.
 * Owns: the choice of these entities, and the look of ghosts.
 */

import { Animation } from '../../../shared/components/animation.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Material } from '../../../shared/components/material.ts';
import { Mesh } from '../../../shared/components/mesh.ts';
import { Stance } from '../../../shared/components/stance.ts';
import { colorBytes } from '../../../shared/media/palette.ts';
import { isAlive } from '../core/entities.ts';
import { add, each, get, has, spawn, type World } from '../core/world.ts';
import { currentPoses } from '../transform/poses-now.ts';

/** Maximum number of ghosts in one picture. More would hide the world. */
const MAX_GHOSTS = 200;
/** Minimum distance of an entity that has a ghost (m). */
const MIN_DISTANCE = 0.2;
/** Opacity of ghosts. */
const ALPHA = 0.42;
/** Light that ghosts emit, as a share of their colour. It tints models, which keep their own textures. */
const GLOW = 0.35;

/**
 * Adds ghosts to `copy` for the entities of `other` that are elsewhere or missing in it. `color`: a palette name, or
 * r,g,b.
 */
export function addGhosts(copy: World, otherWorld: World, color: string): void {
	// A copy of the column, because adding ghosts writes to the column.
	const positions = Float32Array.from(currentPoses(copy).position);
	const otherPoses = currentPoses(otherWorld);
	const isElsewhere = (slot: number): boolean => {
		const isPresent =
			isAlive(copy, slot) &&
			copy.entities.generations.data[slot] === otherWorld.entities.generations.data[slot] &&
			has(copy, slot, Mesh);
		if (!isPresent) return true;
		let squaredDistance = 0;
		for (let axis = slot * 3; axis < slot * 3 + 3; axis++) {
			const distance = otherPoses.position[axis]! - positions[axis]!;
			squaredDistance += distance * distance;
		}
		return squaredDistance > MIN_DISTANCE * MIN_DISTANCE;
	};
	const slots: number[] = [];
	each(otherWorld, [Mesh, LocalTransform], (slot) => {
		if (slots.length < MAX_GHOSTS && isElsewhere(slot)) slots.push(slot);
	});
	const [red = 1, green = 1, blue = 1] = colorBytes(color).map((byte) => byte / 255);
	const values = {
		albedo: [red, green, blue, ALPHA] as [number, number, number, number],
		emissive: [red * red * GLOW, green * green * GLOW, blue * blue * GLOW] as [number, number, number],
		roughness: 1,
		alpha_mode: 'blend',
	};
	const valuesOf = (column: ArrayLike<number>, slot: number, size: number) =>
		Array.from({ length: size }, (_, i) => column[slot * size + i]!);
	for (const slot of slots) {
		const ghost = spawn(copy).id;
		add(copy, ghost, LocalTransform, {
			position: valuesOf(otherPoses.position, slot, 3) as [number, number, number],
			rotation: valuesOf(otherPoses.rotation, slot, 4) as [number, number, number, number],
			scale: valuesOf(otherPoses.scale, slot, 3) as [number, number, number],
		});
		add(copy, ghost, Mesh, get(otherWorld, slot, Mesh)!);
		add(copy, ghost, Material, { name: null, values });
		const stance = get(otherWorld, slot, Stance);
		if (stance !== undefined) add(copy, ghost, Stance, stance);
		const animation = get(otherWorld, slot, Animation);
		if (animation !== undefined) add(copy, ghost, Animation, animation);
	}
}
