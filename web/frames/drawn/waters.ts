/** Waters, with the areas that they cover. */

import type { WaterSurface } from '../../../shared/media/water.ts';
import type { World } from '../../sim/core/world.ts';
import { type WaterArea, watersOf, watersVersion } from '../../sim/water/water.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf } from './identity.ts';

export interface FrameWater extends WaterSurface {
	readonly id: number;
	readonly generation: number;
	/** Height of the surface without waves (m). */
	readonly level: number;
	/** Rectangles that the water covers, seen from above. */
	readonly areas: readonly WaterArea[];
	/** Depth (m). */
	readonly depth: number;
	readonly clarity: number;
	/** True if the water reflects more than the sky. */
	readonly mirror: boolean;
	/** sRGB red, green, blue, each 0 to 1. */
	readonly color: readonly [number, number, number];
}

const NO_WATERS: readonly FrameWater[] = [];
const memos = new WeakMap<World, { readonly key: string; readonly value: readonly FrameWater[] }>();

/** Returns the waters of a world. The list stays the same object while no water changes. */
function currentWaters(world: World): readonly FrameWater[] {
	const key = watersVersion(world);
	if (key === '') return NO_WATERS;
	const cached = memos.get(world);
	if (cached?.key === key) return cached.value;
	const frameWaters = watersOf(world).map(
		({
			id,
			level,
			areas,
			depth,
			clarity,
			color,
			mirror,
			wave_height,
			wave_length,
			wave_speed,
			flow,
		}): FrameWater => ({
			id,
			generation: world.entities.generations.data[id]!,
			level,
			areas,
			depth,
			clarity,
			color,
			mirror: mirror !== 0,
			wave_height,
			wave_length,
			wave_speed,
			flow: [...flow],
		}),
	);
	const isSame = cached !== undefined && JSON.stringify(cached.value) === JSON.stringify(frameWaters);
	const value = isSame ? cached.value : frameWaters;
	memos.set(world, { key, value });
	return value;
}

export const waters: DrawnBlock<readonly FrameWater[]> = {
	version: (world) => identityOf(currentWaters(world)),
	read: currentWaters,
};
