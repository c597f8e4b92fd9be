/** The prefabs that every game can start from. Owns: their names and numbers. */

import type { SpawnDocument } from '../../../shared/documents/spawn.ts';

export interface PrefabDefinition {
	readonly summary: string;
	readonly document: SpawnDocument;
}

const box = (hx: number, hy: number, hz: number) => ({ shape: 'Aabb', hx, hy, hz }) as const;
const ball = (radius: number) => ({ shape: 'Sphere', radius }) as const;

export const BUILT_IN: Readonly<Record<string, PrefabDefinition>> = {
	ground: {
		summary: 'A floor of 40 by 40 m that bodies rest on',
		document: {
			mesh: 'cube',
			color: 'gray',
			scale: [40, 1, 40],
			position: [0, -0.5, 0],
			physics_body: 'Static',
			collider: box(20, 0.5, 20),
			tags: ['ground'],
		},
	},
	wall: {
		summary: 'A wall of 4 by 2 m that bodies bounce off',
		document: {
			mesh: 'cube',
			color: 'silver',
			scale: [4, 2, 0.5],
			position: [0, 1, 0],
			physics_body: 'Static',
			collider: box(2, 1, 0.25),
			tags: ['wall'],
		},
	},
	crate: {
		summary: 'A wooden box of 1 m that falls and can be pushed',
		document: {
			mesh: 'cube',
			color: 'orange',
			position: [0, 0.5, 0],
			physics_body: 'Dynamic',
			collider: box(0.5, 0.5, 0.5),
			tags: ['crate'],
		},
	},
	ball: {
		summary: 'A ball of 1 m across that rolls',
		document: {
			mesh: 'sphere',
			color: 'red',
			position: [0, 0.5, 0],
			physics_body: 'Dynamic',
			collider: ball(0.5),
			tags: ['ball'],
		},
	},
	hero: {
		summary: 'A strong fighter of team 1 with gold and levels',
		document: {
			mesh: 'cube',
			color: 'gold',
			position: [0, 1, 0],
			health: 500,
			team: 1,
			role: 'hero',
			combat: true,
			combat_damage: 40,
			combat_range: 2,
			combat_speed: 4,
			gold: 0,
			gold_bounty: 200,
			xp_bounty: 150,
			collider: ball(0.5),
			physics_body: 'Kinematic',
		},
	},
	melee_minion: {
		summary: 'A foot soldier of team 1 that marches and fights at arm’s length',
		document: {
			mesh: 'cube',
			color: 'blue',
			scale: [0.6, 0.6, 0.6],
			position: [0, 0.5, 0],
			health: 80,
			team: 1,
			role: 'minion',
			combat: true,
			combat_damage: 10,
			gold_bounty: 20,
			xp_bounty: 25,
			collider: ball(0.3),
			physics_body: 'Kinematic',
		},
	},
	ranged_minion: {
		summary: 'A frail soldier of team 1 that fights from afar',
		document: {
			mesh: 'sphere',
			color: 'blue',
			scale: [0.6, 0.6, 0.6],
			position: [0, 0.5, 0],
			health: 50,
			team: 1,
			role: 'minion',
			combat: true,
			combat_damage: 14,
			combat_range: 6,
			gold_bounty: 24,
			xp_bounty: 30,
			collider: ball(0.3),
			physics_body: 'Kinematic',
		},
	},
	tower: {
		summary: 'A tower of team 1 that shoots enemies in range',
		document: {
			mesh: 'cylinder',
			color: 'blue',
			scale: [1, 3, 1],
			position: [0, 1.5, 0],
			team: 1,
			role: 'tower',
			building_type: 'tier1_tower',
			collider: box(0.5, 1.5, 0.5),
			physics_body: 'Static',
		},
	},
	ancient: {
		summary: 'The heart of the base of team 1',
		document: {
			mesh: 'cylinder',
			color: 'blue',
			scale: [2, 2, 2],
			position: [0, 1, 0],
			team: 1,
			role: 'structure',
			building_type: 'ancient',
			collider: box(1, 1, 1),
			physics_body: 'Static',
			tags: ['ancient'],
		},
	},
	spawn_point: {
		summary: 'A spawn point where dead entities of team 1 respawn',
		document: { position: [0, 0, 0], spawn_point: 1, team: 1 },
	},
	patrol_guard: {
		summary: 'A guard of team 2 that patrols a square and fights enemies on the way',
		document: {
			mesh: 'cube',
			color: 'magenta',
			position: [0, 0.5, 0],
			health: 120,
			team: 2,
			role: 'minion',
			combat: true,
			combat_damage: 15,
			ai_patrol: [
				[4, 0.5, 4],
				[4, 0.5, -4],
				[-4, 0.5, -4],
				[-4, 0.5, 4],
			],
			collider: ball(0.4),
			physics_body: 'Kinematic',
		},
	},
	chest: {
		summary: 'A chest that opens when hit: 1 HP and a bounty of gold',
		document: {
			mesh: 'cube',
			color: 'gold',
			scale: [0.8, 0.6, 0.6],
			position: [0, 0.3, 0],
			health: 1,
			gold_bounty: 50,
			tags: ['chest'],
			collider: box(0.4, 0.3, 0.3),
			physics_body: 'Static',
		},
	},
	coin: {
		summary: 'A coin to be picked up',
		document: {
			mesh: 'cylinder',
			color: 'gold',
			scale: [0.3, 0.05, 0.3],
			position: [0, 0.3, 0],
			tags: ['coin', 'pickup'],
		},
	},
};
