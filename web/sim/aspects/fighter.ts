/** Aspect: warns about a fighter without team or health, and about fighter fields without combat. */

import { Combat } from '../../../shared/components/combat.ts';
import { Health } from '../../../shared/components/health.ts';
import { Team } from '../../../shared/components/team.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { has, type World } from '../core/world.ts';
import { tuning } from '../tuning/tuning.ts';
import type { Aspect } from './aspect.ts';

/** Fields that only fighters use. */
const FIGHTER_FIELDS = [
	...Object.keys(Combat.spawn!.fields).filter((key) => key !== 'combat' && key !== 'combat_speed'),
	'combat_projectile',
	'march',
] as readonly (keyof SpawnDocument)[];
/** Fighter fields that a building with a weapon uses too. */
const WEAPON_FIELDS: readonly string[] = ['crit', 'combat_projectile'];

export const fighter: Aspect = {
	warn: (world, { document, after }, id) => [
		...unusedFieldWarnings(world, document, after.combat === true),
		...(document.combat === true
			? fighterWarnings(world, id).map((warning) => `combat: the entity ${warning}`)
			: []),
	],
};

function unusedFieldWarnings(world: World, document: SpawnDocument, isFighter: boolean): string[] {
	if (isFighter) return [];
	const warnings: string[] = [];
	const type = document.building_type;
	const isArmed = type != null && tuning(world).buildings[type].weapon !== null;
	for (const key of FIGHTER_FIELDS)
		if (document[key] != null && !(isArmed && WEAPON_FIELDS.includes(key)))
			warnings.push(`${key} does nothing without combat: true`);
	if (document.combat_speed != null && document.ai_patrol == null)
		warnings.push('combat_speed does nothing without combat: true or ai_patrol');
	return warnings;
}

/** Returns warnings about components that a fighter needs and does not have. */
export function fighterWarnings(world: World, id: number): string[] {
	return [
		...(has(world, id, Team) ? [] : ['fights without a team, so it has no enemies']),
		...(has(world, id, Health) ? [] : ['fights without health, so nothing attacks it']),
	];
}
