/**
 * Current poses of everything, whatever the last step knew of it. Owns: putting children onto their parents, in a
 * copy.
 */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { count, read, type World } from '../core/world.ts';
import { composeChildren, type PoseColumns } from './hierarchy.ts';

/** Poses of all slots in a copy. */
export type OwnPoses = Readonly<Record<keyof PoseColumns, Float32Array>>;

/** Poses of all slots, with children where they hang. `change` may change those of their parents before. */
export function posesNow(world: World, change?: (own: OwnPoses) => void): Readonly<PoseColumns> {
	const columns = {
		position: read(world, LocalTransform, 'position') as Float32Array,
		rotation: read(world, LocalTransform, 'rotation') as Float32Array,
		scale: read(world, LocalTransform, 'scale') as Float32Array,
	};
	if (count(world, Parent) === 0 && change === undefined) return columns;
	const { position, rotation, scale } = columns;
	const own = { position: position.slice(), rotation: rotation.slice(), scale: scale.slice() };
	change?.(own);
	composeChildren(world, own);
	return own;
}
