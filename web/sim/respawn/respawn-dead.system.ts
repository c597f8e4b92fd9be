/** System that respawns dead entities when their time is over: at the spawn point of their team, with full health. */

import { CombatState } from '../../../shared/components/combat-state.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LastAttacker } from '../../../shared/components/last-attacker.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { RespawnTimer } from '../../../shared/components/respawn-timer.ts';
import { SpawnPoint } from '../../../shared/components/spawn-point.ts';
import { Team } from '../../../shared/components/team.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { PLACE_READ, TELEPORT_READ } from '../../../shared/verbs/access.ts';
import { handleOf } from '../core/entities.ts';
import type { System } from '../core/system.ts';
import { spend } from '../core/tick-budget.ts';
import { maxWithComponent } from '../core/tick-maximum.ts';
import { add, count, each, get, has, read, remove, type World } from '../core/world.ts';
import { teleport } from '../physics/teleport.ts';
import { globalPosition } from '../space/global-position.ts';
import { tuning } from '../tuning/tuning.ts';

export const respawnDead: System = {
	name: 'respawn-dead',
	needs: [RespawnTimer],
	access: {
		reads: [
			'combat_state',
			'dead',
			'health',
			'respawn_timer',
			'spawn_point',
			'team.team',
			'tuning',
			...PLACE_READ,
			...TELEPORT_READ,
		],
		writes: [
			'combat_state.override',
			'combat_state.target',
			'dead',
			'health.current',
			'last_attacker',
			'local_transform.position',
			'respawn_timer',
		],
	},
	maximum: (world, before) => ({
		searched: count(world, RespawnTimer) * maxWithComponent(world, SpawnPoint, before),
	}),
	run,
};

function run(world: World): void {
	const respawnTicks = read(world, RespawnTimer, 'at');
	each(world, [RespawnTimer], (slot) => {
		if (!has(world, slot, Dead)) remove(world, slot, RespawnTimer);
		else if (world.tick >= respawnTicks[slot]!) revive(world, handleOf(world, slot));
	});
}

/** Revives a dead entity with full health, without a target or an attacker. Velocity, mana, tags and level stay. */
export function revive(world: World, entity: EntityHandle): void {
	const slot = entity.id;
	remove(world, slot, RespawnTimer);
	remove(world, slot, LastAttacker);
	remove(world, slot, Dead);
	if (has(world, slot, Health)) add(world, slot, Health, { current: read(world, Health, 'max')[slot]! });
	if (has(world, slot, CombatState)) add(world, slot, CombatState, { target: null, override: null });
	const team = has(world, slot, Team) ? read(world, Team, 'team')[slot]! : null;
	teleport(world, entity, respawnPosition(world, slot, team));
}

/**
 * Returns the position at which a dead entity respawns. Without a spawn point, a Kinematic entity keeps its height,
 * because it does not fall.
 */
function respawnPosition(world: World, slot: number, team: number | null): readonly [number, number, number] {
	const point = spawnPointOf(world, team);
	if (point !== null) return point;
	const [x, y, z] = tuning(world).respawn.place;
	const keepsHeight = get(world, slot, PhysicsBody)?.kind === 'Kinematic' && has(world, slot, LocalTransform);
	return keepsHeight ? [x, globalPosition(world, slot)[1], z] : [x, y, z];
}

/** Returns the position of a team's spawn point with the lowest id; null if there is none. */
function spawnPointOf(world: World, team: number | null): readonly [number, number, number] | null {
	const teams = read(world, SpawnPoint, 'team');
	spend(world, 'searched', count(world, SpawnPoint));
	let pointSlot = -1;
	each(world, [SpawnPoint, LocalTransform], (slot) => {
		if (pointSlot < 0 && teams[slot] === team) pointSlot = slot;
	});
	return pointSlot < 0 ? null : globalPosition(world, pointSlot);
}
