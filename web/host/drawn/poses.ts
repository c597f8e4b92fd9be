/**
 * Where everything is now, whatever the last step knew of it: what hangs on another may have been moved since.
 * Ten numbers a row: position xyz (m), rotation xyzw (unit quaternion), scale xyz.
 */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { count, read, versionOf, type World } from '../../sim/core/world.ts';
import { composeChildren, type PoseColumns } from '../../sim/transform/hierarchy.ts';
import type { Drawn } from './drawn.ts';
import { rowsVersion } from './rows.ts';

export const poses: Drawn<Float32Array> = {
	version: (world) =>
		Math.max(
			rowsVersion(world),
			versionOf(world, LocalTransform, 'position', 'rotation', 'scale'),
			versionOf(world, Parent, 'entity'),
		),
	read(world, slots) {
		const out = new Float32Array(slots.length * 10);
		const { position, rotation, scale } = posesNow(world);
		for (let row = 0; row < slots.length; row++) {
			const slot = slots[row]!;
			const at = row * 10;
			for (let i = 0; i < 3; i++) {
				out[at + i] = position[slot * 3 + i]!;
				out[at + 7 + i] = scale[slot * 3 + i]!;
			}
			for (let i = 0; i < 4; i++) out[at + 3 + i] = rotation[slot * 4 + i]!;
		}
		return out;
	},
};

/** Poses of all slots, with children where they hang. */
export function posesNow(world: World): Readonly<PoseColumns> {
	const columns = {
		position: read(world, LocalTransform, 'position') as Float32Array,
		rotation: read(world, LocalTransform, 'rotation') as Float32Array,
		scale: read(world, LocalTransform, 'scale') as Float32Array,
	};
	if (count(world, Parent) === 0) return columns;
	const { position, rotation, scale } = columns;
	const own = { position: position.slice(), rotation: rotation.slice(), scale: scale.slice() };
	composeChildren(world, own);
	return own;
}
