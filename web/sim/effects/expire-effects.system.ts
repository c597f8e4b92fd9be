/** System that removes status effects and crowd control that end with this tick, and sends events of the effects. */

import { CrowdControl } from '../../../shared/components/crowd-control.ts';
import { Effects } from '../../../shared/components/effects.ts';
import { EffectExpired } from '../../../shared/events/effect-expired.ts';
import { STATS_READ, STATS_WRITTEN } from '../../../shared/verbs/access.ts';
import { emit } from '../core/events.ts';
import type { System } from '../core/system.ts';
import { count, each, read, remove, type World, write } from '../core/world.ts';
import { countEffects, removeEffects } from './effect.ts';

export const expireEffects: System = {
	name: 'expire-effects',
	needs: [CrowdControl, Effects],
	access: {
		reads: ['crowd_control', 'effects', ...STATS_READ],
		writes: ['crowd_control', 'effects', ...STATS_WRITTEN],
		emits: ['effect_expired'],
	},
	maximum: (world, before) => ({ sent: countEffects(world) + before.effects }),
	run,
};

function run(world: World): void {
	const nextTick = world.tick + 1;
	if (count(world, Effects) > 0) {
		each(world, [Effects], (slot) => {
			const list = read(world, Effects, 'list')[slot]!;
			if (!list.some(({ until }) => until !== null && until <= nextTick)) return;
			const entity = { id: slot, generation: world.entities.generations.data[slot]! };
			for (const { tag, id, source } of removeEffects(
				world,
				slot,
				({ until }) => until !== null && until <= nextTick,
			))
				emit(world, EffectExpired, { entity, tag, effect_id: id, source });
		});
	}
	if (count(world, CrowdControl) === 0) return;
	each(world, [CrowdControl], (slot) => {
		const entries = read(world, CrowdControl, 'entries')[slot]!;
		const remaining = entries.filter(({ until }) => until > nextTick);
		if (remaining.length === entries.length) return;
		if (remaining.length === 0) remove(world, slot, CrowdControl);
		else write(world, CrowdControl, 'entries')[slot] = remaining;
	});
}
