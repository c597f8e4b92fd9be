/**
 * Worlds for trying the view without an engine: an arena, a pile, ten thousand moving cubes.
 * Owns: rows and poses as functions of the tick. Never: simulates anything.
 */

import { DEFAULT_FEEDBACK } from '../../../../shared/documents/feedback.ts';
import { DEFAULT_POSTPROCESS } from '../../../../shared/documents/postprocess.ts';
import { DEFAULT_FOG, DEFAULT_SKY } from '../../../../shared/documents/sky.ts';
import { DEFAULT_MIXER } from '../../../../shared/media/sound.ts';
import type { FrameBlocks, FrameCamera, FrameRows, ShownElement } from '../../../../web/frames/frames.ts';

export interface Thing {
	readonly mesh: string;
	readonly at: readonly [number, number, number];
	readonly scale?: readonly [number, number, number];
	readonly turn?: readonly [number, number, number, number];
	readonly color: readonly [number, number, number];
	readonly team?: number;
	readonly role?: number;
	readonly health?: readonly [number, number];
	readonly dead?: boolean;
	readonly id?: number;
}

export interface TestScene {
	readonly things: readonly Thing[];
	readonly eye: readonly [number, number, number];
	readonly target: readonly [number, number, number];
	/** Moves the poses to a tick, in place. */
	readonly move?: (poses: Float32Array, tick: number) => void;
}

const BLUE = [59, 130, 214] as const;
const RED = [226, 96, 47] as const;
const CYAN = [80, 190, 210] as const;
const ORANGE = [240, 150, 60] as const;

export function arena(): TestScene {
	const things: Thing[] = [
		{
			mesh: 'cube',
			at: [-8, 0.5, 0],
			scale: [1.5, 1.5, 1.5],
			color: BLUE,
			team: 1,
			role: 4,
			health: [1700, 2000],
		},
		{
			mesh: 'cube',
			at: [8, 0.5, 0],
			scale: [1.5, 1.5, 1.5],
			color: RED,
			team: 2,
			role: 4,
			health: [2000, 2000],
		},
		{
			mesh: 'cube',
			at: [-4, 1, 0],
			scale: [0.4, 2.5, 0.4],
			color: CYAN,
			team: 1,
			role: 3,
			health: [500, 800],
		},
		{
			mesh: 'cube',
			at: [4, 1, 0],
			scale: [0.4, 2.5, 0.4],
			color: ORANGE,
			team: 2,
			role: 3,
			health: [800, 800],
		},
		{
			mesh: 'sphere',
			at: [-7, 0.5, 0],
			scale: [1.2, 1.2, 1.2],
			color: CYAN,
			team: 1,
			role: 1,
			health: [410, 500],
		},
		{
			mesh: 'sphere',
			at: [7, 0.5, 0],
			scale: [1.2, 1.2, 1.2],
			color: ORANGE,
			team: 2,
			role: 1,
			health: [90, 500],
		},
	];
	for (let index = 0; index < 5; index++) {
		const z = (index - 2) * 0.9;
		things.push({
			mesh: 'cube',
			at: [-1.5 + (index % 2), 0.25, z],
			scale: [0.5, 0.5, 0.5],
			color: BLUE,
			team: 1,
			role: 2,
			health: [40 + index * 10, 80],
		});
		things.push({
			mesh: 'cube',
			at: [1.6 - (index % 2) * 0.7, 0.25, z + 0.3],
			scale: [0.5, 0.5, 0.5],
			color: RED,
			team: 2,
			role: 2,
			health: [80 - index * 15, 80],
			dead: index === 4,
		});
	}
	return { things, eye: [0, 12, 8], target: [0, 0.5, 0] };
}

export function shapes(): TestScene {
	const meshes = ['cube', 'sphere', 'plane', 'cylinder', 'cone', 'models/tree.glb'];
	const colors = [
		[210, 166, 80],
		[226, 96, 47],
		[95, 125, 79],
		[59, 130, 214],
		[246, 202, 216],
		[240, 230, 207],
	] as const;
	return {
		things: meshes.map((mesh, index) => ({
			mesh,
			at: [(index - 2.5) * 1.6, mesh === 'plane' ? 0.02 : 0.5, 0],
			color: colors[index]!,
			id: index * 1000 + 7,
			health: [1, 1],
		})),
		eye: [0, 3.2, 7.5],
		target: [0, 0.4, 0],
	};
}

/** Returns a settled heap of blocks and balls on a floor; deterministic without chance. */
export function pile(): TestScene {
	const things: Thing[] = [
		{ mesh: 'cube', at: [0, -0.5, 0], scale: [16, 1, 16], color: [205, 187, 140], id: 0 },
	];
	const paints = [
		[206, 120, 88],
		[170, 196, 205],
		[240, 230, 207],
		[124, 160, 96],
		[210, 166, 80],
		[90, 120, 170],
	] as const;
	let number = 0;
	const noise = (seed: number): number => {
		const value = Math.sin(seed * 12.9898) * 43758.5453;
		return value - Math.floor(value);
	};
	for (let layer = 0; layer < 6; layer++) {
		const half = 5 - layer;
		for (let x = -half; x <= half; x += 2) {
			for (let z = -half; z <= half; z += 2) {
				number++;
				const angle = noise(number) * 0.9;
				things.push({
					mesh: number % 4 === 0 ? 'sphere' : number % 9 === 0 ? 'cylinder' : 'cube',
					at: [x * 0.56 + noise(number + 50) * 0.2, 0.5 + layer * 0.98, z * 0.56 + noise(number + 90) * 0.2],
					turn: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)],
					color: paints[number % paints.length]!,
				});
			}
		}
	}
	return { things, eye: [9, 7, 9], target: [0, 1.4, 0] };
}

/** `count` cubes that all move and turn every tick. */
export function swarm(count: number): TestScene {
	const side = Math.ceil(Math.sqrt(count));
	const things: Thing[] = [];
	for (let index = 0; index < count; index++) {
		things.push({
			mesh: 'cube',
			at: [((index % side) - side / 2) * 0.8, 0.4, (Math.floor(index / side) - side / 2) * 0.8],
			scale: [0.5, 0.5, 0.5],
			color: [((index * 37) % 200) + 40, ((index * 91) % 160) + 60, ((index * 13) % 200) + 40],
		});
	}
	return {
		things,
		eye: [30, 28, 30],
		target: [0, 0, 0],
		move: (poses, tick) => {
			for (let index = 0; index < count; index++) {
				const phase = tick * 0.07 + index * 0.37;
				poses[index * 10 + 1] = 0.8 + 0.5 * Math.sin(phase);
				poses[index * 10 + 4] = Math.sin(phase / 2);
				poses[index * 10 + 6] = Math.cos(phase / 2);
			}
		},
	};
}

export function rowsOf(scene: TestScene): FrameRows {
	const { things } = scene;
	const meshes = [...new Set(things.map((thing) => thing.mesh))];
	return {
		ids: new Uint32Array(things.map((thing, index) => thing.id ?? index)),
		generations: new Uint32Array(things.length).fill(1),
		mesh: new Uint16Array(things.map((thing) => meshes.indexOf(thing.mesh))),
		meshes,
		colors: new Uint8Array(things.flatMap((thing) => [...thing.color])),
		teams: new Int16Array(things.map((thing) => thing.team ?? -1)),
		roles: new Uint8Array(things.map((thing) => thing.role ?? 0)),
	};
}

export function cameraOf(scene: TestScene, revision: number): FrameCamera {
	return {
		eye: scene.eye,
		target: scene.target,
		up: [0, 1, 0],
		fov_y: Math.PI / 4,
		orthographic: false,
		ortho_size: 10,
		near: 0.1,
		far: 1000,
		shaken: [0, 0],
		moving: false,
		revision,
	};
}

/** Returns all blocks of the scene at a tick. */
export function blocksOf(
	scene: TestScene,
	tick: number,
	camera: FrameCamera,
	hud: readonly ShownElement[] = [],
): FrameBlocks {
	const { things } = scene;
	const poses = new Float32Array(
		things.flatMap((thing) => [...thing.at, ...(thing.turn ?? [0, 0, 0, 1]), ...(thing.scale ?? [1, 1, 1])]),
	);
	scene.move?.(poses, tick);
	return {
		rows: rowsOf(scene),
		poses,
		health: new Float32Array(things.flatMap((thing) => [...(thing.health ?? [0, 0])])),
		dead: new Uint8Array(things.map((thing) => (thing.dead === true ? 1 : 0))),
		camera,
		hud,
		models: {},
		animations: [],
		materials: { kinds: [], kind: new Uint16Array(0), values: new Float32Array(0) },
		lights: [],
		sky: DEFAULT_SKY,
		fog: { ...DEFAULT_FOG, enabled: false },
		terrains: { terrains: [], chunks: [] },
		waters: [],
		decals: [],
		post: { ...DEFAULT_POSTPROCESS, enabled: false },
		feedback: { tick: 0, settings: { ...DEFAULT_FEEDBACK, enabled: false }, moments: [], leaving: [] },
		foliage: [],
		tick,
		particles: { tick: 0, emitters: [] },
		sound: { sounds: [], mixer: DEFAULT_MIXER, listener: null },
		navmesh: { corners: new Float32Array(0), kinds: new Uint8Array(0) },
		paths: new Float32Array(0),
	};
}
