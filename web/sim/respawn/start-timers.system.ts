/** System that starts the timers of entities that have just died. They respawn, leave a corpse for a while, or stay dead. */

import { CorpseTimer } from '../../../shared/components/corpse-timer.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { RespawnTimer } from '../../../shared/components/respawn-timer.ts';
import { Respawns } from '../../../shared/components/respawns.ts';
import { Role } from '../../../shared/components/role.ts';
import { Team } from '../../../shared/components/team.ts';
import { Death } from '../../../shared/events/death.ts';
import { buildingAt } from '../buildings/building-types.ts';
import { tickAfter } from '../core/clock.ts';
import { slotOf } from '../core/entities.ts';
import { drain } from '../core/events.ts';
import { resource } from '../core/resource.ts';
import type { System } from '../core/system.ts';
import { add, get, has, read, remove, type World } from '../core/world.ts';
import { Match } from '../match/match.ts';
import { tuning } from '../tuning/tuning.ts';

export const startTimers: System = {
	name: 'start-timers',
	awaits: [Death],
	access: {
		reads: [
			'building.building_type',
			'corpse_timer',
			'dead',
			'health.max',
			'match',
			'respawn_timer',
			'respawns',
			'role.role',
			'team',
			'tuning',
		],
		writes: ['corpse_timer', 'respawn_timer'],
		drains: ['death'],
	},
	run,
};

function run(world: World): void {
	const deaths = drain(world, Death, 'start-timers');
	if (deaths.length === 0) return;
	const { respawn } = tuning(world);
	for (const { entity } of deaths) {
		const slot = slotOf(world, entity);
		if (slot < 0 || !has(world, slot, Dead)) continue;
		const returns = get(world, slot, Respawns)?.returns;
		if (returns === undefined && !has(world, slot, Team)) continue;
		// Timers of an earlier death no longer apply, because the entity may have had another role.
		remove(world, slot, CorpseTimer);
		remove(world, slot, RespawnTimer);
		if (returns === 0) continue;
		if (returns === undefined && get(world, slot, Role)?.role === 'Minion') {
			add(world, slot, CorpseTimer, { at: tickAfter(world.tick, respawn.corpse) });
			continue;
		}
		// An entity whose health cannot rise above zero would die again and again.
		const canRevive = has(world, slot, Health) && read(world, Health, 'max')[slot]! > 0;
		if (!canRevive || (returns === undefined && buildingAt(world, slot)?.respawns === false)) continue;
		const delay = resource(world, Match)?.respawn_delay ?? respawn.delay;
		add(world, slot, RespawnTimer, { at: tickAfter(world.tick, delay) });
	}
}
