/**
 * Damage and healing.
 * Owns: the damage after armour, resistance and protection.
 */

import { Backdoor } from '../../../shared/components/backdoor.ts';
import { Building } from '../../../shared/components/building.ts';
import { Dead } from '../../../shared/components/dead.ts';
import type { DamageCategory } from '../../../shared/components/defense.ts';
import { Defense } from '../../../shared/components/defense.ts';
import { Health } from '../../../shared/components/health.ts';
import { LastAttacker } from '../../../shared/components/last-attacker.ts';
import { Modifiers } from '../../../shared/components/modifiers.ts';
import { Team } from '../../../shared/components/team.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { DamageDealt } from '../../../shared/events/damage.ts';
import { buildingAt } from '../buildings/building-types.ts';
import { slotOf } from '../core/entities.ts';
import { emit } from '../core/events.ts';
import { add, count, has, read, remove, type World, write } from '../core/world.ts';
import { boundedStat, readStat } from '../stats/stat.ts';
import { tuning } from '../tuning/tuning.ts';

/** Upper limit of damage (HP). It is more than any health. */
const MAX_DAMAGE = 1e30;

function requireLiving(world: World, { id }: EntityHandle): void {
	if (!has(world, id, Health)) throw new ApiError('no_health', `Entity ${id} has no health.`);
	if (has(world, id, Dead)) throw new ApiError('entity_dead', `Entity ${id} is dead.`);
}

/** Queues damage that the next damage system applies. Throws `no_health` or `entity_dead`. */
export function queueDamage(
	world: World,
	target: EntityHandle,
	amount: number,
	source: EntityHandle | null,
	category: DamageCategory = 'physical',
): void {
	requireLiving(world, target);
	sendDamage(world, target, amount, source, category);
}

/** Queues damage without checks. Damage to an entity without health, or to a dead one, does nothing. */
export function sendDamage(
	world: World,
	target: EntityHandle,
	amount: number,
	source: EntityHandle | null,
	category: DamageCategory,
): void {
	emit(
		world,
		DamageDealt,
		category === 'physical' ? { target, amount, source } : { target, amount, source, category },
	);
}

/** Heals an entity immediately, up to its maximum. Returns its new health. Throws `no_health` or `entity_dead`. */
export function heal(world: World, target: EntityHandle, amount: number): number {
	requireLiving(world, target);
	const oldHealth = read(world, Health, 'current')[target.id]!;
	const max = read(world, Health, 'max')[target.id]!;
	if (oldHealth >= max || amount <= 0) return oldHealth;
	const current = write(world, Health, 'current');
	current[target.id] = Math.min(oldHealth + amount, max);
	return current[target.id]!;
}

/** Revives a dead entity if its health is above 0. This cancels pending consequences of its death. */
export function reviveWithHealth(world: World, slot: number): void {
	if (has(world, slot, Dead) && read(world, Health, 'current')[slot]! > 0) remove(world, slot, Dead);
}

/** Returns true if any entity could change the damage it takes. */
export function canDamageChange(world: World): boolean {
	return count(world, Defense) + count(world, Building) + count(world, Modifiers) > 0;
}

/** Records the last attacker of an entity. It writes only if the attacker has changed. */
export function recordAttacker(world: World, slot: number, source: EntityHandle): void {
	if (has(world, slot, LastAttacker)) {
		const attackers = read(world, LastAttacker, 'entity');
		if (attackers[slot * 2] === source.id + 1 && attackers[slot * 2 + 1] === source.generation) return;
	}
	add(world, slot, LastAttacker, { entity: source });
}

/** Returns the damage after armour, resistance, protection and effects; never below 0. */
export function damageTaken(
	world: World,
	slot: number,
	amount: number,
	source: EntityHandle | null,
	category: DamageCategory,
): number {
	let remaining = amount;
	const building = buildingAt(world, slot);
	if (category === 'physical')
		remaining *= physicalFactor(armorOf(world, slot), tuning(world).combat.armor_factor);
	if (category === 'magical') remaining *= Math.max(0, 1 - magicResistOf(world, slot));
	const { backdoor = null } = building ?? {};
	if (backdoor !== null && has(world, slot, Backdoor) && isEnemy(world, slot, source))
		if (read(world, Backdoor, 'active')[slot] === 1) remaining *= backdoor.damage_factor;
	remaining *= boundedStat(world, slot, 'damage_taken', 1, 1e9);
	return remaining > 0 ? Math.min(remaining, MAX_DAMAGE) : 0;
}

/** Returns the armour of an entity: its own or that of its building type, with effects. */
export function armorOf(world: World, slot: number): number {
	const ownArmor = has(world, slot, Defense) ? read(world, Defense, 'armor')[slot]! : null;
	return readStat(world, slot, 'armor', ownArmor ?? buildingAt(world, slot)?.armor ?? 0);
}

/** Returns the share of magical damage that an entity resists, with effects. */
export function magicResistOf(world: World, slot: number): number {
	return readStat(
		world,
		slot,
		'magic_resist',
		has(world, slot, Defense) ? read(world, Defense, 'magic_resist')[slot]! : 0,
	);
}

/** Returns the share of physical damage that armour lets through: 1 - f a / (1 + f |a|). */
function physicalFactor(armor: number, factor: number): number {
	return 1 - (factor * armor) / (1 + factor * Math.abs(armor));
}

function isEnemy(world: World, slot: number, source: EntityHandle | null): boolean {
	const attacker = slotOf(world, source);
	if (attacker < 0 || !has(world, attacker, Team) || !has(world, slot, Team)) return false;
	const team = read(world, Team, 'team');
	return team[attacker] !== team[slot];
}
