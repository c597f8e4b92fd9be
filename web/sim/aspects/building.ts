/** Aspect: a building gets the health, the weapon and the protection of its type. */

import { Backdoor } from '../../../shared/components/backdoor.ts';
import { Combat } from '../../../shared/components/combat.ts';
import { Health } from '../../../shared/components/health.ts';
import { Shot } from '../../../shared/components/shot.ts';
import { add, remove } from '../core/world.ts';
import { tuning } from '../tuning/tuning.ts';
import type { Aspect } from './aspect.ts';

export const building: Aspect = {
	begin(world, { id }, { document, after }) {
		if (document.building_type == null) return;
		const { health, weapon, backdoor } = tuning(world).buildings[document.building_type];
		if (health !== null && after.health == null) add(world, id, Health, { current: health, max: health });
		if (backdoor !== null) add(world, id, Backdoor, { restore_to: after.health ?? health ?? 0 });
		if (weapon !== null)
			add(world, id, Combat, {
				...weapon,
				speed: 0,
				detect_range: weapon.range,
				style: 'stationary',
				crit: after.crit ?? null,
			});
		else if (after.combat !== true) remove(world, id, Shot);
	},
};
