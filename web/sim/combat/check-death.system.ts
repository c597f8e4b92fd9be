/** System that marks entities without health as dead, and sends one event for each. */

import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LastAttacker } from '../../../shared/components/last-attacker.ts';
import { Death } from '../../../shared/events/death.ts';
import { emit } from '../core/events.ts';
import type { System } from '../core/system.ts';
import { maxWithComponent } from '../core/tick-maximum.ts';
import { add, each, get, has, read, versionOf, type World } from '../core/world.ts';

export const checkDeath: System = {
	name: 'check-death',
	needs: [Health],
	access: {
		reads: ['dead', 'health.current'],
		queries: [{ with: ['health'], reads: ['dead', 'last_attacker'], writes: ['dead'] }],
		emits: ['death'],
	},
	maximum: (world, before) => ({ sent: maxWithComponent(world, Health, before) }),
	run: checkDeaths,
};

function checkDeaths(world: World): void {
	const version = Math.max(versionOf(world, Health, 'current'), versionOf(world, Dead));
	if (world.processedVersions.get('check-death') === version) return;
	const current = read(world, Health, 'current');
	each(world, [Health], (slot) => {
		if (current[slot]! > 0 || has(world, slot, Dead)) return;
		add(world, slot, Dead);
		const generation = world.entities.generations.data[slot]!;
		const killer = get(world, slot, LastAttacker)?.entity ?? null;
		emit(world, Death, { entity: { id: slot, generation }, killer });
	});
	world.processedVersions.set(
		'check-death',
		Math.max(versionOf(world, Health, 'current'), versionOf(world, Dead)),
	);
}
