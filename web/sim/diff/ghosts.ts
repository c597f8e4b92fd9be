/**
 * Ghosts: what is elsewhere in another world, as translucent entities of a copy, for a picture of both.
 * Owns: the test for another place, and the look of ghosts.
 */

import { Animation } from '../../../shared/components/animation.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Material } from '../../../shared/components/material.ts';
import { Mesh } from '../../../shared/components/mesh.ts';
import { Stance } from '../../../shared/components/stance.ts';
import { colorBytes } from '../../../shared/media/palette.ts';
import { isAlive } from '../core/entities.ts';
import { add, each, get, has, spawn, type World } from '../core/world.ts';
import { posesNow } from '../transform/poses-now.ts';

/** Ghosts in one picture; more would hide the world. */
const MAX_GHOSTS = 200;
/** Distance from which on a thing is elsewhere (m). */
const ELSEWHERE = 0.2;
const ALPHA = 0.42;
/** Light that ghosts emit, as a share of their colour: models keep their own paint under it. */
const GLOW = 0.35;

/** Adds to `copy` what `other` has elsewhere, or has alone. `color`: a palette name, or r,g,b. */
export function addGhosts(copy: World, other: World, color: string): void {
	// Ghosts are written into the same column.
	const from = Float32Array.from(posesNow(copy).position);
	const otherPoses = posesNow(other);
	const isElsewhere = (slot: number): boolean => {
		const isSame =
			isAlive(copy, slot) &&
			copy.entities.generations.data[slot] === other.entities.generations.data[slot] &&
			has(copy, slot, Mesh);
		if (!isSame) return true;
		let square = 0;
		for (let axis = slot * 3; axis < slot * 3 + 3; axis++) {
			const distance = otherPoses.position[axis]! - from[axis]!;
			square += distance * distance;
		}
		return square > ELSEWHERE * ELSEWHERE;
	};
	const slots: number[] = [];
	each(other, [Mesh, LocalTransform], (slot) => {
		if (slots.length < MAX_GHOSTS && isElsewhere(slot)) slots.push(slot);
	});
	const [red = 1, green = 1, blue = 1] = colorBytes(color).map((byte) => byte / 255);
	const values = {
		albedo: [red, green, blue, ALPHA] as [number, number, number, number],
		emissive: [red * red * GLOW, green * green * GLOW, blue * blue * GLOW] as [number, number, number],
		roughness: 1,
		alpha_mode: 'blend',
	};
	const partOf = (of: ArrayLike<number>, slot: number, size: number) =>
		Array.from({ length: size }, (_, part) => of[slot * size + part]!);
	for (const slot of slots) {
		const ghost = spawn(copy).id;
		add(copy, ghost, LocalTransform, {
			position: partOf(otherPoses.position, slot, 3) as [number, number, number],
			rotation: partOf(otherPoses.rotation, slot, 4) as [number, number, number, number],
			scale: partOf(otherPoses.scale, slot, 3) as [number, number, number],
		});
		add(copy, ghost, Mesh, get(other, slot, Mesh)!);
		add(copy, ghost, Material, { name: null, values });
		const stance = get(other, slot, Stance);
		if (stance !== undefined) add(copy, ghost, Stance, stance);
		const animation = get(other, slot, Animation);
		if (animation !== undefined) add(copy, ghost, Animation, animation);
	}
}
