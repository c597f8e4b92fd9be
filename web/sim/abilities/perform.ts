/**
 * Effects of abilities.
 * Owns: the meaning of each kind of effect, and the entities that it reaches.
 *
 * An effect has a subject: the caster, or the target of an aimed cast. Inside an AreaEffect, each entity in the area is
 * the subject in turn. The caster gets the credit for all damage. Enemies and allies are those of the caster. Without an
 * aim, the direction is the facing of the actor.
 */

import type { AbilityEffect, AFFECTED_ENTITIES, CcDocument } from '../../../shared/components/abilities.ts';
import { Dead } from '../../../shared/components/dead.ts';
import type { DamageCategory } from '../../../shared/components/defense.ts';
import { modifierToText } from '../../../shared/components/effects.ts';
import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Team } from '../../../shared/components/team.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { heal, queueDamage } from '../combat/damage.ts';
import { tryLaunch } from '../combat/projectile.ts';
import { isAlive, slotOf } from '../core/entities.ts';
import type { Vector } from '../core/math/vector.ts';
import { spend } from '../core/tick-budget.ts';
import { each, has, read, type World } from '../core/world.ts';
import { applyCrowdControl } from '../crowd-control/crowd-control.ts';
import { applyEffect } from '../effects/effect.ts';
import { teamOf } from '../match/match.ts';
import { teleport } from '../physics/teleport.ts';
import { globalPosition } from '../space/global-position.ts';
import { directionTo, distance, facingOf } from '../transform/facing.ts';
import type { CastAim } from './ability.ts';

interface CastContext {
	readonly caster: EntityHandle;
	/** Entity that is damaged, healed or changed. */
	readonly subject: EntityHandle;
	/** Entity that moves and shoots: the caster, or each entity of an AreaEffect. */
	readonly actor: EntityHandle;
	/** Centre of areas, and goal of shots and dashes; null without an aim. */
	readonly goal: Vector | null;
	/** Remaining effort of the whole cast. */
	readonly effort: { remaining: number };
}

/**
 * Maximum effort of one cast. Reading an entity costs 1, and acting on it costs `EFFORT_OF_ACT`. An area reads all
 * entities, and an area within an area does so for each entity inside. Without a limit, eight nested areas among a
 * hundred entities would not end.
 */
export const MAX_EFFORT = 3e6;
export const EFFORT_OF_ACT = 10;

/**
 * Performs an ability's effect for a caster. The target must exist. Returns false if the effort was used up, so that
 * the rest of the effect was left out.
 */
export function performEffect(
	world: World,
	caster: EntityHandle,
	effect: AbilityEffect,
	aim: CastAim,
): boolean {
	const { target } = aim;
	const goal = target === null ? aim.point : globalPosition(world, target.id);
	const effort = { remaining: MAX_EFFORT };
	performStep(world, effect, { caster, subject: target ?? caster, actor: caster, goal, effort });
	spend(world, 'searched', MAX_EFFORT - effort.remaining);
	return effort.remaining > 0;
}

/** Performs an effect and the effects inside it. */
function performStep(world: World, effect: AbilityEffect, cast: CastContext): void {
	const { caster, subject, actor, effort } = cast;
	if (effort.remaining <= 0 || slotOf(world, subject) < 0 || slotOf(world, actor) < 0) return;
	effort.remaining -= stepEffort(effect, world.entities.count);
	if ('Chain' in effect) for (const abilityEffect of effect.Chain) performStep(world, abilityEffect, cast);
	else if ('AreaDamage' in effect) {
		const { radius, damage, category } = effect.AreaDamage;
		for (const enemy of entitiesInside(world, caster, centreOf(world, cast), radius, 'enemies'))
			damageIfLiving(world, enemy, damage, caster, category);
	} else if ('AreaEffect' in effect) {
		const { radius, effect: inner, affects } = effect.AreaEffect;
		for (const entity of entitiesInside(world, caster, centreOf(world, cast), radius, affects))
			performStep(world, inner, { caster, subject: entity, actor: entity, goal: null, effort });
	} else if ('Heal' in effect) {
		if (isLiving(world, subject.id)) heal(world, subject, effect.Heal.amount);
	} else if ('Damage' in effect)
		damageIfLiving(world, subject, effect.Damage.amount, caster, effect.Damage.category);
	else if ('SpeedBoost' in effect) {
		const { multiplier, duration } = effect.SpeedBoost;
		const modifiers = [`move_speed:multiply:${multiplier}`];
		applyEffect(world, subject, { tag: 'speed_boost', duration, modifiers }, caster);
	} else if ('ApplyEffect' in effect) {
		const { modifiers, ...rest } = effect.ApplyEffect;
		const texts = modifiers.map((modifier) =>
			typeof modifier === 'string'
				? modifier
				: modifierToText({ stat: modifier[0], op: modifier[1], value: modifier[2] }),
		);
		applyEffect(world, subject, { ...rest, modifiers: texts }, caster);
	} else if ('ApplyCc' in effect) {
		const { cc_type, duration, dispel } = effect.ApplyCc;
		applyCrowdControl(world, subject, { ...crowdControlOf(world, cc_type), duration, dispel });
	} else if ('SpawnProjectile' in effect) {
		const { speed, range, width, damage, category, hits, spread } = effect.SpawnProjectile;
		tryLaunch(world, {
			from: globalPosition(world, actor.id),
			direction: headingOf(world, cast),
			speed,
			lifetime: range / speed,
			radius: width,
			damage,
			category,
			hits: hits ?? 'others',
			spread,
			owner: caster,
		});
	} else dash(world, cast, effect.Dash.distance);
}

/** Returns the effort of an effect among `entities` entities, without the effects inside it. */
export function stepEffort(effect: AbilityEffect, entities: number): number {
	if ('AreaEffect' in effect) return entities;
	return 'AreaDamage' in effect ? maxStepEffort(entities) : EFFORT_OF_ACT;
}

/** Returns the maximum effort of a single step among `entities` entities. */
export const maxStepEffort = (entities: number): number => Math.max(1, entities) * EFFORT_OF_ACT;

function centreOf(world: World, { subject, goal }: CastContext): Vector {
	return goal ?? globalPosition(world, subject.id);
}

function headingOf(world: World, { actor, goal }: CastContext): Vector {
	const towards = goal === null ? null : directionTo(globalPosition(world, actor.id), goal);
	return towards ?? facingOf(world, actor.id);
}

/** Moves the actor along its heading by at most `maxDistance` metres, and not beyond the goal. */
function dash(world: World, cast: CastContext, maxDistance: number): void {
	const { actor, goal } = cast;
	if (!has(world, actor.id, LocalTransform)) return;
	const position = globalPosition(world, actor.id);
	const [dx, dy, dz] = headingOf(world, cast);
	const length = goal === null ? maxDistance : Math.min(maxDistance, distance(position, goal));
	teleport(world, actor, [position[0] + dx * length, position[1] + dy * length, position[2] + dz * length]);
}

function isLiving(world: World, slot: number): boolean {
	return has(world, slot, Health) && !has(world, slot, Dead);
}

function damageIfLiving(
	world: World,
	target: EntityHandle,
	amount: number,
	source: EntityHandle,
	category: DamageCategory,
): void {
	if (isLiving(world, target.id)) queueDamage(world, target, amount, source, category);
}

function crowdControlOf(world: World, cc: CcDocument) {
	if (typeof cc === 'string') return { kind: cc };
	if ('Slow' in cc) return { kind: 'Slow' as const, factor: cc.Slow };
	if ('Invisibility' in cc) return { kind: 'Invisibility' as const, fade_time: cc.Invisibility.fade_time };
	const id = cc.Taunt.target_entity;
	const target = isAlive(world, id) ? { id, generation: world.entities.generations.data[id]! } : undefined;
	return { kind: 'Taunt' as const, target };
}

/**
 * Returns the entities within `radius` (m) of a point in slot order, without the caster and the dead. Enemies and allies
 * must have a team, and so must the caster.
 */
function entitiesInside(
	world: World,
	caster: EntityHandle,
	centre: Vector,
	radius: number,
	affects: (typeof AFFECTED_ENTITIES)[number],
): EntityHandle[] {
	const casterTeam = teamOf(world, caster);
	const teams = read(world, Team, 'team');
	const entities: EntityHandle[] = [];
	each(world, [LocalTransform], (slot) => {
		if (slot === caster.id || has(world, slot, Dead)) return;
		if (affects !== 'all') {
			if (casterTeam === null || !has(world, slot, Team)) return;
			if ((teams[slot] === casterTeam) !== (affects === 'allies')) return;
		}
		if (distance(globalPosition(world, slot), centre) <= radius)
			entities.push({ id: slot, generation: world.entities.generations.data[slot]! });
	});
	return entities;
}
