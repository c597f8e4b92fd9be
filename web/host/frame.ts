/**
 * Reads a world out for the view.
 * Owns: which entities are drawn, and the numbers that say when that, or what is written over the picture, changed.
 */

import { Color, colorBytes } from '../../shared/components/color.ts';
import { Dead } from '../../shared/components/dead.ts';
import { Health } from '../../shared/components/health.ts';
import { LocalTransform } from '../../shared/components/local-transform.ts';
import { Mesh } from '../../shared/components/mesh.ts';
import { Parent } from '../../shared/components/parent.ts';
import { Role } from '../../shared/components/role.ts';
import { Team } from '../../shared/components/team.ts';
import { camera } from '../sim/camera/camera.ts';
import { resource } from '../sim/core/resource.ts';
import { count, each, has, read, versionOf, type World } from '../sim/core/world.ts';
import { Hud } from '../sim/hud/hud.ts';
import { composeChildren, type PoseColumns } from '../sim/transform/hierarchy.ts';
import { FLAG_DEAD, type Frame, type FrameRows, type HudElement } from './frames.ts';
import type { WorldEntry } from './worlds.ts';

/** Colour of what was given none, by team; ivory without a team. */
const TEAM_COLORS: Readonly<Record<number, readonly [number, number, number]>> = {
	1: [59, 130, 214],
	2: [226, 96, 47],
};
const IVORY = [240, 230, 207] as const;

function layoutVersion(world: World): number {
	return Math.max(
		versionOf(world, Mesh, 'mesh'),
		versionOf(world, Color, 'color'),
		versionOf(world, Team, 'team'),
		versionOf(world, Role, 'role'),
		versionOf(world, LocalTransform),
	);
}

const hudNumbers = new WeakMap<readonly HudElement[], number>();
let lastHud = 0;

/** The number of a list of elements, which is never changed but replaced. Forks share both until one shows another. */
function hudNumber(elements: readonly HudElement[]): number {
	let number = hudNumbers.get(elements);
	if (number === undefined) {
		number = ++lastHud;
		hudNumbers.set(elements, number);
	}
	return number;
}

const NOTHING_WRITTEN: readonly HudElement[] = [];

/** What the asker of a frame has already; -1 for nothing. */
export interface Known {
	readonly layout: number;
	readonly hud: number;
}

/** The newest frame of a world. Rows and elements are left out when the asker has them. */
export function frameOf(held: WorldEntry, known: Known = { layout: -1, hud: -1 }): Frame {
	const { world } = held;
	const layout = layoutVersion(world);
	const slots: number[] = [];
	each(world, [Mesh, LocalTransform], (slot) => slots.push(slot));
	const { poses, health, flags } = rowsThatMove(world, slots);
	const elements = resource(world, Hud) ?? NOTHING_WRITTEN;
	const hud = hudNumber(elements);
	return {
		world: held.id,
		tick: world.tick,
		playing: held.playing,
		count: slots.length,
		layout,
		poses,
		health,
		flags,
		camera: camera(world),
		hud,
		...(layout === known.layout ? {} : { rows: rowsThatStay(world, slots) }),
		...(hud === known.hud ? {} : { elements }),
	};
}

function rowsThatMove(world: World, slots: readonly number[]) {
	const poses = new Float32Array(slots.length * 10);
	const health = new Float32Array(slots.length * 2);
	const flags = new Uint8Array(slots.length);
	const { position, rotation, scale } = posesNow(world);
	const current = read(world, Health, 'current');
	const max = read(world, Health, 'max');
	for (let row = 0; row < slots.length; row++) {
		const slot = slots[row]!;
		const at = row * 10;
		for (let i = 0; i < 3; i++) {
			poses[at + i] = position[slot * 3 + i]!;
			poses[at + 7 + i] = scale[slot * 3 + i]!;
		}
		for (let i = 0; i < 4; i++) poses[at + 3 + i] = rotation[slot * 4 + i]!;
		if (has(world, slot, Health)) {
			health[row * 2] = current[slot]!;
			health[row * 2 + 1] = max[slot]!;
		}
		if (has(world, slot, Dead)) flags[row] = FLAG_DEAD;
	}
	return { poses, health, flags };
}

/** Where everything is now, whatever the last step knew of it: what hangs on another may have been moved since. */
function posesNow(world: World): Readonly<PoseColumns> {
	const columns = {
		position: read(world, LocalTransform, 'position') as Float32Array,
		rotation: read(world, LocalTransform, 'rotation') as Float32Array,
		scale: read(world, LocalTransform, 'scale') as Float32Array,
	};
	if (count(world, Parent) === 0) return columns;
	const { position, rotation, scale } = columns;
	const own = { position: position.slice(), rotation: rotation.slice(), scale: scale.slice() };
	composeChildren(world, own);
	return own;
}

function rowsThatStay(world: World, slots: readonly number[]): FrameRows {
	const meshes: string[] = [];
	const count = slots.length;
	const rows = {
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
	for (let row = 0; row < count; row++) {
		const slot = slots[row]!;
		rows.generations[row] = world.entities.generations.data[slot]!;
		const name = mesh[slot]!;
		let index = meshIndex.get(name);
		if (index === undefined) {
			index = meshes.push(name) - 1;
			meshIndex.set(name, index);
		}
		rows.mesh[row] = index;
		if (has(world, slot, Team)) rows.teams[row] = team[slot]!;
		if (has(world, slot, Role)) rows.roles[row] = role[slot]! + 1;
		const bytes = has(world, slot, Color)
			? colorBytes(color[slot]!)
			: (TEAM_COLORS[rows.teams[row]!] ?? IVORY);
		rows.colors.set(bytes, row * 3);
	}
	return rows;
}

/** The buffers of a frame, for the transfer list of a message. */
export function frameBuffers(frame: Frame): ArrayBuffer[] {
	const arrays = [frame.poses, frame.health, frame.flags];
	const { rows } = frame;
	const still = rows ? [rows.ids, rows.generations, rows.mesh, rows.colors, rows.teams, rows.roles] : [];
	return [...arrays, ...still].map(({ buffer }) => buffer as ArrayBuffer);
}
