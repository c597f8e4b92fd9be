/** What each kind of building is worth: data for the designer. */

import type { BUILDING_TYPES } from '../../../shared/components/building.ts';

export type BuildingType = (typeof BUILDING_TYPES)[number];

export interface BuildingData {
	/** HP; null for what cannot be destroyed. */
	readonly health: number | null;
	/** Damage of a shot (HP), reach and sight (m), time between shots (s). */
	readonly weapon: { readonly damage: number; readonly range: number; readonly cooldown: number } | null;
}

const tower = (health: number, damage: number): BuildingData => ({
	health,
	weapon: { damage, range: 7, cooldown: 1 },
});
const house = (health: number | null): BuildingData => ({ health, weapon: null });

export const BUILDINGS: Readonly<Record<BuildingType, BuildingData>> = {
	tier1_tower: tower(1800, 110),
	tier2_tower: tower(2500, 150),
	tier3_tower: tower(2500, 175),
	tier4_tower: tower(2600, 195),
	melee_barracks: house(2200),
	ranged_barracks: house(1300),
	ancient: house(4500),
	fountain: { health: null, weapon: { damage: 300, range: 12, cooldown: 0.15 } },
	effigy: house(100),
	outpost: house(null),
};
