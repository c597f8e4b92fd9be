/** Drawn entities with mesh and colour: one row for each entity with a mesh, in id order. */

import { Color } from '../../../shared/components/color.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { isMeshFile, Mesh } from '../../../shared/components/mesh.ts';
import { Role } from '../../../shared/components/role.ts';
import { Team } from '../../../shared/components/team.ts';
import { colorBytes } from '../../../shared/media/palette.ts';
import { each, has, read, versionOf, type World } from '../../sim/core/world.ts';
import type { DrawnBlock } from './drawn.ts';

export interface FrameRows {
	/** Entity ids (slots) and generations. */
	readonly ids: Uint32Array;
	readonly generations: Uint32Array;
	/** Index into `meshes` for each row. */
	readonly mesh: Uint16Array;
	/** Distinct mesh names: cube, sphere, plane, cylinder, cone, or a file's path. */
	readonly meshes: readonly string[];
	/** Three bytes per row: sRGB red, green, blue. */
	readonly colors: Uint8Array;
	/** Team of each row, or -1. */
	readonly teams: Int16Array;
	/** Role of each row: 0 none, 1 hero, 2 minion, 3 tower, 4 structure. */
	readonly roles: Uint8Array;
}

/** Colours of entities without a colour, by team; ivory without a team. */
const TEAM_COLORS: Readonly<Record<number, readonly [number, number, number]>> = {
	1: [59, 130, 214],
	2: [226, 96, 47],
};
const IVORY = [240, 230, 207] as const;
/** Colour of models, which leaves the model's own colours unchanged. */
const WHITE = [255, 255, 255] as const;

/** Returns the slots of the drawn entities, in id order. */
export function drawnSlots(world: World): number[] {
	const slots: number[] = [];
	each(world, [Mesh, LocalTransform], (slot) => slots.push(slot));
	return slots;
}

/**
 * Returns a number that rises when the set of drawn entities changes, or the look of one of them. Versions of blocks with rows
 * include it.
 */
export function rowsVersion(world: World): number {
	return Math.max(
		versionOf(world, Mesh, 'mesh'),
		versionOf(world, Color, 'color'),
		versionOf(world, Team, 'team'),
		versionOf(world, Role, 'role'),
		versionOf(world, LocalTransform),
	);
}

export const rows: DrawnBlock<FrameRows> = {
	version: rowsVersion,
	read(world, slots) {
		const meshes: string[] = [];
		const count = slots.length;
		const frameRows = {
			ids: Uint32Array.from(slots),
			generations: new Uint32Array(count),
			mesh: new Uint16Array(count),
			meshes,
			colors: new Uint8Array(count * 3),
			teams: new Int16Array(count).fill(-1),
			roles: new Uint8Array(count),
		};
		const mesh = read(world, Mesh, 'mesh');
		const color = read(world, Color, 'color');
		const team = read(world, Team, 'team');
		const role = read(world, Role, 'role');
		const meshIndex = new Map<string, number>();
		/** True for each of `meshes` that is a model. */
		const models: boolean[] = [];
		for (let row = 0; row < count; row++) {
			const slot = slots[row]!;
			frameRows.generations[row] = world.entities.generations.data[slot]!;
			const name = mesh[slot]!;
			let index = meshIndex.get(name);
			if (index === undefined) {
				index = meshes.push(name) - 1;
				models.push(isMeshFile(name));
				meshIndex.set(name, index);
			}
			frameRows.mesh[row] = index;
			if (has(world, slot, Team)) frameRows.teams[row] = team[slot]!;
			if (has(world, slot, Role)) frameRows.roles[row] = role[slot]! + 1;
			const bytes = has(world, slot, Color)
				? colorBytes(color[slot]!)
				: models[index]
					? WHITE
					: (TEAM_COLORS[frameRows.teams[row]!] ?? IVORY);
			frameRows.colors.set(bytes, row * 3);
		}
		return frameRows;
	},
};
