/** System of backdoor protection: it sets which buildings are protected on this tick, and restores their health. */

import { Backdoor } from '../../../shared/components/backdoor.ts';
import { Building } from '../../../shared/components/building.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Role } from '../../../shared/components/role.ts';
import { Team } from '../../../shared/components/team.ts';
import { wordIndex } from '../../../shared/contract/component.ts';
import { PLACE_READ } from '../../../shared/verbs/access.ts';
import { amountInTick } from '../core/flow.ts';
import type { System } from '../core/system.ts';
import { spend } from '../core/tick-budget.ts';
import { maxWithComponent } from '../core/tick-maximum.ts';
import { count, each, has, read, type World, write } from '../core/world.ts';
import { globalPositions } from '../space/global-position.ts';
import { buildingAt } from './building-types.ts';

const MINION = wordIndex(Role, 'role', 'Minion');

export const guardBuildings: System = {
	name: 'guard-buildings',
	needs: [Backdoor],
	access: {
		reads: [
			'backdoor',
			'building.building_type',
			'dead',
			'health',
			'role.role',
			'team.team',
			'tuning',
			...PLACE_READ,
		],
		writes: ['backdoor.active', 'backdoor.restore_to', 'health.current'],
	},
	maximum: (world, before) => ({ searched: count(world, Backdoor) * maxWithComponent(world, Role, before) }),
	run,
};

function run(world: World): void {
	const minions = livingMinions(world);
	const current = read(world, Health, 'current');
	const max = read(world, Health, 'max');
	const active = read(world, Backdoor, 'active');
	const restoreTo = read(world, Backdoor, 'restore_to');
	let positions: Float32Array | null = null;
	each(world, [Backdoor, Building, Health, Team, LocalTransform], (slot) => {
		const backdoor = buildingAt(world, slot)?.backdoor;
		if (backdoor == null || has(world, slot, Dead)) return;
		positions ??= globalPositions(world);
		const protection = isEnemyWithin(world, slot, { minions, positions: positions }, backdoor.radius) ? 0 : 1;
		if (active[slot] !== protection) write(world, Backdoor, 'active')[slot] = protection;
		const health = current[slot]!;
		// Health that it gained in another way, such as by rebuilding, is the new health to restore to.
		if (protection === 0 || health > restoreTo[slot]!) {
			if (restoreTo[slot] !== health) write(world, Backdoor, 'restore_to')[slot] = health;
			return;
		}
		const goal = Math.min(restoreTo[slot]!, max[slot]!);
		if (health < goal)
			write(world, Health, 'current')[slot] = Math.min(
				goal,
				health + amountInTick(backdoor.regen, world.tick),
			);
	});
}

function livingMinions(world: World): number[] {
	const minions: number[] = [];
	const role = read(world, Role, 'role');
	each(world, [Role, Team, Health, LocalTransform], (slot) => {
		if (role[slot] === MINION && !has(world, slot, Dead)) minions.push(slot);
	});
	return minions;
}

/** Living minions, and the positions of all entities (x, y, z by slot). */
interface Siege {
	readonly minions: readonly number[];
	readonly positions: Float32Array;
}

function isEnemyWithin(
	world: World,
	slot: number,
	{ minions, positions: at }: Siege,
	radius: number,
): boolean {
	const team = read(world, Team, 'team');
	spend(world, 'searched', minions.length);
	return minions.some((minion) => {
		if (team[minion] === team[slot]) return false;
		const dx = at[minion * 3]! - at[slot * 3]!;
		const dy = at[minion * 3 + 1]! - at[slot * 3 + 1]!;
		const dz = at[minion * 3 + 2]! - at[slot * 3 + 2]!;
		return dx * dx + dy * dy + dz * dz <= radius * radius;
	});
}
