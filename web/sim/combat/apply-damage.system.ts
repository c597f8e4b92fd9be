/** System that applies the damage sent since its last run, each event once. Damage wakes sleeping entities. */

import { CrowdControl } from '../../../shared/components/crowd-control.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { DamageDealt } from '../../../shared/events/damage.ts';
import { hasBit } from '../core/bits.ts';
import { slotOf } from '../core/entities.ts';
import { drain } from '../core/events.ts';
import type { System } from '../core/system.ts';
import { count, presence, type World, write } from '../core/world.ts';
import { endSleep } from '../crowd-control/crowd-control.ts';
import { canDamageChange, damageTaken, recordAttacker } from './damage.ts';

export const applyDamage: System = {
	name: 'apply-damage',
	awaits: [DamageDealt],
	access: {
		reads: [
			'backdoor.active',
			'building.building_type',
			'crowd_control',
			'defense',
			'health.current',
			'last_attacker',
			'modifiers',
			'team.team',
			'tuning',
		],
		queries: [
			{
				with: ['health'],
				reads: ['crowd_control', 'dead'],
				writes: ['crowd_control', 'health.current', 'last_attacker'],
			},
		],
		drains: ['damage'],
	},
	run: applyAllDamage,
};

function applyAllDamage(world: World): void {
	const events = drain(world, DamageDealt, 'apply-damage');
	if (events.length === 0) return;
	const vulnerable = presence(world, Health);
	const dead = presence(world, Dead);
	const mayBeReduced = canDamageChange(world);
	const hasCrowdControl = count(world, CrowdControl) > 0;
	let current: Float32Array | null = null;
	for (const { target, amount, source, category = 'physical' } of events) {
		const slot = slotOf(world, target);
		if (slot < 0 || !hasBit(vulnerable, slot) || hasBit(dead, slot)) continue;
		current ??= write(world, Health, 'current');
		const damage = mayBeReduced ? damageTaken(world, slot, amount, source, category) : amount;
		current[slot] = Math.max(current[slot]! - damage, 0);
		if (hasCrowdControl && damage > 0) endSleep(world, slot);
		if (source !== null) recordAttacker(world, slot, source);
	}
}
