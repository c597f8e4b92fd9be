/** Two numbers per row: current and maximum health in HP. A maximum of 0 means no health. */

import { Health } from '../../../shared/components/health.ts';
import { has, read, versionOf } from '../../sim/core/world.ts';
import type { DrawnBlock } from './drawn.ts';
import { rowsVersion } from './rows.ts';

export const health: DrawnBlock<Float32Array> = {
	version: (world) => Math.max(rowsVersion(world), versionOf(world, Health, 'current', 'max')),
	read(world, slots) {
		const out = new Float32Array(slots.length * 2);
		const current = read(world, Health, 'current');
		const max = read(world, Health, 'max');
		for (let row = 0; row < slots.length; row++) {
			const slot = slots[row]!;
			if (!has(world, slot, Health)) continue;
			out[row * 2] = current[slot]!;
			out[row * 2 + 1] = max[slot]!;
		}
		return out;
	},
};
