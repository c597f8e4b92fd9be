/** What each kind of building is worth: data for the designer. */

import { BUILDING_TYPES, Building } from '../../../shared/components/building.ts';
import type { ROLES } from '../../../shared/components/role.ts';
import { has, read, type World } from '../core/world.ts';

export type BuildingType = (typeof BUILDING_TYPES)[number];

/** Protection while no minion of another team is near. */
export interface BackdoorData {
	/** How near a minion must be to lift it (m). */
	readonly radius: number;
	/** What is left of damage that enemies do. */
	readonly damage_factor: number;
	/** Health that returns (HP/s), up to what was left when the last minion went. */
	readonly regen: number;
}

export interface BuildingData {
	/** HP; null for what cannot be destroyed. */
	readonly health: number | null;
	/** Armour against physical damage. */
	readonly armor: number;
	/** Damage of a shot (HP), reach and sight (m), time between shots (s). */
	readonly weapon: { readonly damage: number; readonly range: number; readonly cooldown: number } | null;
	readonly backdoor: BackdoorData | null;
	/** Whether it turns on enemy heroes who hurt heroes of its team. */
	readonly tower_aggro: boolean;
	/** What attackers and it itself take it for when it was given no role. */
	readonly role: (typeof ROLES)[number];
	/** Whether it comes back like other fallen of a team; otherwise it lies in ruins. */
	readonly respawns: boolean;
}

const BACKDOOR: BackdoorData = { radius: 15, damage_factor: 0.4, regen: 10 };

const tower = (health: number, damage: number, armor: number): BuildingData => ({
	health,
	armor,
	weapon: { damage, range: 7, cooldown: 1 },
	backdoor: BACKDOOR,
	tower_aggro: true,
	role: 'Tower',
	respawns: false,
});
const house = (health: number | null, armor = 0, backdoor: BackdoorData | null = null): BuildingData => ({
	health,
	armor,
	weapon: null,
	backdoor,
	tower_aggro: false,
	role: 'Structure',
	respawns: false,
});

export const BUILDINGS: Readonly<Record<BuildingType, BuildingData>> = {
	tier1_tower: tower(1800, 110, 12),
	tier2_tower: tower(2500, 150, 16),
	tier3_tower: tower(2500, 175, 16),
	tier4_tower: tower(2600, 195, 21),
	melee_barracks: house(2200, 15, BACKDOOR),
	ranged_barracks: house(1300, 9, BACKDOOR),
	ancient: house(4500, 13, BACKDOOR),
	fountain: { ...house(null), weapon: { damage: 300, range: 12, cooldown: 0.15 } },
	effigy: house(100),
	outpost: house(null),
};

/** The data of the building in a slot, or undefined when it is none. */
export function buildingAt(world: World, slot: number): BuildingData | undefined {
	if (!has(world, slot, Building)) return undefined;
	return BUILDINGS[BUILDING_TYPES[read(world, Building, 'building_type')[slot]!]!];
}
