/**
 * Current global poses of all entities, including changes since the last step. Owns: composing them in a
 * copy.
 */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { count, read, type World } from '../core/world.ts';
import { composeChildren, type PoseColumns } from './hierarchy.ts';

/** Copy of the poses of all slots. */
export type PoseCopy = Readonly<Record<keyof PoseColumns, Float32Array>>;

/** Returns the current global poses of all slots. `change` may first change the local poses in the copy. */
export function currentPoses(world: World, change?: (copy: PoseCopy) => void): Readonly<PoseColumns> {
	const columns = {
		position: read(world, LocalTransform, 'position') as Float32Array,
		rotation: read(world, LocalTransform, 'rotation') as Float32Array,
		scale: read(world, LocalTransform, 'scale') as Float32Array,
	};
	if (count(world, Parent) === 0 && change === undefined) return columns;
	const { position, rotation, scale } = columns;
	const copy = { position: position.slice(), rotation: rotation.slice(), scale: scale.slice() };
	change?.(copy);
	composeChildren(world, copy);
	return copy;
}
