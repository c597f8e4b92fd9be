/**
 * Effects of abilities.
 * Owns: the meaning of each kind of effect, and the entities that it reaches.
 *
 * An effect is performed on a subject. That is the caster, or the target of an aimed cast. Inside an AreaEffect it is
 * each entity inside, in order. Damage is always credited to the caster, enemies and allies are always the
 * caster's. Where nothing is aimed at, forward is the facing: -z, turned.
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

interface Cast {
	readonly caster: EntityHandle;
	/** Entity that it is about. */
	readonly subject: EntityHandle;
	/** Entity that moves and shoots: the caster, or each entity of an AreaEffect. */
	readonly actor: EntityHandle;
	/** Centre of areas and target of shots and dashes; null: nowhere in particular. */
	readonly goal: Vector | null;
	/** Effort that is left. */
	readonly effort: { left: number };
}

/**
 * Most that one cast may come to: an area looks at all of the world, and areas in areas do so for each entity inside.
 * Eight deep among a hundred that would not end. To look at an entity counts 1, to do something to one `TO_ACT`.
 */
export const MAX_EFFORT = 3e6;
export const TO_ACT = 10;

/**
 * Performs an ability's effect for a caster; its target must be there. False when areas in areas reached so many that
 * the rest was left out.
 */
export function perform(world: World, caster: EntityHandle, effect: AbilityEffect, aim: CastAim): boolean {
	const { target } = aim;
	const goal = target === null ? aim.point : globalPosition(world, target.id);
	const effort = { left: MAX_EFFORT };
	run(world, effect, { caster, subject: target ?? caster, actor: caster, goal, effort });
	spend(world, 'searched', MAX_EFFORT - effort.left);
	return effort.left > 0;
}

function run(world: World, effect: AbilityEffect, cast: Cast): void {
	const { caster, subject, actor, effort } = cast;
	if (effort.left <= 0 || slotOf(world, subject) < 0 || slotOf(world, actor) < 0) return;
	effort.left -= stepEffort(effect, world.entities.count);
	if ('Chain' in effect) for (const abilityEffect of effect.Chain) run(world, abilityEffect, cast);
	else if ('AreaDamage' in effect) {
		const { radius, damage, category } = effect.AreaDamage;
		for (const enemy of inside(world, caster, centre(world, cast), radius, 'enemies'))
			hurt(world, enemy, damage, caster, category);
	} else if ('AreaEffect' in effect) {
		const { radius, effect: inner, affects } = effect.AreaEffect;
		for (const entityHandle of inside(world, caster, centre(world, cast), radius, affects))
			run(world, inner, { caster, subject: entityHandle, actor: entityHandle, goal: null, effort });
	} else if ('Heal' in effect) {
		if (lives(world, subject.id)) heal(world, subject, effect.Heal.amount);
	} else if ('Damage' in effect) hurt(world, subject, effect.Damage.amount, caster, effect.Damage.category);
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
		applyCrowdControl(world, subject, { ...ccOf(world, cc_type), duration, dispel });
	} else if ('SpawnProjectile' in effect) {
		const { speed, range, width, damage, category, hits, spread } = effect.SpawnProjectile;
		tryLaunch(world, {
			from: globalPosition(world, actor.id),
			direction: heading(world, cast),
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

/** Effort of an effect without those inside it, among this many entities. */
export function stepEffort(effect: AbilityEffect, entities: number): number {
	if ('AreaEffect' in effect) return entities;
	return 'AreaDamage' in effect ? mostStep(entities) : TO_ACT;
}

/** Returns the largest effort of a single step among this many entities. */
export const mostStep = (entities: number): number => Math.max(1, entities) * TO_ACT;

function centre(world: World, { subject, goal }: Cast): Vector {
	return goal ?? globalPosition(world, subject.id);
}

function heading(world: World, { actor, goal }: Cast): Vector {
	const towards = goal === null ? null : directionTo(globalPosition(world, actor.id), goal);
	return towards ?? facingOf(world, actor.id);
}

/** Moves the actor along its heading, not past what it is aimed at. */
function dash(world: World, cast: Cast, far: number): void {
	const { actor, goal } = cast;
	if (!has(world, actor.id, LocalTransform)) return;
	const from = globalPosition(world, actor.id);
	const [dx, dy, dz] = heading(world, cast);
	const length = goal === null ? far : Math.min(far, distance(from, goal));
	teleport(world, actor, [from[0] + dx * length, from[1] + dy * length, from[2] + dz * length]);
}

function lives(world: World, slot: number): boolean {
	return has(world, slot, Health) && !has(world, slot, Dead);
}

function hurt(
	world: World,
	target: EntityHandle,
	amount: number,
	source: EntityHandle,
	category: DamageCategory,
): void {
	if (lives(world, target.id)) queueDamage(world, target, amount, source, category);
}

function ccOf(world: World, cc: CcDocument) {
	if (typeof cc === 'string') return { kind: cc };
	if ('Slow' in cc) return { kind: 'Slow' as const, factor: cc.Slow };
	if ('Invisibility' in cc) return { kind: 'Invisibility' as const, fade_time: cc.Invisibility.fade_time };
	const id = cc.Taunt.target_entity;
	const target = isAlive(world, id) ? { id, generation: world.entities.generations.data[id]! } : undefined;
	return { kind: 'Taunt' as const, target };
}

/**
 * Returns all but the caster that are not dead and within `radius` of a place, in slot order. Enemies need a team on
 * both sides.
 */
function inside(
	world: World,
	caster: EntityHandle,
	at: Vector,
	radius: number,
	affects: (typeof AFFECTED_ENTITIES)[number],
): EntityHandle[] {
	const own = teamOf(world, caster);
	const teams = read(world, Team, 'team');
	const found: EntityHandle[] = [];
	each(world, [LocalTransform], (slot) => {
		if (slot === caster.id || has(world, slot, Dead)) return;
		if (affects !== 'all') {
			if (own === null || !has(world, slot, Team)) return;
			if ((teams[slot] === own) !== (affects === 'allies')) return;
		}
		if (distance(globalPosition(world, slot), at) <= radius)
			found.push({ id: slot, generation: world.entities.generations.data[slot]! });
	});
	return found;
}
