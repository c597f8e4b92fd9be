/**
 * The numbers of a world that a designer tunes and that no entity carries.
 * Owns: their shapes, units and ranges, and the values they have when nobody has changed them.
 */

import * as z from 'zod';
import { BUILDING_TYPES } from '../components/building.ts';
import { ROLES } from '../components/role.ts';
import { flag, integer, number, optional, position, vec3, word } from '../contract/values.ts';

const I32 = { min: -0x80000000, max: 0x7fffffff };
const seconds = (what: string) => number(what, { unit: 's', min: 0, max: 1e6 });
const metres = (what: string) => number(what, { unit: 'm', min: 0, max: 1e5 });

const weapon = z
	.strictObject({
		damage: number('Damage of a shot', { unit: 'HP', min: 0 }),
		range: metres('Reach and sight'),
		cooldown: seconds('Time between shots'),
	})
	.describe('What it shoots with; null: it does not');

const backdoor = z
	.strictObject({
		radius: metres('How near a minion of another team must be to lift it'),
		damage_factor: number('What is left of damage that enemies do', { min: 0, max: 1 }),
		regen: number('Health that returns, up to what was left when the last minion went', {
			unit: 'HP/s',
			min: 0,
		}),
	})
	.describe('Protection while no minion of another team is near; null: none');

const building = z.strictObject({
	health: number('Health; null: it cannot be destroyed', { unit: 'HP', min: 0 }).nullable(),
	armor: number('Armour against physical damage', { min: -1e6, max: 1e6 }),
	weapon: weapon.nullable(),
	backdoor: backdoor.nullable(),
	tower_aggro: flag('Whether it turns on enemy heroes who hurt heroes of its team'),
	role: word(ROLES, 'What it counts as when it was given no role'),
	respawns: flag('Whether it comes back like others of a team; otherwise it lies in ruins'),
});

export type BuildingData = z.output<typeof building>;

const byRole = <T>(of: (role: Role) => T) =>
	Object.fromEntries(ROLES.map((role) => [role, of(role)])) as Record<Role, T>;

type Role = (typeof ROLES)[number];

const priorities = z
	.strictObject(
		byRole((role) => integer(`Of role ${role}; null: never chosen`, { min: 0, max: 100 }).nullable()),
	)
	.describe('The lowest is attacked first; among equals the nearest');

const groups = {
	physics: z.strictObject({
		gravity: vec3('Acceleration of Dynamic bodies', { unit: 'm/s^2', min: -1e3, max: 1e3 }),
		restitution: number('Bounciness of every collider; two that meet multiply theirs', { min: 0, max: 1 }),
		friction: number('Friction of every collider (0: ice)', { min: 0, max: 100 }),
	}),
	respawn: z.strictObject({
		delay: seconds('Time until the dead of a team return while there is no match, which has its own'),
		corpse: seconds('Time until the corpse of a minion is removed'),
		place: position.describe(
			'Where those return whose team has no spawn point [x, y, z] (m); a Kinematic body, such as a fighter, stays at the height at which it died',
		),
	}),
	kills: z.strictObject({
		score: integer('Points for a kill', I32),
		team_score: integer('Points for killing one of the own team', I32),
		team_rewards: flag('Whether killing one of the own team pays gold and experience'),
	}),
	growth: z.strictObject({
		max_level: integer('Highest level', { min: 1, max: 1000 }),
		xp_base: integer('Experience that every level takes', { unit: 'XP', max: 1e9 }),
		xp_per_level: integer('Experience that level N takes N times more', { unit: 'XP', max: 1e6 }),
		share_radius: metres('How near the victim heroes must be to share its experience'),
		health: number('Health that a level brings where there is no growth', { unit: 'HP', min: 0, max: 1e6 }),
		damage: number('Damage that a level brings where there is no growth', { unit: 'HP', min: 0, max: 1e6 }),
	}),
	combat: z.strictObject({
		armor_factor: number(
			'Physical damage is multiplied by 1 - f a / (1 + f |a|), a the armour and f this number',
			{ min: 0, max: 1e3 },
		),
		target_priority: z
			.strictObject(byRole(() => priorities))
			.describe('By role of an attacker, in which order it chooses among enemies in reach'),
	}),
	goals: z.strictObject({
		arrival: metres('A waypoint is reached at this distance on the ground'),
		close: metres('One who chases stops at this distance on the ground'),
		safe: metres('One who flees stops at this distance'),
	}),
	shop: z.strictObject({
		resale: number('Share of its worth that an item sells for, rounded down', { min: 0, max: 1 }),
	}),
} as const;

const perBuilding = <T extends z.ZodType>(of: T) =>
	z.strictObject(Object.fromEntries(BUILDING_TYPES.map((type) => [type, of])) as Record<BuildingType, T>);

type BuildingType = (typeof BUILDING_TYPES)[number];

export const tuningDocument = z
	.strictObject({ ...groups, buildings: perBuilding(building).describe('By kind of building') })
	.describe('The numbers that a designer tunes')
	.meta({ id: 'Tuning' });

export type TuningDocument = Readonly<z.output<typeof tuningDocument>>;

/** Changes to some of them; what is left out stays. */
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
						.describe('By role of an attacker'),
				})
				.partial(),
		),
		goals: optional(groups.goals.partial()),
		shop: optional(groups.shop.partial()),
		buildings: optional(
			z.partialRecord(z.enum(BUILDING_TYPES), building.partial()).describe('By kind of building'),
		),
	})
	.describe('What is to be changed');

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
const house = (health: number | null, armor = 0, guarded = false): BuildingData => ({
	health,
	armor,
	weapon: null,
	backdoor: guarded ? BACKDOOR : null,
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
	buildings: {
		tier1_tower: tower(1800, 110, 12),
		tier2_tower: tower(2500, 150, 16),
		tier3_tower: tower(2500, 175, 16),
		tier4_tower: tower(2600, 195, 21),
		melee_barracks: house(2200, 15, true),
		ranged_barracks: house(1300, 9, true),
		ancient: house(4500, 13, true),
		fountain: { ...house(null), weapon: { damage: 300, range: 12, cooldown: 0.15 } },
		effigy: house(100),
		outpost: house(null),
	},
};
