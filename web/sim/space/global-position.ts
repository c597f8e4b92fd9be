/**
 * World positions of entities during a tick.
 * Owns: the rule that a root uses its local position, and a child the result of the last transform step.
 */

import { GlobalTransform } from '../../../shared/components/global-transform.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { count, each, has, read, type World } from '../core/world.ts';
import { parentOf } from '../transform/hierarchy.ts';

/** Returns positions x, y, z by slot. Valid until an entity moves. Rows of slots without a pose are undefined. */
export function globalPositions(world: World): Float32Array {
	const local = read(world, LocalTransform, 'position') as Float32Array;
	if (count(world, Parent) === 0) return local;
	const positions = local.slice();
	const global = read(world, GlobalTransform, 'position') as Float32Array;
	each(world, [Parent, LocalTransform, GlobalTransform], (slot) => {
		if (parentOf(world, slot) !== null) positions.set(global.subarray(slot * 3, slot * 3 + 3), slot * 3);
	});
	return positions;
}

/** Returns the position of one entity; one without a pose is at the origin. */
export function globalPosition(world: World, slot: number): [number, number, number] {
	if (!has(world, slot, LocalTransform)) return [0, 0, 0];
	const isChild =
		has(world, slot, Parent) && has(world, slot, GlobalTransform) && parentOf(world, slot) !== null;
	const column = isChild ? read(world, GlobalTransform, 'position') : read(world, LocalTransform, 'position');
	return [column[slot * 3] ?? 0, column[slot * 3 + 1] ?? 0, column[slot * 3 + 2] ?? 0];
}
