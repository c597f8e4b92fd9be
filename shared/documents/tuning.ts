/**
 * Settings of a world that designers tune. They do not belong to an entity.
 * Owns: their shapes, units, ranges and defaults.
 */

import * as z from 'zod';
import { BUILDING_TYPES } from '../components/building.ts';
import { ROLES } from '../components/role.ts';
import { flag, integer, number, optional, position, vec3, word } from '../contract/values.ts';

const I32 = { min: -0x80000000, max: 0x7fffffff };
const seconds = (description: string) => number(description, { unit: 's', min: 0, max: 1e6 });
const coordinate = (description: string) => number(description, { unit: 'm', min: -1e5, max: 1e5 });
const metres = (description: string) => number(description, { unit: 'm', min: 0, max: 1e5 });

const weapon = z
	.strictObject({
		damage: number('Damage per shot', { unit: 'HP', min: 0 }),
		range: metres('Range within which it detects and shoots'),
		cooldown: seconds('Time between shots'),
	})
	.describe('Weapon; null: it does not shoot');

const backdoor = z
	.strictObject({
		radius: metres('Distance within which a minion of another team ends the protection'),
		damage_factor: number('Factor by which damage from enemies is multiplied', { min: 0, max: 1 }),
		regen: number(
			'Health regenerated per second while protected, up to the health at the start of the protection',
			{
				unit: 'HP/s',
				min: 0,
			},
		),
	})
	.describe('Protection while no minion of another team is near; null: none');

const building = z.strictObject({
	health: number('Maximum health; null: it cannot be destroyed', { unit: 'HP', min: 0 }).nullable(),
	armor: number('Armour against physical damage', { min: -1e6, max: 1e6 }),
	weapon: weapon.nullable(),
	backdoor: backdoor.nullable(),
	tower_aggro: flag('Attacks enemy heroes that hurt heroes of its team'),
	role: word(ROLES, 'Default role of such a building'),
	respawns: flag('Respawns like other entities of a team; otherwise it stays destroyed'),
});

export type BuildingData = z.output<typeof building>;

const byRole = <T>(valueFor: (role: TunedRole) => T) =>
	Object.fromEntries(ROLES.map((role) => [role, valueFor(role)])) as Record<TunedRole, T>;

type TunedRole = (typeof ROLES)[number];

const priorities = z
	.strictObject(
		byRole((role) =>
			integer(`Priority of targets with role ${role}; null: never chosen`, { min: 0, max: 100 }).nullable(),
		),
	)
	.describe('Target priorities: the lowest number is attacked first; among equal ones, the nearest');

const groups = {
	physics: z.strictObject({
		gravity: vec3('Acceleration of Dynamic bodies', { unit: 'm/s^2', min: -1e3, max: 1e3 }),
		restitution: number('Restitution (bounciness) of every collider; a contact uses the product of both', {
			min: 0,
			max: 1,
		}),
		friction: number('Friction of every collider (0: ice)', { min: 0, max: 100 }),
	}),
	respawn: z.strictObject({
		delay: seconds(
			'Time until a dead entity with a team respawns while there is no match; a match has its own respawn_delay',
		),
		corpse: seconds('Time until the corpse of a minion is removed'),
		place: position.describe(
			'Respawn position for a team without a spawn point [x, y, z] (m); a Kinematic body, such as a fighter, keeps the height at which it died',
		),
	}),
	kills: z.strictObject({
		score: integer('Points for a kill', I32),
		team_score: integer('Points for killing a member of its own team', I32),
		team_rewards: flag('Killing a member of its own team gives gold and experience'),
	}),
	growth: z.strictObject({
		max_level: integer('Highest level', { min: 1, max: 1000 }),
		xp_base: integer('Experience needed for any level, in addition to xp_per_level', {
			unit: 'XP',
			max: 1e9,
		}),
		xp_per_level: integer(
			'Additional experience per level: from level N to the next takes xp_base + N * xp_per_level',
			{ unit: 'XP', max: 1e6 },
		),
		share_radius: metres('Distance from the victim within which heroes share its experience'),
		health: number('Health added per level for entities without stat_growth', {
			unit: 'HP',
			min: 0,
			max: 1e6,
		}),
		damage: number('Damage added per level for entities without stat_growth', {
			unit: 'HP',
			min: 0,
			max: 1e6,
		}),
	}),
	combat: z.strictObject({
		armor_factor: number(
			'Factor f: physical damage against armour a is multiplied by 1 - f a / (1 + f |a|)',
			{ min: 0, max: 1e3 },
		),
		target_priority: z
			.strictObject(byRole(() => priorities))
			.describe('By role of the attacker: the order in which it chooses among enemies in range'),
	}),
	goals: z.strictObject({
		arrival: metres('Horizontal distance at which a waypoint counts as reached'),
		close: metres('Horizontal distance at which a chasing entity stops'),
		safe: metres('Distance at which a fleeing entity stops'),
	}),
	players: z.strictObject({
		speed: number('Walking speed of a player that does not fight', {
			unit: 'm/s',
			min: 0,
			max: 1000,
		}),
		paths: flag(
			'Players walk to points along a path on the navigation mesh, if there is one, instead of straight',
		),
		bounds: optional(
			z
				.strictObject({
					min_x: coordinate('Smallest x'),
					max_x: coordinate('Largest x'),
					min_z: coordinate('Smallest z'),
					max_z: coordinate('Largest z'),
				})
				.refine(({ min_x, max_x, min_z, max_z }) => min_x <= max_x && min_z <= max_z, {
					error: 'a smallest value must not be above its largest',
				})
				.describe('Area that players do not leave by their keys and orders; left out: no limit'),
		),
	}),
	shop: z.strictObject({
		resale: number('Share of the value of an item that selling pays, rounded down', { min: 0, max: 1 }),
	}),
} as const;

const perBuilding = <T extends z.ZodType>(schema: T) =>
	z.strictObject(Object.fromEntries(BUILDING_TYPES.map((type) => [type, schema])) as Record<BuildingType, T>);

type BuildingType = (typeof BUILDING_TYPES)[number];

export const tuningDocument = z
	.strictObject({ ...groups, buildings: perBuilding(building).describe('By kind of building') })
	.describe('Settings of the world for game designers')
	.meta({ id: 'Tuning' });

export type TuningDocument = Readonly<z.output<typeof tuningDocument>>;

/** Changes to some settings. Omitted settings stay as they are. */
export const tuningChange = z
	.strictObject({
		physics: optional(groups.physics.partial()),
		respawn: optional(groups.respawn.partial()),
		kills: optional(groups.kills.partial()),
		growth: optional(groups.growth.partial()),
		combat: optional(
			groups.combat
				.extend({
					target_priority: z
						.strictObject(byRole(() => priorities.partial()))
						.partial()
						.describe('By role of the attacker'),
				})
				.partial(),
		),
		goals: optional(groups.goals.partial()),
		players: optional(groups.players.partial()),
		shop: optional(groups.shop.partial()),
		buildings: optional(
			z.partialRecord(z.enum(BUILDING_TYPES), building.partial()).describe('By kind of building'),
		),
	})
	.describe('Settings to change');

export type TuningChange = z.output<typeof tuningChange>;

const BACKDOOR = { radius: 15, damage_factor: 0.4, regen: 10 };

const tower = (health: number, damage: number, armor: number): BuildingData => ({
	health,
	armor,
	weapon: { damage, range: 7, cooldown: 1 },
	backdoor: BACKDOOR,
	tower_aggro: true,
	role: 'Tower',
	respawns: false,
});
const unarmedBuilding = (health: number | null, armor = 0, hasBackdoor = false): BuildingData => ({
	health,
	armor,
	weapon: null,
	backdoor: hasBackdoor ? BACKDOOR : null,
	tower_aggro: false,
	role: 'Structure',
	respawns: false,
});

export const DEFAULT_TUNING: TuningDocument = {
	physics: { gravity: [0, -9.81, 0], restitution: 0.3, friction: 0.5 },
	respawn: { delay: 5, corpse: 2, place: [0, 2, 0] },
	kills: { score: 1, team_score: 1, team_rewards: true },
	growth: { max_level: 18, xp_base: 100, xp_per_level: 80, share_radius: 15, health: 50, damage: 5 },
	combat: {
		armor_factor: 0.06,
		target_priority: {
			Hero: { Hero: 0, Minion: 1, Tower: 2, Structure: 3 },
			Minion: { Hero: 1, Minion: 0, Tower: 2, Structure: 3 },
			Tower: { Hero: 1, Minion: 0, Tower: 3, Structure: 2 },
			Structure: { Hero: 0, Minion: 0, Tower: 0, Structure: 0 },
		},
	},
	goals: { arrival: 0.5, close: 1, safe: 10 },
	shop: { resale: 0.5 },
	players: { speed: 5, paths: false },
	buildings: {
		tier1_tower: tower(1800, 110, 12),
		tier2_tower: tower(2500, 150, 16),
		tier3_tower: tower(2500, 175, 16),
		tier4_tower: tower(2600, 195, 21),
		melee_barracks: unarmedBuilding(2200, 15, true),
		ranged_barracks: unarmedBuilding(1300, 9, true),
		ancient: unarmedBuilding(4500, 13, true),
		fountain: { ...unarmedBuilding(null), weapon: { damage: 300, range: 12, cooldown: 0.15 } },
		effigy: unarmedBuilding(100),
		outpost: unarmedBuilding(null),
	},
};
