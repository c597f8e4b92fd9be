/** One byte per row: 1 if the entity is dead. */

import { Dead } from '../../../shared/components/dead.ts';
import { has, versionOf } from '../../sim/core/world.ts';
import type { DrawnBlock } from './drawn.ts';
import { rowsVersion } from './rows.ts';

export const dead: DrawnBlock<Uint8Array> = {
	version: (world) => Math.max(rowsVersion(world), versionOf(world, Dead)),
	read: (world, slots) => Uint8Array.from(slots, (slot) => (has(world, slot, Dead) ? 1 : 0)),
};
