/** Brings the dead back whose time has come: at their team's spawn point, with full health. */

import { CombatState } from '../../../shared/components/combat-state.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LastAttacker } from '../../../shared/components/last-attacker.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { RespawnTimer } from '../../../shared/components/respawn-timer.ts';
import { SpawnPoint } from '../../../shared/components/spawn-point.ts';
import { Team } from '../../../shared/components/team.ts';
import type { Handle } from '../../../shared/contract/component.ts';
import { handleOf } from '../core/entities.ts';
import { add, count, each, has, read, remove, type World } from '../core/world.ts';
import { placeOf } from '../space/place.ts';
import { teleport } from '../transform/teleport.ts';
import { tuning } from '../tuning/tuning.ts';

export function respawnDead(world: World): void {
	if (count(world, RespawnTimer) === 0) return;
	const at = read(world, RespawnTimer, 'at');
	each(world, [RespawnTimer], (slot) => {
		if (!has(world, slot, Dead)) remove(world, slot, RespawnTimer);
		else if (world.tick >= at[slot]!) revive(world, handleOf(world, slot));
	});
}

/** Lets a dead entity live again: full health, no target, nobody to blame. Velocity, mana, tags and level stay. */
export function revive(world: World, entity: Handle): void {
	const slot = entity.id;
	remove(world, slot, RespawnTimer);
	remove(world, slot, LastAttacker);
	remove(world, slot, Dead);
	if (has(world, slot, Health)) add(world, slot, Health, { current: read(world, Health, 'max')[slot]! });
	if (has(world, slot, CombatState)) add(world, slot, CombatState, { target: null, override: null });
	const team = has(world, slot, Team) ? read(world, Team, 'team')[slot]! : null;
	teleport(world, entity, spawnPlace(world, team));
}

/** The spawn point of a team with the lowest id, or the default place. */
export function spawnPlace(world: World, team: number | null): readonly [number, number, number] {
	const of = read(world, SpawnPoint, 'team');
	let first = -1;
	each(world, [SpawnPoint, LocalTransform], (slot) => {
		if (first < 0 && of[slot] === team) first = slot;
	});
	return first < 0 ? tuning(world).respawn.place : placeOf(world, first);
}
