/**
 * The waters of a world: where they are, and how high their surface is.
 * Owns: two rules. Water without a size covers terrains, and an entity with a parent is not water.
 */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { Terrain } from '../../../shared/components/terrain.ts';
import { Water } from '../../../shared/components/water.ts';
import type { Row } from '../../../shared/contract/component.ts';
import { TICKS_PER_SECOND } from '../../../shared/contract/ticks.ts';
import { type WaterWave, wavesOf } from '../../../shared/media/water.ts';
import { cos, sin } from '../core/math.ts';
import { count, each, get, has, read, versionOf, type World } from '../core/world.ts';
import { sizeOf } from '../terrain/ground.ts';
import { terrains } from '../terrain/terrain.ts';
import { parentOf } from '../transform/hierarchy.ts';

/** Maximum number of terrains that water without a size covers, in the order of their ids. */
const MAX_TERRAINS = 64;

/** Rectangle of water, seen from above (m). */
export interface WaterArea {
	readonly minX: number;
	readonly minZ: number;
	readonly maxX: number;
	readonly maxZ: number;
}

/** An entity with water. */
export interface WaterEntity extends Row<typeof Water.fields> {
	readonly id: number;
	/** Height of the surface without waves (m). */
	readonly level: number;
	readonly areas: readonly WaterArea[];
}

/** Returns the versions of all data that `watersOf` reads; empty without water. */
export function watersVersion(world: World): string {
	if (count(world, Water) === 0) return '';
	return [
		versionOf(world, Water, ...Object.keys(Water.fields)),
		versionOf(world, LocalTransform, 'position', 'rotation'),
		versionOf(world, Parent, 'entity'),
		versionOf(world, Terrain, 'ground'),
	].join();
}

/** Returns all waters in id order. */
export function watersOf(world: World): WaterEntity[] {
	const waters: WaterEntity[] = [];
	if (count(world, Water) === 0) return waters;
	const position = read(world, LocalTransform, 'position');
	each(world, [Water, LocalTransform], (id) => {
		if (has(world, id, Parent) && parentOf(world, id) !== null) return;
		const row = get(world, id, Water)!;
		const [x, level, z] = [position[id * 3]!, position[id * 3 + 1]!, position[id * 3 + 2]!];
		const [halfWidth, halfDepth] = [row.size[0]! / 2, row.size[1]! / 2];
		const areas =
			halfWidth === 0 && halfDepth === 0
				? areasOfTerrains(world)
				: [{ minX: x - halfWidth, minZ: z - halfDepth, maxX: x + halfWidth, maxZ: z + halfDepth }];
		waters.push({ ...row, id, level, areas });
	});
	return waters;
}

/** Returns the rectangles of the terrains that are not rotated. */
function areasOfTerrains(world: World): WaterArea[] {
	const position = read(world, LocalTransform, 'position');
	const rotation = read(world, LocalTransform, 'rotation');
	return terrains(world)
		.slice(0, MAX_TERRAINS)
		.flatMap(({ id, ground }) => {
			if (has(world, id, Parent) && parentOf(world, id) !== null) return [];
			if ([0, 1, 2].some((axis) => rotation[id * 4 + axis] !== 0)) return [];
			const [width, depth] = sizeOf(ground);
			const [minX, minZ] = [position[id * 3]!, position[id * 3 + 2]!];
			return [{ minX, minZ, maxX: minX + width, maxZ: minZ + depth }];
		});
}

/** Returns true if a position is in an area of water, seen from above. */
export function isOver({ areas }: Pick<WaterEntity, 'areas'>, x: number, z: number): boolean {
	return areas.some(({ minX, minZ, maxX, maxZ }) => x >= minX && x <= maxX && z >= minZ && z <= maxZ);
}

/** Waves of water at a tick, each with its phase at that time (radians). */
export interface Swell {
	readonly waves: readonly (WaterWave & { readonly phase: number })[];
}

export function swellAt(water: WaterEntity, tick: number): Swell {
	if (water.wave_height === 0) return { waves: [] };
	const seconds = tick / TICKS_PER_SECOND;
	return { waves: wavesOf(water).map((wave) => ({ ...wave, phase: seconds * wave.turns })) };
}

/** Returns the height of the waves above the level at a position (m). */
export function heightAt({ waves }: Swell, x: number, z: number): number {
	let height = 0;
	for (const wave of waves) height += wave.height * sin(x * wave.alongX + z * wave.alongZ - wave.phase);
	return height;
}

/** Returns the speed at which the surface rises at a position (m/s). */
export function riseAt({ waves }: Swell, x: number, z: number): number {
	let rise = 0;
	for (const wave of waves)
		rise -= wave.height * wave.turns * cos(x * wave.alongX + z * wave.alongZ - wave.phase);
	return rise;
}
