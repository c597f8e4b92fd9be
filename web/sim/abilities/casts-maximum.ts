/**
 * The most that the casts of the coming tick can do.
 * Owns: the cost of an ability's effect in a world of a given size. Casts of entities that are spawned on the same
 * tick are left out: they would make the estimate useless.
 */

import { Abilities, type AbilityEffect } from '../../../shared/components/abilities.ts';
import { Player } from '../../../shared/components/player.ts';
import { Rule } from '../../../shared/components/rule.ts';
import { Script } from '../../../shared/components/script.ts';
import { type MaximumSoFar, maxEntities, type TickMaximum } from '../core/tick-maximum.ts';
import { count, each, read, type World } from '../core/world.ts';
import { looksOfEffect, maxStacked } from '../effects/effect.ts';

import { MAX_EFFORT, mostStep, stepEffort, TO_ACT } from './perform.ts';

/** Events that a cast sends beside those of its effect: that it was cast, and that some of it was left out. */
const SENT = 2;

/** The most work of one cast. */
interface Cost {
	effort: number;
	spawned: number;
	effects: number;
	/** Looks that its effects add to one entity. */
	looks: number;
}

const NOTHING: Readonly<Cost> = { effort: 0, spawned: 0, effects: 0, looks: 0 };

export function mostOfCasts(world: World, before: MaximumSoFar): Partial<TickMaximum> {
	if (count(world, Abilities) === 0) return {};
	// A rule or a script can make any entity cast on this tick, and an input those that are played.
	const any = count(world, Rule) + count(world, Script) + count(world, Player) > 0;
	const most = { searched: 0, spawned: 0, sent: 0, effects: 0, looks: 0 };
	const entities = maxEntities(world, before);
	const cap = MAX_EFFORT + mostStep(entities);
	const [queues, lists] = [read(world, Abilities, 'queued'), read(world, Abilities, 'abilities')];
	each(world, [Abilities], (slot) => {
		const queued = queues[slot]!;
		if (!any && queued.length === 0) return;
		for (const { slot: key, effect } of lists[slot]!) {
			if (!any && !queued.some((cast) => cast.slot === key)) continue;
			const { effort, spawned, effects, looks } = costOf(effect, entities);
			const done = Math.min(effort, cap);
			const acts = Math.ceil(done / TO_ACT);
			most.searched += done;
			most.sent += SENT + acts;
			most.spawned += Math.min(spawned, acts);
			most.effects += Math.min(effects, acts);
			most.looks += looks;
		}
	});
	most.searched += most.effects * (before.looks + most.looks);
	return most;
}

/** The last cost of each effect, which is never changed in place. */
const cache = new WeakMap<AbilityEffect, { readonly entities: number; readonly cost: Readonly<Cost> }>();

function costOf(effect: AbilityEffect, entities: number): Readonly<Cost> {
	const before = cache.get(effect);
	if (before?.entities === entities) return before.cost;
	const cost = measure(effect, entities);
	cache.set(effect, { entities, cost });
	return cost;
}

function measure(effect: AbilityEffect, entities: number): Cost {
	const own = stepEffort(effect, entities);
	if ('Chain' in effect) {
		const all = { ...NOTHING, effort: own };
		for (const abilityEffect of effect.Chain) {
			const cost = costOf(abilityEffect, entities);
			for (const key in cost) all[key as keyof Cost] += cost[key as keyof Cost];
		}
		return all;
	}
	if ('AreaEffect' in effect) {
		const inner = costOf(effect.AreaEffect.effect, entities);
		return {
			effort: own + entities * inner.effort,
			spawned: entities * inner.spawned,
			effects: entities * inner.effects,
			looks: inner.looks,
		};
	}
	if ('SpawnProjectile' in effect) return { ...NOTHING, effort: own, spawned: 1 };
	if ('SpeedBoost' in effect)
		return { effort: own, spawned: 0, effects: 1, looks: looksOfEffect({ modifiers: [''] }) };
	if ('ApplyEffect' in effect) {
		const { modifiers, stack_policy } = effect.ApplyEffect;
		const looks = looksOfEffect({ modifiers: modifiers.map(String) }) * maxStacked({ stack_policy });
		return { effort: own, spawned: 0, effects: 1, looks };
	}
	return { ...NOTHING, effort: own };
}
