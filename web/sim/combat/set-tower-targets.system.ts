/** System that makes towers attack enemy heroes that hurt heroes of their team. */

import { Building } from '../../../shared/components/building.ts';
import { Combat } from '../../../shared/components/combat.ts';
import { CombatState } from '../../../shared/components/combat-state.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LastAttacker } from '../../../shared/components/last-attacker.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Role } from '../../../shared/components/role.ts';
import { Team } from '../../../shared/components/team.ts';
import { PLACE_READ } from '../../../shared/verbs/access.ts';
import { buildingAt } from '../buildings/building-types.ts';
import { slotOf } from '../core/entities.ts';
import type { System } from '../core/system.ts';
import { spend } from '../core/tick-budget.ts';
import { count, each, get, has, read, type World, write } from '../core/world.ts';
import { globalPositions } from '../space/global-position.ts';
import { HERO, TOWER } from './target-index.ts';

/** Attack of a hero on a hero of another team. */
interface HeroAttack {
	/** Team of the hurt hero. */
	readonly team: number;
	/** Slot of the attacking hero. */
	readonly attacker: number;
}

export const setTowerTargets: System = {
	name: 'set-tower-targets',
	needs: [Combat],
	access: {
		reads: [
			'building.building_type',
			'combat',
			'combat_state.override',
			'dead',
			'health',
			'last_attacker',
			'role.role',
			'tuning',
		],
		writes: ['combat_state.override'],
		queries: [
			{ with: ['parent'], reads: PLACE_READ },
			{ with: ['health'], reads: [...PLACE_READ, 'team.team'] },
		],
	},
	maximum: (world) => ({ searched: (count(world, Building) + countTowers(world)) * count(world, Role) }),
	run: updateTowers,
};

/** Returns the number of entities with the role of a tower. */
function countTowers(world: World): number {
	const role = read(world, Role, 'role');
	let towers = 0;
	each(world, [Role], (slot) => {
		if (role[slot] === TOWER) towers++;
	});
	return towers;
}

function updateTowers(world: World): void {
	if (count(world, Combat) === 0 || (count(world, Role) === 0 && count(world, Building) === 0)) return;
	const towers = livingTowers(world);
	if (towers.length === 0) return;
	const heroAttacks = findHeroAttacks(world);
	spend(world, 'searched', towers.length * heroAttacks.length);
	const positions = globalPositions(world);
	const team = read(world, Team, 'team');
	for (const tower of towers) {
		let nearestAttacker = -1;
		let nearestSquare = Number.POSITIVE_INFINITY;
		for (const { team: hurtTeam, attacker } of heroAttacks) {
			if (hurtTeam !== team[tower] || team[attacker] === team[tower]) continue;
			const square = squaredDistance(positions, tower, attacker);
			if (square < nearestSquare) [nearestAttacker, nearestSquare] = [attacker, square];
		}
		setOverride(world, tower, nearestAttacker);
	}
}

function squaredDistance(positions: Float32Array, a: number, b: number): number {
	const x = positions[a * 3]! - positions[b * 3]!;
	const y = positions[a * 3 + 1]! - positions[b * 3 + 1]!;
	const z = positions[a * 3 + 2]! - positions[b * 3 + 2]!;
	return x * x + y * y + z * z;
}

function livingTowers(world: World): number[] {
	const towers: number[] = [];
	const role = read(world, Role, 'role');
	const isTower = (slot: number) =>
		has(world, slot, Role) ? role[slot] === TOWER : buildingAt(world, slot)?.tower_aggro === true;
	for (const component of [Role, Building]) {
		each(world, [component, CombatState, Combat, Team, Health, LocalTransform], (slot) => {
			if (component === Building && has(world, slot, Role)) return;
			if (isTower(slot) && !has(world, slot, Dead)) towers.push(slot);
		});
	}
	return towers.sort((a, b) => a - b);
}

/** Returns the attacks on living heroes whose last attacker is a living hero of another team. */
function findHeroAttacks(world: World): HeroAttack[] {
	const heroAttacks: HeroAttack[] = [];
	const team = read(world, Team, 'team');
	each(world, [LastAttacker, Role, Team, Health], (slot) => {
		if (!isLivingHero(world, slot)) return;
		const attacker = slotOf(world, get(world, slot, LastAttacker)!.entity);
		if (attacker < 0 || !isLivingHero(world, attacker) || !has(world, attacker, LocalTransform)) return;
		if (team[attacker] !== team[slot]) heroAttacks.push({ team: team[slot]!, attacker });
	});
	return heroAttacks;
}

function isLivingHero(world: World, slot: number): boolean {
	if (!has(world, slot, Role) || !has(world, slot, Team) || !has(world, slot, Health)) return false;
	return read(world, Role, 'role')[slot] === HERO && !has(world, slot, Dead);
}

function setOverride(world: World, tower: number, attacker: number): void {
	const generation = attacker < 0 ? 0 : world.entities.generations.data[attacker]!;
	const overrides = read(world, CombatState, 'override');
	if (overrides[tower * 2] === attacker + 1 && overrides[tower * 2 + 1] === generation) return;
	const writable = write(world, CombatState, 'override');
	writable[tower * 2] = attacker + 1;
	writable[tower * 2 + 1] = generation;
}
