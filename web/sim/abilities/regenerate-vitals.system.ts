/** System that restores mana, and the health of entities with the stat `health_regen`. Dead entities get nothing. */

import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { Mana } from '../../../shared/components/mana.ts';
import { Modifiers } from '../../../shared/components/modifiers.ts';
import { amountInTick } from '../core/flow.ts';
import type { System } from '../core/system.ts';
import { count, each, has, read, type World, write } from '../core/world.ts';
import { readStat } from '../stats/stat.ts';

export const regenerateVitals: System = {
	name: 'regenerate-vitals',
	needs: [Mana, Modifiers],
	access: { reads: ['dead', 'health', 'mana', 'modifiers'], writes: ['health.current', 'mana.current'] },
	run,
};

function run(world: World): void {
	if (count(world, Mana) > 0) regenerateMana(world);
	if (count(world, Modifiers) > 0) regenerateHealth(world);
}

function regenerateMana(world: World): void {
	const max = read(world, Mana, 'max');
	const regen = read(world, Mana, 'regen');
	let current = read(world, Mana, 'current') as Float32Array;
	let isWritable = false;
	each(world, [Mana], (slot) => {
		if (has(world, slot, Dead)) return;
		const rate = readStat(world, slot, 'mana_regen', regen[slot]!);
		if (rate === 0 || (rate > 0 && current[slot]! >= max[slot]!)) return;
		if (!isWritable) current = write(world, Mana, 'current');
		isWritable = true;
		current[slot] = Math.max(0, Math.min(current[slot]! + amountInTick(rate, world.tick), max[slot]!));
	});
}

function regenerateHealth(world: World): void {
	const max = read(world, Health, 'max');
	let current = read(world, Health, 'current') as Float32Array;
	let isWritable = false;
	each(world, [Modifiers, Health], (slot) => {
		if (has(world, slot, Dead) || current[slot]! <= 0) return;
		const rate = readStat(world, slot, 'health_regen', 0);
		if (rate === 0 || (rate > 0 && current[slot]! >= max[slot]!)) return;
		if (!isWritable) current = write(world, Health, 'current');
		isWritable = true;
		current[slot] = Math.max(0, Math.min(current[slot]! + amountInTick(rate, world.tick), max[slot]!));
	});
}
