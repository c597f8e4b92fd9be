/**
 * Abilities that entities can cast.
 * Owns: the checks before a cast, and the queue of casts for the next tick.
 */

import {
	Abilities,
	type Ability,
	type AbilityDocument,
	type AbilityEffect,
	type QueuedCast,
	type Slot,
} from '../../../shared/components/abilities.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Mana } from '../../../shared/components/mana.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError, type ErrorCode } from '../../../shared/contract/errors.ts';
import { TICKS_PER_SECOND } from '../core/clock.ts';
import { comingTick } from '../core/coming-tick.ts';
import { add, get, has, read, remove, type World, write } from '../core/world.ts';
import { can, restraintText } from '../crowd-control/crowd-control.ts';

/** Returns the abilities of an entity, in the order in which they were given. */
export function abilitiesOf(world: World, slot: number): readonly Ability[] {
	return has(world, slot, Abilities) ? read(world, Abilities, 'abilities')[slot]! : [];
}

/** Gives an entity abilities that are ready immediately. Returns them with its abilities in other slots. */
export function setAbilities(
	world: World,
	id: number,
	documents: readonly AbilityDocument[],
): readonly Ability[] {
	const ready_at = comingTick(world);
	const newAbilities = documents.map((ability): Ability => ({ ...ability, ready_at }));
	const otherAbilities = abilitiesOf(world, id).filter(
		({ slot }) => !newAbilities.some((ability) => ability.slot === slot),
	);
	const abilities = [...otherAbilities, ...newAbilities];
	add(world, id, Abilities, { abilities });
	return abilities;
}

/** Removes an ability of an entity, or all of them (null), and their queued casts. Throws `no_ability`. */
export function removeAbilities(world: World, id: number, slot: Slot | null): readonly Ability[] {
	const abilities = abilitiesOf(world, id);
	const removed = abilities.filter((ability) => slot === null || ability.slot === slot);
	if (removed.length === 0)
		throw new ApiError(
			'no_ability',
			`Entity ${id} has no ability${slot === null ? '' : ` in slot ${slot}`}.`,
		);
	const remaining = abilities.filter((ability) => !removed.includes(ability));
	if (remaining.length === 0) remove(world, id, Abilities);
	else {
		const queued = read(world, Abilities, 'queued')[id]!;
		add(world, id, Abilities, {
			abilities: remaining,
			queued: queued.filter((cast) => remaining.some((ability) => ability.slot === cast.slot)),
		});
	}
	return removed;
}

/** Returns the seconds until an ability can be cast. */
export function secondsUntilReady(world: World, ability: Ability): number {
	return Math.max(0, ability.ready_at - world.tick) / TICKS_PER_SECOND;
}

interface CastRefusal {
	readonly code: ErrorCode;
	readonly message: string;
}

/**
 * Returns the reason that an entity cannot cast an ability now, or null if it can. `reservedMana`: mana that casts
 * before it in the queue will take.
 */
export function findCastRefusal(
	world: World,
	id: number,
	ability: Ability,
	reservedMana = 0,
): CastRefusal | null {
	if (has(world, id, Dead)) return { code: 'entity_dead', message: `Entity ${id} is dead.` };
	if (ability.ready_at > world.tick) {
		const seconds = (Math.ceil(secondsUntilReady(world, ability) * 100) / 100).toString();
		return {
			code: 'on_cooldown',
			message: `${ability.name} is on cooldown for ${seconds} s, until tick ${ability.ready_at}.`,
		};
	}
	if (!can(world, id, 'cast')) return { code: 'silenced', message: restraintText(world, id, 'casting') };
	if (hasDash(ability.effect) && !can(world, id, 'move'))
		return { code: 'silenced', message: restraintText(world, id, 'moving, which the ability needs') };
	const mana = get(world, id, Mana)?.current;
	if (mana !== undefined && mana - reservedMana < ability.mana_cost)
		return {
			code: 'no_mana',
			message: `${ability.name} costs ${ability.mana_cost} mana; entity ${id} has ${Math.floor((mana - reservedMana) * 100) / 100}.`,
		};
	return null;
}

function hasDash(effect: AbilityEffect): boolean {
	if ('Chain' in effect) return effect.Chain.some(hasDash);
	return 'Dash' in effect;
}

/** Aim of a cast: an entity, a point, or neither. */
export interface CastAim {
	readonly target: EntityHandle | null;
	readonly point: readonly [number, number, number] | null;
}

function requireAim(world: World, { target, point }: CastAim): void {
	if (target !== null && !has(world, target.id, LocalTransform))
		throw new ApiError('bad_aim', `The target, entity ${target.id}, has no position in the world.`);
	if (target !== null && point !== null)
		throw new ApiError('bad_aim', 'The call has both "target" and "point".', {
			fix: 'Send only one of them.',
		});
}

/** Queues a cast for the next tick. Throws `bad_aim`, `no_ability`, `entity_dead`, `on_cooldown`, `silenced`, `no_mana`. */
export function queueCast(world: World, caster: EntityHandle, slot: Slot, aim: CastAim): Ability {
	const { id } = caster;
	requireAim(world, aim);
	const abilities = abilitiesOf(world, id);
	const ability = abilities.find((ability) => ability.slot === slot);
	if (ability === undefined) throw new ApiError('no_ability', `Entity ${id} has no ability in slot ${slot}.`);
	const queued = read(world, Abilities, 'queued')[id]!;
	const reservedMana = queued.reduce(
		(sum, cast) => sum + (abilities.find((ability) => ability.slot === cast.slot)?.mana_cost ?? 0),
		0,
	);
	if (queued.some((cast) => cast.slot === slot))
		throw new ApiError('on_cooldown', `${ability.name} is already queued for the next tick.`);
	const refusal = findCastRefusal(world, id, ability, reservedMana);
	if (refusal !== null) throw new ApiError(refusal.code, refusal.message);
	const cast: QueuedCast = {
		slot,
		target: aim.target,
		point: aim.point === null ? null : [...aim.point],
	};
	write(world, Abilities, 'queued')[id] = [...queued, cast];
	return ability;
}
