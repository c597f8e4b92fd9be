/** Lets damage, healing and signals of status effects happen, once a tick. */

import { Dead } from '../../../shared/components/dead.ts';
import { Effects, parseTickEffect, type StatusEffect } from '../../../shared/components/effects.ts';
import { Health } from '../../../shared/components/health.ts';
import { Signal } from '../../../shared/events/signal.ts';
import { heal, queueDamage } from '../combat/damage.ts';
import { slotOf } from '../core/entities.ts';
import { emit } from '../core/events.ts';
import { flowUpTo } from '../core/flow.ts';
import type { System } from '../core/system.ts';
import { spend } from '../core/tick-budget.ts';
import { count, each, has, read, type World } from '../core/world.ts';
import { can } from '../crowd-control/crowd-control.ts';
import { countEffects, heaviestLooks } from './effect.ts';

export const tickEffects: System = {
	name: 'tick-effects',
	needs: [Effects],
	access: {
		reads: ['crowd_control', 'dead', 'effects.list', 'health'],
		writes: ['health.current'],
		emits: ['damage', 'signal'],
	},
	most(world) {
		if (count(world, Effects) === 0) return {};
		const effects = countEffects(world);
		return { searched: LOOKS * effects, sent: SIGNAL * effects, looks: heaviestLooks(world) };
	},
	run,
};

/** To let one effect happen takes as long as to look at this many entities. */
const LOOKS = 8;
/**
 * Maximum number of events that the signal of an effect counts for. Its tag, of at most 100 characters, is the
 * largest part of its data.
 */
const SIGNAL = 5;

function run(world: World): void {
	const lists = read(world, Effects, 'list');
	each(world, [Effects], (slot) => {
		spend(world, 'searched', LOOKS * lists[slot]!.length);
		for (const effect of lists[slot]!) if (effect.tick_effect !== null) tick(world, slot, effect);
	});
}

function tick(world: World, slot: number, effect: StatusEffect): void {
	const { from, until, source } = effect;
	if (world.tick < from || (until === null ? !can(world, slot, 'passive') : world.tick >= until)) return;
	const entity = { id: slot, generation: world.entities.generations.data[slot]! };
	const what = parseTickEffect(effect.tick_effect!)!;
	if (what.kind === 'custom') {
		emit(world, Signal, {
			name: what.name,
			data: { entity: slot, effect_id: effect.id, tag: effect.tag, source: source?.id ?? null },
			entity,
			source,
		});
		return;
	}
	if (!has(world, slot, Health) || has(world, slot, Dead)) return;
	const amount = share(what.rate, world.tick - from, until === null ? null : until - from);
	if (amount === 0) return;
	if (what.kind === 'hps') heal(world, entity, amount);
	else queueDamage(world, entity, amount, slotOf(world, source) < 0 ? null : source);
}

/** Returns the amount of the k-th tick, so that all `ticks` together are exactly rate * ticks / 60. */
function share(rate: number, k: number, ticks: number | null): number {
	const upTo = k + 1 === ticks ? (rate * ticks) / 60 : flowUpTo(rate, k + 1);
	return upTo - flowUpTo(rate, k);
}
