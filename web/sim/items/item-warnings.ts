/** Warnings about items that are not defined. */

import type { World } from '../core/world.ts';
import { findItem } from './items.ts';

export const itemWarnings = (world: World, { item_id }: { readonly item_id: number }): string[] =>
	findItem(world, item_id) === undefined ? [`.item_id: there is currently no item ${item_id}`] : [];
