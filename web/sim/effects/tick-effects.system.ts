/** System that applies the damage, healing and signals of status effects on each tick. */

import { Dead } from '../../../shared/components/dead.ts';
import { Effects, parseTickEffect, type StatusEffect } from '../../../shared/components/effects.ts';
import { Health } from '../../../shared/components/health.ts';
import { Signal } from '../../../shared/events/signal.ts';
import { heal, queueDamage } from '../combat/damage.ts';
import { slotOf } from '../core/entities.ts';
import { emit } from '../core/events.ts';
import { amountUpTo } from '../core/flow.ts';
import type { System } from '../core/system.ts';
import { spend } from '../core/tick-budget.ts';
import { count, each, has, read, type World } from '../core/world.ts';
import { can } from '../crowd-control/crowd-control.ts';
import { countEffects, maxLooks } from './effect.ts';

export const tickEffects: System = {
	name: 'tick-effects',
	needs: [Effects],
	access: {
		reads: ['crowd_control', 'dead', 'effects.list', 'health'],
		writes: ['health.current'],
		emits: ['damage', 'signal'],
	},
	maximum(world) {
		if (count(world, Effects) === 0) return {};
		const effects = countEffects(world);
		return {
			searched: SEARCHED_PER_EFFECT * effects,
			sent: EVENTS_PER_SIGNAL * effects,
			looks: maxLooks(world),
		};
	},
	run,
};

/** Cost of applying one effect, in reads of an entity. */
const SEARCHED_PER_EFFECT = 8;
/**
 * Cost of an effect's signal, in events of normal size. The tag, of at most 100 characters, is the largest part of its
 * data.
 */
const EVENTS_PER_SIGNAL = 5;

function run(world: World): void {
	const lists = read(world, Effects, 'list');
	each(world, [Effects], (slot) => {
		spend(world, 'searched', SEARCHED_PER_EFFECT * lists[slot]!.length);
		for (const effect of lists[slot]!) if (effect.tick_effect !== null) applyTickEffect(world, slot, effect);
	});
}

function applyTickEffect(world: World, slot: number, effect: StatusEffect): void {
	const { from, until, source } = effect;
	if (world.tick < from || (until === null ? !can(world, slot, 'passive') : world.tick >= until)) return;
	const entity = { id: slot, generation: world.entities.generations.data[slot]! };
	const tickEffect = parseTickEffect(effect.tick_effect!)!;
	if (tickEffect.kind === 'custom') {
		emit(world, Signal, {
			name: tickEffect.name,
			data: { entity: slot, effect_id: effect.id, tag: effect.tag, source: source?.id ?? null },
			entity,
			source,
		});
		return;
	}
	if (!has(world, slot, Health) || has(world, slot, Dead)) return;
	const amount = amountOfTick(tickEffect.rate, world.tick - from, until === null ? null : until - from);
	if (amount === 0) return;
	if (tickEffect.kind === 'hps') heal(world, entity, amount);
	else queueDamage(world, entity, amount, slotOf(world, source) < 0 ? null : source);
}

/** Returns the amount of one tick, counted from 0. The sum of all `ticks` is exactly rate * ticks / 60. */
function amountOfTick(rate: number, index: number, ticks: number | null): number {
	const total = index + 1 === ticks ? (rate * ticks) / 60 : amountUpTo(rate, index + 1);
	return total - amountUpTo(rate, index);
}
