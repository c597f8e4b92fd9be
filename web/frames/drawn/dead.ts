/** One byte a row: 1 = has died and still lies there. */

import { Dead } from '../../../shared/components/dead.ts';
import { has, versionOf } from '../../sim/core/world.ts';
import type { DrawnBlock } from './drawn.ts';
import { rowsVersion } from './rows.ts';

export const dead: DrawnBlock<Uint8Array> = {
	version: (world) => Math.max(rowsVersion(world), versionOf(world, Dead)),
	read: (world, slots) => Uint8Array.from(slots, (slot) => (has(world, slot, Dead) ? 1 : 0)),
};
