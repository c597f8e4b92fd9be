/**
 * The village at dusk: the calls that build it, in order.
 * Owns: the positions of all objects.
 * Never: reads the world except by API calls, even for heights of the ground.
 */

import type { Call } from './built-scene.ts';

type Json = Record<string, unknown>;

/** Position relative to the middle of the village: metres to the right of the camera, and away from it. */
type StreetPoint = readonly [right: number, away: number];

/** Returns x and z in the world. Away from the camera is west, where the sun has set. */
const worldPoint = ([right, away]: StreetPoint): [number, number] => [-away, -right];

/** Returns a rotation by some degrees to the left; 0 faces the camera. */
function facing(degrees: number): [number, number, number, number] {
	const half = ((degrees - 90) * Math.PI) / 360;
	return [0, Math.sin(half), 0, Math.cos(half)];
}

/** Place of the mill's sails relative to its foot. */
const SAILS_HUB = [0, 6.1, -2.25] as const;
/** Speed of the sails (radians a second). */
const SAILS_SPEED = 0.5;

const HOUSES: readonly (readonly [
	mesh: string,
	place: StreetPoint,
	turn: number,
	radius: number,
	chimney?: readonly [number, number, number],
])[] = [
	['church', [5, 17], -28, 9],
	['house', [-7.5, 7], -14, 6, [-1.35, 7.5, 1]],
	['longhouse', [-17.5, 0.5], -34, 7, [2.2, 5.5, 0.4]],
	['cottage', [-5, -5.5], -38, 5.5, [1.5, 5, 0.5]],
	['house', [14.5, 4], 26, 6, [-1.35, 7.5, 1]],
	['cottage', [21, -6], 40, 5.5, [1.5, 5, 0.5]],
	['cottage', [-12.5, 13.5], -8, 5.5, [1.5, 5, 0.5]],
	['longhouse', [24, 9], 24, 7, [2.2, 5.5, 0.4]],
	['mill', [-20.5, 15.5], -24, 6],
];

/** The way from the meadow up to the church, and its branches. */
const PATHS: readonly (readonly StreetPoint[])[] = [
	[
		[-5, -37],
		[-3.5, -31],
		[-1.5, -25],
		[2.5, -18],
		[3.5, -10],
		[4, -3],
		[4.5, 5],
		[4, 11],
	],
	[
		[4, -3],
		[-4, -0.5],
		[-11, -2],
		[-17, -5],
		[-23, 1],
		[-22, 9],
	],
	[
		[4, -3],
		[11, -2],
		[17, -2.5],
		[21, -1.5],
	],
];

const LAMPS: readonly (readonly [StreetPoint, number])[] = [
	[[0.3, -21], -60],
	[[6.2, -11.5], 60],
	[[-0.8, -1.2], -80],
	[[9, 0.6], 60],
	[[2, 8.8], -50],
	[[-12.5, -4], -20],
	[[18.2, -1], 30],
	[[-20.8, 6.5], -60],
];

const THINGS: readonly (readonly [
	mesh: string,
	place: StreetPoint,
	turn: number,
	scale?: number,
	color?: string,
])[] = [
	['well', [2.6, 0.6], 20],
	['bench', [-0.6, 1.6], -60],
	['cart', [10, -5], 130],
	['haystack', [24.5, -12], 0],
	['haystack', [27, -9.5], 0, 0.8],
	['signpost', [-3.6, -23], 10, 1.25],
	['barrel', [-8.6, -3.6], 0],
	['barrel', [-9.3, -2.9], 40],
	['crate', [11.4, 0.9], 25],
	['sack', [12.3, 0.2], 0],
	['villager', [4.4, -0.9], -50, 1, '0.62,0.3,0.24'],
	['villager', [5.4, -1.6], 120, 1, '0.3,0.42,0.56'],
	['merchant', [10.6, -2.6], -20, 1, '0.33,0.5,0.36'],
	['villager', [2.2, -15.6], 170, 1, '0.68,0.56,0.3'],
	['rock', [-5.6, -18.6], 30, 1.2],
	['rock', [12, -20], 190, 0.9],
	['rock', [-22, -12], 80, 1.5],
	['oak', [-12.5, 5.2], 0, 1.15],
	['oak', [10.5, 11], 70, 1.2],
	['maple', [-1.5, 11.5], 30, 1],
	['maple', [26, 2.5], 160, 1.1],
	['oak', [-24.5, -7.5], 210, 1.25],
	['pine', [11.5, 16.5], 0, 1.35],
	['pine', [14.5, 19], 90, 1.6],
	['pine', [18, 14], 40, 1.15],
	['pine', [-2, 21], 200, 1.5],
	['pine', [-5.5, 18], 10, 1.2],
	['pine', [-19.5, 9], 130, 1.1],
	['pine', [-9.5, 20.5], 70, 1.6],
	['pine', [28.5, 5], 50, 1.2],
	['pine', [27, -3.5], 150, 0.95],
	['pine', [-27, -3], 20, 1.3],
	['pine', [-30, -9], 95, 1.05],
	['bush', [3.8, -25], 40, 0.9],
	['rock', [3.4, -27], 10, 0.6],
	['maple', [-10.5, -11.5], 80, 0.8],
	['oak', [15.5, -12.5], 300, 0.9],
	['bush', [-1.2, -7.8], 0],
	['bush', [9, 5.2], 60],
	['bush', [17.5, -8.8], 120],
	['bush', [-14, -6.4], 200],
];

/** Fences, by their ends. */
const FENCES: readonly (readonly [StreetPoint, StreetPoint])[] = [
	[
		[-4.5, -22],
		[-6, -12],
	],
	[
		[-6, -12],
		[-14, -9],
	],
	[
		[5.8, -20],
		[8.5, -13],
	],
	[
		[8.5, -13],
		[19, -10.5],
	],
];

/** The pond beside the way: its middle, radius, height of the shore, and depth of the surface below the shore (m). */
const POND: readonly [StreetPoint, radius: number, shore: number, below: number] = [
	[-13, -24],
	8.5,
	4.2,
	0.35,
];

/** Distant mountains in the west. */
const MOUNTAINS: readonly (readonly [StreetPoint, radius: number, height: number])[] = [
	[[-70, 94], 56, 46],
	[[-22, 112], 48, 34],
	[[30, 106], 54, 52],
	[[80, 90], 52, 38],
];

/** Woods of pines: two corners of the area, and trees per square metre. */
const WOODS: readonly (readonly [StreetPoint, StreetPoint, number])[] = [
	[[-60, 27], [60, 48], 0.035],
	[[-22, 19], [-3, 28], 0.07],
	[[11, 15], [34, 26], 0.06],
	[[-60, -14], [-34, 28], 0.035],
	[[31, -14], [60, 28], 0.035],
];

/** Builds the village in an empty world. */
export async function buildVillage(call: Call): Promise<void> {
	await shapeGround(call);
	const heights = async (places: readonly StreetPoint[]): Promise<number[]> => {
		const { heights } = await call('/terrain/height', { space: 'world', points: places.map(worldPoint) });
		return heights as number[];
	};
	await stand(call, heights);
	await fill(call);
	await grow(call);
	await light(call, heights);
	await sound(call, heights);
}

/** Shapes the ground: a hill among hills, level under houses, with sandy paths and a pond. */
async function shapeGround(call: Call): Promise<void> {
	await call('/terrain/create', {
		width: 161,
		height: 161,
		cell_size: 1.5,
		centered: true,
		noise: { seed: 12, amount: 7, scale: 60 },
	});
	const edit = (position: StreetPoint, stroke: Json) => {
		const [x, z] = worldPoint(position);
		return call('/terrain/edit', { space: 'world', x, z, ...stroke });
	};
	await edit([0, 2], { op: 'flatten', radius: 64, amount: 0.9, height: 0 });
	await edit([2, 10], { op: 'raise', radius: 52, amount: 13 });
	await edit([5, 19], { op: 'raise', radius: 24, amount: 4.5 });
	await edit([-21.5, 16.5], { op: 'raise', radius: 13, amount: 4 });
	await edit([0, 0], { op: 'noise', seed: 5, scale: 16, octaves: 3, amount: 0.7, all: true });
	for (const [position, radius, amount] of MOUNTAINS) await edit(position, { op: 'raise', radius, amount });
	for (const [, position, , radius] of HOUSES)
		await edit(position, { op: 'flatten', radius: radius * 1.25, amount: 1 });
	const [pond, radius, shore] = POND;
	// The brush levels two thirds of its radius; this keeps all corners of the water below the ground.
	await edit(pond, { op: 'flatten', radius: radius * 1.8, amount: 3, height: shore });
	await edit(pond, { op: 'lower', radius, amount: 2.6 });
	await edit(pond, { op: 'paint', radius: radius * 0.9, amount: 0.7, layer: 'sand' });
	for (const path of PATHS)
		for (const position of pointsAlong(path, 1.1))
			await edit(position, { op: 'paint', radius: 1.5, amount: 0.8, layer: 'sand' });
	await edit([4, -1], { op: 'paint', radius: 6, amount: 0.8, layer: 'sand' });
}

/** Returns places along a path, about `spacing` metres apart. */
function pointsAlong(path: readonly StreetPoint[], spacing: number): StreetPoint[] {
	const places: StreetPoint[] = [];
	for (let i = 0; i + 1 < path.length; i++) {
		const [from, to] = [path[i]!, path[i + 1]!];
		const steps = Math.max(1, Math.round(Math.hypot(to[0] - from[0], to[1] - from[1]) / spacing));
		for (let step = 0; step < steps; step++) {
			const share = step / steps;
			places.push([from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]);
		}
	}
	return [...places, path.at(-1)!];
}

/** Returns the place of a part of an object: at an offset from the foot of the object, turned with it. */
function beside(
	position: StreetPoint,
	degrees: number,
	ground: number,
	[x, y, z]: readonly [number, number, number],
): [number, number, number] {
	const angle = ((degrees - 90) * Math.PI) / 180;
	const [s, c] = [Math.sin(angle), Math.cos(angle)];
	const [px, pz] = worldPoint(position);
	return [px + c * x + s * z, ground + y, pz + c * z - s * x];
}

type Heights = (places: readonly StreetPoint[]) => Promise<number[]>;

const position = (position: StreetPoint, height: number): [number, number, number] => {
	const [x, z] = worldPoint(position);
	return [x, height, z];
};

/** Returns names for objects of these kinds: "Well", and "Oak 1", "Oak 2" if there are several of a kind. */
function namesOf(kinds: readonly string[]): string[] {
	return kinds.map((kind, i) => {
		const title = `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`;
		const isOnly = kinds.indexOf(kind) === kinds.lastIndexOf(kind);
		return isOnly ? title : `${title} ${kinds.slice(0, i + 1).filter((one) => one === kind).length}`;
	});
}

/** Places houses, objects, trees and fences. */
async function stand(call: Call, heights: Heights): Promise<void> {
	const models = [...HOUSES.map(([mesh, position, turn]) => [mesh, position, turn] as const), ...THINGS];
	const under = await heights(models.map(([, position]) => position));
	const names = namesOf(models.map(([mesh]) => mesh));
	for (const [i, [mesh, point, turn, scale = 1, color]] of (models as typeof THINGS).entries())
		await call('/spawn', {
			name: names[i]!,
			mesh: `models/${mesh}.glb`,
			position: position(point, under[i]!),
			rotation: facing(turn),
			...(scale === 1 ? {} : { scale: [scale, scale, scale] }),
			...(color === undefined ? {} : { color }),
			...(mesh === 'church' ? { tags: ['church'] } : {}),
		});
	for (const [from, to] of FENCES) {
		const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
		const posts = pointsAlong([from, to], length / Math.round(length / 2));
		const ground = await heights(posts);
		for (let i = 0; i + 1 < posts.length; i++) {
			const [a, b] = [posts[i]!, posts[i + 1]!];
			await call('/spawn', {
				mesh: 'models/fence.glb',
				position: position([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], (ground[i]! + ground[i + 1]!) / 2),
				rotation: leaning(a, b, ground[i + 1]! - ground[i]!),
			});
		}
	}
}

/** Fills the pond with water. */
async function fill(call: Call): Promise<void> {
	const [point, radius, shore, below] = POND;
	await call('/spawn', {
		name: 'Pond',
		position: position(point, shore - below),
		water: {
			size: [radius * 1.78, radius * 1.78],
			color: [0.03, 0.17, 0.2],
			clarity: 1.6,
			wave_height: 0.02,
			mirror: true,
		},
	});
}

/** Returns the rotation that turns x along the way from one place to another, `rise` metres higher. */
function leaning(from: StreetPoint, to: StreetPoint, rise: number): [number, number, number, number] {
	const [[x0, z0], [x1, z1]] = [worldPoint(from), worldPoint(to)];
	const yaw = Math.atan2(z0 - z1, x1 - x0) / 2;
	const pitch = Math.atan2(rise, Math.hypot(x1 - x0, z1 - z0)) / 2;
	const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
	return [sy * sp, sy * cp, cy * sp, cy * cp];
}

/** Plants grass and flowers on both sides of the way, and woods around the village. */
async function grow(call: Call): Promise<void> {
	const scatter = (mesh_name: string, from: StreetPoint, to: StreetPoint, more: Json) => {
		const [[x0, z0], [x1, z1]] = [worldPoint(from), worldPoint(to)];
		const [area_min, area_max] = [
			[Math.min(x0, x1), 0, Math.min(z0, z1)],
			[Math.max(x0, x1), 0, Math.max(z0, z1)],
		];
		return call('/foliage/scatter', { mesh_name, area_min, area_max, ...more });
	};
	const [way] = PATHS;
	const strips = pointsAlong(way!, 5);
	for (let i = 0; i + 1 < strips.length; i++) {
		const [from, to] = [strips[i]!, strips[i + 1]!];
		const [left, right] = [Math.min(from[0], to[0]) - 0.9, Math.max(from[0], to[0]) + 0.9];
		for (const [a, b] of [
			[
				[-30, from[1]],
				[left, to[1]],
			],
			[
				[right, from[1]],
				[30, to[1]],
			],
		] as const) {
			await scatter('grass', a, b, { density: 9, min_scale: 0.35, max_scale: 0.75 });
			await scatter('flower', a, b, { density: 0.2, min_scale: 0.5, max_scale: 0.9 });
		}
	}
	for (const [from, to, density] of WOODS)
		await scatter('models/pine.glb', from, to, { density, min_scale: 0.8, max_scale: 1.6 });
}

/** Sets dusk, fog, lamps, the mill's sails, smoke and the camera. */
async function light(call: Call, heights: Heights): Promise<void> {
	await call('/sky/settings', {
		time_of_day: 18.05,
		turbidity: 3,
		plate: false,
		zenith_color: [0.02, 0.1, 0.42],
		horizon_color: [0.75, 0.4, 0.28],
		clouds: 0.45,
		cloud_seed: 4,
	});
	await call('/fog/settings', {
		density: 0.005,
		height_falloff: 0.03,
		max_distance: 200,
		color: [0.55, 0.65, 1],
	});
	await call('/postprocess/preset', { quality: 'high' });
	await call('/postprocess/settings', {
		bloom_threshold: 1.2,
		exposure: 0.32,
		contrast: 1.14,
		saturation: 1.1,
	});
	const under = await heights(LAMPS.map(([position]) => position));
	for (const [i, [point, turn]] of LAMPS.entries()) {
		const lamp = await call('/spawn', {
			name: `Lamp ${i + 1}`,
			mesh: 'models/lamp.glb',
			position: position(point, under[i]!),
			rotation: facing(turn),
		});
		await call('/spawn', {
			name: `Light of lamp ${i + 1}`,
			parent: lamp.id,
			position: [0, 2.2, -0.75],
			light: { kind: 'point', color: [1, 0.68, 0.36], intensity: 11, range: 18 },
		});
	}
	const floors = await heights(HOUSES.map(([, position]) => position));
	for (const [i, [mesh, position, turn, , chimney]] of HOUSES.entries()) {
		if (mesh === 'mill')
			await call('/spawn', {
				name: 'Mill sails',
				mesh: 'models/mill_sails.glb',
				position: beside(position, turn, floors[i]!, SAILS_HUB),
				rotation: facing(turn),
				physics_body: 'Kinematic',
				velocity: { linear: [0, 0, 0], angular: beside([0, 0], turn, 0, [0, 0, SAILS_SPEED]) },
			});
		if (chimney !== undefined)
			await call('/particle/create', {
				preset: 'smoke',
				position: beside(position, turn, floors[i]!, chimney),
				rate: 14,
				lifetime: 7,
			});
	}
	// The camera looks across the pond, so low that the water mirrors the houses.
	const [, , shore] = POND;
	await call('/camera', {
		eye: position([-12, -41], shore + 2.4),
		target: position([-1.5, 2], shore + 5.6),
		fov: 40,
	});
}

/** Adds birds in the trees, wind, and the bell of the church every half minute. */
async function sound(call: Call, heights: Heights): Promise<void> {
	const trees: readonly StreetPoint[] = [
		[-12.5, 5.2],
		[10.5, 11],
	];
	const under = await heights(trees);
	for (const [i, tree] of trees.entries())
		await call('/audio/play', {
			path: 'sounds/birds.wav',
			loop: true,
			volume: 0.6,
			position: position(tree, under[i]! + 5),
			max_distance: 80,
		});
	await call('/audio/play', { path: 'sounds/wind.wav', loop: true, volume: 0.15 });
	await call('/rule/create', {
		name: 'bell',
		when: 'tick:1800',
		do: ['play_sound sounds/chime.wav tag:church'],
	});
}
