/**
 * Maximum work of the casts of the coming tick.
 * Owns: the cost of an ability's effect among a number of entities. Casts of entities that are spawned on the same tick
 * do not count, because they would make the estimate useless.
 */

import { Abilities, type AbilityEffect } from '../../../shared/components/abilities.ts';
import { Player } from '../../../shared/components/player.ts';
import { Rule } from '../../../shared/components/rule.ts';
import { Script } from '../../../shared/components/script.ts';
import { type MaximumSoFar, maxEntities, type TickMaximum } from '../core/tick-maximum.ts';
import { count, each, read, type World } from '../core/world.ts';
import { looksOfEffect, maxStacked } from '../effects/effect.ts';

import { EFFORT_OF_ACT, MAX_EFFORT, maxStepEffort, stepEffort } from './perform.ts';

/** Number of events that a cast sends besides those of its effect: `cast`, and `cast_failed` if a part was left out. */
const EVENTS_PER_CAST = 2;

/** Maximum work of one cast. */
interface Cost {
	/** Effort, as `MAX_EFFORT` counts it. */
	effort: number;
	/** Number of spawned entities. */
	spawned: number;
	/** Number of applied status effects. */
	effects: number;
	/** Looks that its status effects add to one entity. */
	looks: number;
}

const NOTHING: Readonly<Cost> = { effort: 0, spawned: 0, effects: 0, looks: 0 };

/** Returns the maximum work of the casts of the coming tick. */
export function maxOfCasts(world: World, before: MaximumSoFar): Partial<TickMaximum> {
	if (count(world, Abilities) === 0) return {};
	// A rule or a script can make any entity cast on this tick. An input can make a played entity cast.
	const canAnyCast = count(world, Rule) + count(world, Script) + count(world, Player) > 0;
	const total = { searched: 0, spawned: 0, sent: 0, effects: 0, looks: 0 };
	const entities = maxEntities(world, before);
	const cap = MAX_EFFORT + maxStepEffort(entities);
	const [queues, lists] = [read(world, Abilities, 'queued'), read(world, Abilities, 'abilities')];
	each(world, [Abilities], (slot) => {
		const queued = queues[slot]!;
		if (!canAnyCast && queued.length === 0) return;
		for (const { slot: abilitySlot, effect } of lists[slot]!) {
			if (!canAnyCast && !queued.some((cast) => cast.slot === abilitySlot)) continue;
			const { effort, spawned, effects, looks } = costOf(effect, entities);
			const cappedEffort = Math.min(effort, cap);
			const maxActs = Math.ceil(cappedEffort / EFFORT_OF_ACT);
			total.searched += cappedEffort;
			total.sent += EVENTS_PER_CAST + maxActs;
			total.spawned += Math.min(spawned, maxActs);
			total.effects += Math.min(effects, maxActs);
			total.looks += looks;
		}
	});
	total.searched += total.effects * (before.looks + total.looks);
	return total;
}

/** The last cost of each effect, which is never changed in place. */
const cache = new WeakMap<AbilityEffect, { readonly entities: number; readonly cost: Readonly<Cost> }>();

function costOf(effect: AbilityEffect, entities: number): Readonly<Cost> {
	const cached = cache.get(effect);
	if (cached?.entities === entities) return cached.cost;
	const cost = computeCost(effect, entities);
	cache.set(effect, { entities, cost });
	return cost;
}

function computeCost(effect: AbilityEffect, entities: number): Cost {
	const ownEffort = stepEffort(effect, entities);
	if ('Chain' in effect) {
		const sum = { ...NOTHING, effort: ownEffort };
		for (const abilityEffect of effect.Chain) {
			const cost = costOf(abilityEffect, entities);
			for (const key in cost) sum[key as keyof Cost] += cost[key as keyof Cost];
		}
		return sum;
	}
	if ('AreaEffect' in effect) {
		const inner = costOf(effect.AreaEffect.effect, entities);
		return {
			effort: ownEffort + entities * inner.effort,
			spawned: entities * inner.spawned,
			effects: entities * inner.effects,
			looks: inner.looks,
		};
	}
	if ('SpawnProjectile' in effect) return { ...NOTHING, effort: ownEffort, spawned: 1 };
	if ('SpeedBoost' in effect)
		return { effort: ownEffort, spawned: 0, effects: 1, looks: looksOfEffect({ modifiers: [''] }) };
	if ('ApplyEffect' in effect) {
		const { modifiers, stack_policy } = effect.ApplyEffect;
		const looks = looksOfEffect({ modifiers: modifiers.map(String) }) * maxStacked({ stack_policy });
		return { effort: ownEffort, spawned: 0, effects: 1, looks };
	}
	return { ...NOTHING, effort: ownEffort };
}
