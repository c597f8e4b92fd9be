/**
 * The skirmish: the calls that build it, in order.
 * Owns: the positions of all objects, the values of all units, and the rules.
 * Never: reads the world except by API calls, even for heights of the ground.
 */

import { readFileSync } from 'node:fs';
import type { Call } from './built-scene.ts';
import { environment } from './skirmish-environment.ts';

type Json = Record<string, unknown>;
/** Place on the ground: x and z from the middle (m). */
type GroundPoint = readonly [x: number, z: number];

interface Side {
	readonly team: 1 | 2;
	readonly name: 'Lapis' | 'Vermilion';
	/** Side of the middle along x. */
	readonly side: -1 | 1;
	readonly color: string;
	readonly bright: string;
	readonly hud: string;
	readonly hero: string;
}

const SIDES: readonly Side[] = [
	{
		team: 1,
		name: 'Lapis',
		side: -1,
		color: '0.2,0.45,0.84',
		bright: '0.25,0.55,0.95',
		hud: 'blue',
		hero: 'Wren',
	},
	{
		team: 2,
		name: 'Vermilion',
		side: 1,
		color: '0.84,0.27,0.2',
		bright: '0.93,0.38,0.2',
		hud: 'red',
		hero: 'Rook',
	},
];

/** The two passes. `z`: place at which each crosses the middle. */
const PASSES = [
	{ name: 'north', z: -12, lane: 'top' },
	{ name: 'south', z: 12, lane: 'bot' },
] as const;

/** Distance from the middle to a camp (m). */
const CAMP = 27;
/** Distance from the middle to the end of the ways to a camp (m). */
const GATE = 24.6;
/** Height above the ground, and scale. */
const SOLDIER = { lift: 0.4, scale: 1 };
const HERO = { lift: 0.6, scale: 1.5 };
const GIANT = { lift: 1, scale: 2.1 };

/** Returns the way through a pass, from the left camp to the right camp. */
const wayOf = (z: number): readonly GroundPoint[] => [
	[-CAMP, 0],
	[-22, z * 0.45],
	[-16, z * 0.9],
	[-8, z],
	[0, z],
	[8, z],
	[16, z * 0.9],
	[22, z * 0.45],
	[CAMP, 0],
];

/** Walls of rock between the passes and the middle. */
const RIDGES: readonly (readonly [GroundPoint, radius: number, height: number])[] = [-1, 1].flatMap((x) =>
	[-1, 1].flatMap((z): [GroundPoint, number, number][] => [
		[[x * 6.6, z * 6.3], 2.9, 4.4],
		[[x * 9.4, z * 6], 3.3, 5.6],
		[[x * 12.6, z * 5.4], 3.1, 4.9],
		[[x * 15.4, z * 4.9], 2.5, 3.4],
	]),
);

/** Obstacles of one half. The other half has them turned by half a circle, so that both sides have the same ways. */
const ROCKS: readonly (readonly [GroundPoint, turn: number, scale: number])[] = [
	[[-4.6, -13.4], 20, 1.7],
	[[-11.5, -10.6], 110, 1.5],
	[[-19.2, -10.4], 200, 1.3],
	[[-5.2, 10.9], 70, 1.6],
	[[-12.2, 13.3], 300, 1.5],
	[[-18.4, 7.4], 150, 1.2],
	[[-6.2, 3.1], 40, 1.1],
	[[-20.5, -2.6], 260, 1.3],
];

/** Number of pillars around the sleeping giant. */
const STONES = 8;

const TREES: readonly (readonly [mesh: string, GroundPoint, scale: number])[] = [
	['oak', [-31, -12.5], 1.1],
	['maple', [-24, -15], 1],
	['pine', [-14, -17.5], 1.35],
	['pine', [-6, -18], 1.2],
	['oak', [6.5, -18], 1.1],
	['maple', [15, -17.2], 1.05],
	['oak', [24, -15], 1],
	['pine', [31.5, -12], 1.3],
	['maple', [-31.5, 12], 1],
	['oak', [-23, 15.5], 1.15],
	['maple', [-9, 18], 1],
	['oak', [10, 18.2], 1.15],
	['pine', [22.5, 15.6], 1.2],
	['oak', [31.5, 12.5], 1.1],
];

/** Strips of meadow with grass and flowers, by their corners. They lie outside the ways. */
const MEADOWS: readonly (readonly [GroundPoint, GroundPoint])[] = [
	[
		[-34, -20],
		[-2, -14.8],
	],
	[
		[2, -20],
		[34, -14.8],
	],
	[
		[-34, 14.8],
		[-2, 20],
	],
	[
		[2, 14.8],
		[34, 20],
	],
	[
		[-17, -9.6],
		[-5, -7.6],
	],
	[
		[5, -9.6],
		[17, -7.6],
	],
	[
		[-17, 7.6],
		[-5, 9.6],
	],
	[
		[5, 7.6],
		[17, 9.6],
	],
	[
		[-34, -13],
		[-24, -8],
	],
	[
		[24, -13],
		[34, -8],
	],
	[
		[-34, 8],
		[-24, 13],
	],
	[
		[24, 8],
		[34, 13],
	],
];

/** Builds the skirmish in an empty world. */
export async function buildSkirmish(call: Call): Promise<void> {
	await shapeGround(call);
	const heightsOf = async (places: readonly GroundPoint[]): Promise<number[]> => {
		const { heights } = await call('/terrain/height', { space: 'world', points: places });
		return heights as number[];
	};
	const stand: Stand = async (mesh, position, lift = 0, more = {}) => {
		const [ground] = await heightsOf([position]);
		const answer = await call('/spawn', {
			mesh: `models/${mesh}.glb`,
			position: at(position, ground! + lift),
			...more,
		});
		return answer.id as number;
	};
	await define(call);
	await settle(call, stand);
	await strew(call, stand);
	await call('/navmesh/generate', {
		cell_size: 0.5,
		min_x: -36,
		max_x: 36,
		min_z: -21,
		max_z: 21,
		agent_radius: 0.45,
		max_slope: 42,
		step_height: 0.45,
		floor: null,
		// Units that only cross the area keep away from the giant.
		areas: [{ min_x: -9, max_x: 9, min_z: -7, max_z: 7, cost: 5 }],
	});
	await rule(call, heightsOf);
	await grow(call);
	await light(call);
	await call('/environment', environment);
}

type Stand = (mesh: string, place: GroundPoint, lift?: number, more?: Json) => Promise<number>;

const at = ([x, z]: GroundPoint, height: number): [number, number, number] => [x, height, z];

/** Returns a rotation by some degrees, counterclockwise from above; 0 looks towards +z. */
function rotationBy(degrees: number): [number, number, number, number] {
	const half = ((degrees + 180) * Math.PI) / 360;
	return [0, Math.sin(half), 0, Math.cos(half)];
}

/** Shapes the ground: a hollow between rock walls, a pass on either side, a camp at either end, and mountains around. */
async function shapeGround(call: Call): Promise<void> {
	await call('/terrain/create', {
		width: 65,
		height: 45,
		cell_size: 1.5,
		centered: true,
		noise: { seed: 21, amount: 3, scale: 26 },
	});
	const edit = ([x, z]: GroundPoint, stroke: Json) =>
		call('/terrain/edit', { space: 'world', x, z, ...stroke });
	await edit([0, 0], { op: 'flatten', radius: 70, amount: 0.75, height: 0 });
	for (let x = -48; x <= 48; x += 6)
		for (const z of [-31, 31]) {
			const high = 9 + 3 * Math.sin(x * 0.37 + z);
			await edit([x, z], { op: 'raise', radius: 11, amount: high });
		}
	for (const x of [-45, 45])
		for (let z = -24; z <= 24; z += 6)
			await edit([x, z], { op: 'raise', radius: 10, amount: 8 + 2.5 * Math.sin(z * 0.5 + x) });
	for (const { z } of PASSES) await edit([0, z], { op: 'raise', radius: 13, amount: 2.2 });
	for (const { side } of SIDES)
		await edit([side * CAMP, 0], { op: 'flatten', radius: 15, amount: 1, height: 1.6 });
	await edit([0, 0], { op: 'flatten', radius: 9, amount: 1, height: -0.9 });
	await edit([0, 0], { op: 'flatten', radius: 7, amount: 1, height: -0.9 });
	for (const [position, radius, amount] of RIDGES) await edit(position, { op: 'raise', radius, amount });
	for (const { z } of PASSES)
		for (const position of pointsAlong(wayOf(z), 1.2))
			await edit(position, { op: 'paint', radius: 2.1, amount: 0.75, layer: 'sand' });
	for (const position of pointsAlong(
		[
			[-CAMP, 0],
			[CAMP, 0],
		],
		1.3,
	))
		await edit(position, { op: 'paint', radius: 1.6, amount: 0.5, layer: 'sand' });
	for (const { side } of SIDES)
		await edit([side * CAMP, 0], { op: 'paint', radius: 6, amount: 0.8, layer: 'sand' });
	await edit([0, 0], { op: 'paint', radius: 6.5, amount: 0.7, layer: 'rock' });
	for (const [position, radius] of RIDGES)
		await edit(position, { op: 'paint', radius: radius * 1.05, amount: 1, layer: 'rock' });
	for (let x = -48; x <= 48; x += 6)
		for (const z of [-33, 33]) await edit([x, z], { op: 'paint', radius: 7.5, amount: 0.8, layer: 'rock' });
}

/** Returns places along a way, about `spacing` metres apart. */
function pointsAlong(way: readonly GroundPoint[], spacing: number): GroundPoint[] {
	const places: GroundPoint[] = [];
	for (let i = 0; i + 1 < way.length; i++) {
		const [from, to] = [way[i]!, way[i + 1]!];
		const steps = Math.max(1, Math.round(Math.hypot(to[0] - from[0], to[1] - from[1]) / spacing));
		for (let step = 0; step < steps; step++) {
			const share = step / steps;
			places.push([from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]);
		}
	}
	return [...places, way.at(-1)!];
}

/** Defines the heroes, their abilities and goods, the scripts of units, and the settings of the match. */
async function define(call: Call): Promise<void> {
	await call('/game/create', {
		mode: 'skirmish',
		score_limit: 0,
		time_limit: 420,
		respawn_delay: 7,
		auto_start: true,
	});
	await call('/tuning', {
		players: { paths: true },
		growth: { max_level: 12, share_radius: 12 },
		buildings: {
			tier1_tower: { armor: 6, weapon: { damage: 60, range: 6.5, cooldown: 1 } },
			ancient: { armor: 9 },
		},
	});
	for (const { hero } of SIDES)
		await call('/hero/define', {
			name: hero,
			health: 620,
			mana: 220,
			gold: 60,
			damage: 30,
			range: 2.5,
			cooldown: 0.8,
			speed: 4.2,
			mana_regen: 4,
			base_stats: { health_regen: 3 },
			stat_growth: { max_health: 45, attack_damage: 6, armor: 1 },
			abilities: [
				{
					slot: 'Q',
					name: 'Sweep',
					cooldown: 5,
					mana_cost: 40,
					effect: { AreaDamage: { radius: 3.6, damage: 65, category: 'physical' } },
				},
				{ slot: 'W', name: 'Mend', cooldown: 12, mana_cost: 60, effect: { Heal: { amount: 140 } } },
				{
					slot: 'E',
					name: 'Stride',
					cooldown: 14,
					mana_cost: 35,
					effect: { SpeedBoost: { multiplier: 1.6, duration: 4 } },
				},
				{
					slot: 'R',
					name: 'Thunder',
					cooldown: 40,
					mana_cost: 120,
					effect: {
						Chain: [
							{ AreaDamage: { radius: 5, damage: 150, category: 'magical' } },
							{
								AreaEffect: {
									radius: 5,
									affects: 'enemies',
									effect: { ApplyCc: { cc_type: 'Stun', duration: 1.2 } },
								},
							},
						],
					},
				},
			],
		});
	for (const item of [
		{ id: 1, name: 'Swift boots', properties: { cost: 90, move_speed: 0.8 } },
		{ id: 2, name: 'Keen blade', properties: { cost: 140, attack_damage: 14 } },
		{ id: 3, name: 'Ringed mail', properties: { cost: 140, max_health: 120, armor: 4 } },
		{ id: 4, name: 'Clear charm', properties: { cost: 110, max_mana: 80, mana_regen: 3 } },
		{
			id: 5,
			name: 'Greatsword',
			properties: { cost: 460, attack_damage: 45, attack_speed: 0.2 },
			recipe: { components: [{ item_id: 2, count: 2 }], cost: 180 },
		},
	])
		await call('/item/define', item);
	for (const script_name of ['giant', 'rival'])
		await call('/script/load', {
			script_name,
			source: readFileSync(new URL(`./${script_name}.lua`, import.meta.url), 'utf8'),
		});
}

/** Places the camps with their towers and heroes, and the giant. */
async function settle(call: Call, stand: Stand): Promise<void> {
	await call('/feedback/settings', { sounds: true });
	for (const { team, name: camp, side, color, bright, hero } of SIDES) {
		const position: GroundPoint = [side * CAMP, 0];
		const heroId = await stand('knight', [side * (CAMP - 3.5), 0], HERO.lift, {
			name: hero,
			color: bright,
			scale: [HERO.scale, HERO.scale, HERO.scale],
			health: 620,
			team,
			role: 'hero',
			combat: true,
			combat_detect_range: 7,
			gold: 60,
			gold_bounty: 120,
			xp_bounty: 150,
			tags: ['knight', hero.toLowerCase()],
			grounded: HERO.lift,
			script: 'rival',
			stance: { offset: [0, -HERO.lift, 0], looks: 'heading' },
		});
		await call('/hero/select', { entity_id: heroId, hero_name: hero });
		// The hero's own range replaces the value in the call to spawn, so set it again.
		await call(`/entities/${heroId}/components`, { combat_detect_range: 7 });
		await stand('ancient', position, 0.9, {
			name: `${camp} ancient`,
			color,
			scale: [1.15, 1.15, 1.15],
			health: 3600,
			team,
			role: 'structure',
			building_type: 'ancient',
			physics_body: 'Static',
			collider: { shape: 'Cylinder', radius: 0.9, half_height: 0.9 },
			gold_bounty: 300,
			tags: ['ancient'],
			stance: { offset: [0, -0.9, 0], looks: 'own' },
		});
		const [ground] = (await call('/terrain/height', { space: 'world', points: [[side * (CAMP + 3.5), 0]] }))
			.heights as number[];
		await call('/spawn', {
			name: `${camp} spawn point`,
			position: [side * (CAMP + 3.5), ground! + HERO.lift, 0],
			spawn_point: team,
		});
		for (const { name, z, lane } of PASSES)
			await stand('tower', [side * 13.5, z * 0.93 + Math.sign(z) * 2.3], 1.2, {
				name: `${camp} ${name} tower`,
				color,
				scale: [1.05, 1, 1.05],
				health: 1100,
				team,
				role: 'tower',
				building_type: 'tier1_tower',
				lane,
				physics_body: 'Static',
				collider: { shape: 'Cylinder', radius: 0.6, half_height: 1.2 },
				gold_bounty: 150,
				xp_bounty: 100,
				tags: ['tower', name],
				stance: { offset: [0, -1.2, 0], looks: 'own' },
			});
	}
	await stand('giant', [0, 0], GIANT.lift, {
		name: 'Giant',
		color: '0.62,0.6,0.52',
		scale: [GIANT.scale, GIANT.scale, GIANT.scale],
		health: 1500,
		team: 3,
		role: 'minion',
		respawns: false,
		gold_bounty: 200,
		xp_bounty: 260,
		tags: ['giant'],
		script: 'giant',
		physics_body: 'Kinematic',
		stance: { offset: [0, -GIANT.lift, 0], looks: 'own' },
	});
}

/** Places the scenery: rocks, pillars around the giant, trees, torches and banners. */
async function strew(call: Call, stand: Stand): Promise<void> {
	const solid = (radius: number): Json => ({
		physics_body: 'Static',
		collider: { shape: 'Sphere', radius },
	});
	for (const [[x, z], turn, scale] of ROCKS)
		for (const way of [1, -1])
			await stand('rock', [x * way, z * way], -0.1, {
				rotation: rotationBy(turn + (way === 1 ? 0 : 180)),
				scale: [scale, scale * 1.15, scale],
				...solid(0.6),
			});
	for (let i = 0; i < STONES; i++) {
		const angle = ((i + 0.5) / STONES) * 2 * Math.PI;
		await stand('pillar', [7.4 * Math.cos(angle), 5.6 * Math.sin(angle)], -0.35 * (i % 3), {
			rotation: rotationBy(i * 33),
			...solid(0.4),
		});
	}
	for (const [mesh, position, scale] of TREES)
		await stand(mesh, position, 0, { rotation: rotationBy(position[0] * 17), scale: [scale, scale, scale] });
	for (const { side, color } of SIDES) {
		for (const [x, z] of [
			[24, 5],
			[24, -5],
			[31, 4],
			[31, -4],
		] as const)
			await stand('banner', [side * x, z], 0, { color, rotation: rotationBy(side * -90) });
		for (const z of [-2.6, 2.6]) {
			const torch = await stand('torch', [side * 24.6, z], 0, { scale: [1.2, 1.2, 1.2] });
			await call('/spawn', {
				parent: torch,
				position: [0, 1.7, 0],
				light: { kind: 'point', color: [1, 0.62, 0.3], intensity: 7, range: 9 },
			});
		}
	}
	for (const [mesh, x, z] of [
		['crate', 30, 7],
		['barrel', 31, 7.6],
		['sack', 29.4, 7.8],
		['cart', 30.5, -7.4],
	] as const)
		for (const { side } of SIDES)
			await stand(mesh, [side * x, side * z], 0, { rotation: rotationBy(40 * side) });
}

const playing = (...more: Json[]): Json => ({
	kind: 'all',
	of: [...more, { kind: 'phase', phase: 'playing' }],
});
const sound = (clip: string, more: Json = {}): Json => ({
	action: 'play_sound',
	clip: `sounds/${clip}.wav`,
	max_distance: 90,
	priority: 60,
	...more,
});
const shown = (text: string, size: number, color: string): Json => ({
	action: 'show_text',
	text,
	x: 0.5,
	y: size > 40 ? 0.3 : 0.14,
	size,
	color,
	lifetime: size > 40 ? 3600 : 180,
});
const lasting = (tag: string, target: unknown, modifiers: readonly string[]): Json => ({
	action: 'apply_effect',
	target,
	tag,
	duration: 3600,
	modifiers,
	stack_policy: 'replace',
});
const shake = (strength: number, ticks: number): Json => ({ action: 'camera_shake', strength, ticks });
const sparks = (count: number, preset = 'sparks'): Json => ({
	action: 'emit_particles',
	target: 'this',
	count,
	preset,
});

/** Creates the rules: waves, pay, worn items, effects and sounds, and the end of the match. */
async function rule(
	call: Call,
	heightsOf: (places: readonly GroundPoint[]) => Promise<number[]>,
): Promise<void> {
	const make = (name: string, document: Json) => call('/rule/create', { name, ...document });
	for (const { team, name, side, color } of SIDES) {
		const fighter = (mesh: string, scale: number, more: Json): Json => ({
			mesh: `models/${mesh}.glb`,
			color,
			scale: [scale, scale, scale],
			team,
			role: 'minion',
			combat: true,
			combat_speed: 3,
			combat_detect_range: 6,
			grounded: SOLDIER.lift,
			stance: { offset: [0, -SOLDIER.lift, 0], looks: 'heading' },
			...more,
		});
		const templates = {
			soldier: fighter('soldier', 1, {
				health: 95,
				combat_damage: 11,
				combat_range: 2.4,
				gold_bounty: 16,
				xp_bounty: 30,
				tags: ['soldier'],
			}),
			archer: fighter('archer', 1.15, {
				health: 60,
				combat_damage: 14,
				combat_range: 5,
				combat_detect_range: 7,
				gold_bounty: 22,
				xp_bounty: 35,
				tags: ['archer'],
			}),
		};
		for (const [kind, document] of Object.entries(templates))
			await call('/template/create', { name: `${name} ${kind}`, ...document });
		const starts: readonly GroundPoint[] = PASSES.flatMap(({ z }) => [
			[side * 22.6, z * 0.36] as const,
			[side * 24, z * 0.36] as const,
		]);
		const ground = await heightsOf([...starts, [-side * GATE, 0]]);
		const goal = at([-side * GATE, 0], ground[4]!);
		await make(`${name} wave`, {
			when: playing({ kind: 'timer', interval: 13 }),
			do: PASSES.flatMap((_, i) => [
				{
					action: 'spawn',
					template: `${name} soldier`,
					position: at(starts[i * 2]!, ground[i * 2]! + SOLDIER.lift),
					count: 2,
					path: { goal, speed: 3, radius: 0.45, partial: true },
				},
				{
					action: 'spawn',
					template: `${name} archer`,
					position: at(starts[i * 2 + 1]!, ground[i * 2 + 1]! + SOLDIER.lift),
					path: { goal, speed: 3, radius: 0.45, partial: true },
				},
			]),
		});
		const ancient = `tag:ancient+team:${team}`;
		const other = SIDES.find((side) => side.team !== team)!;
		await make(`the ancient of ${name} falls`, {
			when: { kind: 'death' },
			filter: ancient,
			do: [
				{ action: 'score', target: 'source', points: 49 },
				{ action: 'set_color', target: 'this', color: 'black' },
				{ action: 'endgame', winner_team: other.team },
				shown(`The ancient of ${name} has fallen`, 44, other.hud),
				shake(0.7, 90),
				sparks(200, 'magic'),
				sound('level_up', { volume: 0.9, priority: 1 }),
			],
		});
		await make(`${name} loses a tower`, {
			when: { kind: 'death' },
			filter: `role:tower+team:${team}`,
			do: [
				{ action: 'score', target: 'source', points: 9 },
				{ action: 'set_color', target: 'this', color: 'gray' },
				shown(`A tower of ${name} has fallen`, 22, other.hud),
				shake(0.35, 40),
				sparks(80, 'smoke'),
				sound('fire', { at: 'this', volume: 0.9, pitch: 0.7, max_distance: 120, priority: 20 }),
			],
		});
		await make(`the giant falls to ${name}`, {
			when: { kind: 'event', event: 'death', where: [{ field: 'killer.team', value: team }] },
			filter: 'tag:giant',
			do: [
				{ action: 'score', target: 'source', points: 14 },
				{
					action: 'apply_effect',
					target: { team },
					tag: 'strength of the giant',
					duration: 75,
					modifiers: ['attack_damage:multiply:1.5', 'move_speed:multiply:1.15'],
				},
				{ action: 'add_field', target: { all: `role:hero+team:${team}` }, field: 'gold', value: 100 },
				shown(`The giant falls: its strength goes to ${name}`, 24, 'gold'),
			],
		});
	}
	for (const [name, clip, pitch] of [
		['wakes', 'fire', 0.45],
		['stomp', 'hit', 0.5],
		['boulder', 'wind', 1.4],
		['roar', 'fire', 0.5],
		['strikes', 'hit', 0.45],
	] as const)
		await make(`the giant ${name} is heard`, {
			when: { kind: 'event', event: 'signal', where: [{ field: 'name', value: `giant_${name}` }] },
			do: [sound(clip, { at: 'this', volume: 0.9, pitch, max_distance: 110, priority: 30 })],
		});
	await make('the giant breaks', {
		when: { kind: 'death' },
		filter: 'tag:giant',
		do: [
			{ action: 'set_color', target: 'this', color: '0.3,0.29,0.27' },
			{ action: 'set_field', target: 'this', field: 'velocity.linear.y', value: -0.9 },
			sparks(160, 'smoke'),
			shake(0.6, 70),
			sound('death', { at: 'this', volume: 1, pitch: 0.5, max_distance: 120, priority: 10 }),
		],
	});
	// Scripts of resting units are disabled. These rules enable them at intervals.
	for (const [mind, ticks] of [
		['tag:giant', 10],
		['role:hero', 30],
	] as const)
		await make(`${mind.split(':')[1]} looks up`, {
			when: { kind: 'tick', every: ticks },
			do: [{ action: 'set_field', target: { all: mind }, field: 'script.enabled', value: 1 }],
		});
	await make('pay', {
		when: playing({ kind: 'timer', interval: 1 }),
		do: [{ action: 'add_field', target: { all: 'role:hero' }, field: 'gold', value: 2 }],
	});
	for (const id of [1, 2, 3, 4, 5])
		await make(`item ${id} is worn`, {
			when: { kind: 'has_item', item_id: id },
			filter: 'role:hero',
			do: [
				{ action: 'equip', target: 'this', item_id: id, slot: `place ${id}` },
				sound('coin', { at: 'this', volume: 0.6 }),
			],
		});
	await make('the camp heals', {
		when: playing({ kind: 'timer', interval: 0.5 }),
		do: SIDES.map(({ team, side }) => ({
			action: 'heal',
			target: {
				all: `role:hero+alive+team:${team}+field:position.x${side === 1 ? '>' : '<'}${side * (CAMP - 2)}`,
			},
			amount: 28,
		})),
	});
	// A script plays without mistakes, so a person gets a stronger hero and more time.
	for (const { team, name } of SIDES)
		await make(`a player leads ${name}`, {
			when: 'component:player',
			filter: `role:hero+team:${team}`,
			do: [
				lasting('courage', 'this', ['damage_taken:multiply:0.7', 'attack_damage:multiply:1.6']),
				lasting('guarded', { all: `tag:ancient+team:${team}` }, ['damage_taken:multiply:0.5']),
			],
		});
	await make('a player is hurt', {
		when: { kind: 'health_below', threshold: 280 },
		filter: 'component:player',
		once: true,
		do: [{ ...shown('Your camp heals: walk back to your ancient', 20, 'cyan'), lifetime: 420 }],
	});
	await make('a level heals', {
		when: { kind: 'event', event: 'level_up' },
		filter: 'role:hero',
		do: [
			{ action: 'heal', target: 'this', amount: 110 },
			sparks(40, 'magic'),
			sound('level_up', { at: 'this', volume: 0.5 }),
		],
	});
	await make('a cast is seen', {
		when: { kind: 'event', event: 'cast' },
		filter: 'role:hero',
		do: [sparks(36, 'magic'), sound('chime', { at: 'this', volume: 0.5, pitch: 1.2 })],
	});
	await make('thunder', {
		when: { kind: 'event', event: 'cast', where: [{ field: 'slot', value: 'R' }] },
		filter: 'role:hero',
		do: [shake(0.3, 24), sparks(120), sound('fire', { at: 'this', volume: 0.8, pitch: 1.3 })],
	});
	await make('hero slain', {
		when: { kind: 'death' },
		filter: 'role:hero',
		do: [
			{ action: 'score', target: 'source', points: 4 },
			shake(0.15, 18),
			sound('death', { at: 'this', volume: 0.9, priority: 40 }),
		],
	});
	await make('a soldier falls', {
		when: { kind: 'death' },
		filter: 'role:minion+!tag:giant',
		do: [sound('death', { at: 'this', volume: 0.3, pitch: 1.5, max_distance: 60, priority: 140 })],
	});
	await make('walls crumble', {
		when: { kind: 'timer', interval: 120 },
		once: true,
		do: [
			...['role:tower', 'role:structure'].map((all) => ({
				action: 'apply_effect',
				target: { all },
				tag: 'crumbling',
				duration: 3600,
				modifiers: ['damage_taken:multiply:2.5', 'attack_damage:multiply:0.7'],
			})),
			shown('The walls crumble', 26, 'orange'),
			shake(0.3, 60),
		],
	});
	await make('the fighting ends', {
		when: { kind: 'event', event: 'match', where: [{ field: 'phase', value: 'post_match' }] },
		do: [
			{
				action: 'apply_effect',
				target: { all: 'component:combat' },
				tag: 'peace',
				duration: 3600,
				modifiers: ['attack_damage:multiply:0', 'move_speed:multiply:0'],
			},
		],
	});
}

/** Plants grass and flowers beside the ways, and woods on the slopes. */
async function grow(call: Call): Promise<void> {
	const scatter = (
		mesh_name: string,
		[x0, z0]: GroundPoint,
		[x1, z1]: GroundPoint,
		density: number,
		more: Json = {},
	) =>
		call('/foliage/scatter', {
			mesh_name,
			area_min: [x0, -5, z0],
			area_max: [x1, 20, z1],
			density,
			max_distance: 200,
			...more,
		});
	for (const [from, to] of MEADOWS) {
		await scatter('grass', from, to, 1.1, { min_scale: 0.6, max_scale: 1.1 });
		await scatter('flower', from, to, 0.12, { min_scale: 0.7, max_scale: 1.1 });
		if (to[0] - from[0] > 20) await scatter('bush', from, to, 0.03, { min_scale: 0.5, max_scale: 0.9 });
	}
	for (const z of [-1, 1]) {
		const edges = [19.5 * z, 31 * z].sort((a, b) => a - b);
		await scatter('pine', [-46, edges[0]!], [46, edges[1]!], 0.06, { min_scale: 0.7, max_scale: 1.3 });
		await scatter('rock', [-40, edges[0]!], [40, edges[1]!], 0.02, { min_scale: 0.6, max_scale: 1.4 });
	}
	for (const { side } of SIDES) {
		const edges = [side * 36.5, side * 46].sort((a, b) => a - b);
		await scatter('pine', [edges[0]!, -19], [edges[1]!, 19], 0.06, { min_scale: 0.7, max_scale: 1.3 });
	}
}

/** Sets a clear afternoon, and the camera. */
async function light(call: Call): Promise<void> {
	await call('/sky/settings', {
		time_of_day: 16.2,
		turbidity: 3,
		sun_intensity: 1.05,
		ambient_intensity: 1.1,
		plate: false,
	});
	await call('/fog/settings', {
		density: 0.006,
		height_falloff: 0.08,
		max_distance: 130,
		color: [0.93, 0.96, 1],
	});
	await call('/postprocess/preset', { quality: 'medium' });
	await call('/postprocess/settings', {
		bloom_threshold: 1,
		exposure: 0.2,
		contrast: 1.04,
		saturation: 1.08,
		temperature: 0.06,
	});
	await call('/audio/play', { path: 'sounds/wind.wav', loop: true, volume: 0.12 });
	await call('/camera', { eye: [0, 31, 33], target: [0, 0, 1.5], fov: 42 });
}
