/**
 * Current poses of all drawn entities. They are computed anew, because a call may have moved a parent since the last step.
 * Ten numbers per row: position xyz (m), rotation xyzw (unit quaternion), scale xyz.
 */

import { Dead } from '../../../shared/components/dead.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { Stance } from '../../../shared/components/stance.ts';
import { count, has, versionOf } from '../../sim/core/world.ts';
import { currentPoses } from '../../sim/transform/poses-now.ts';
import { deadPoseVersion, layDown } from './dead-pose.ts';
import type { DrawnBlock } from './drawn.ts';
import { rowsVersion } from './rows.ts';
import { stancesVersion, stand } from './stances.ts';

export const poses: DrawnBlock<Float32Array> = {
	version: (world) =>
		Math.max(
			rowsVersion(world),
			versionOf(world, LocalTransform, 'position', 'rotation', 'scale'),
			versionOf(world, Parent, 'entity'),
			stancesVersion(world),
			deadPoseVersion(world),
		),
	read(world, slots) {
		const out = new Float32Array(slots.length * 10);
		const { position, rotation, scale } = currentPoses(
			world,
			count(world, Dead) === 0 ? undefined : (own) => layDown(world, own),
		);
		for (let row = 0; row < slots.length; row++) {
			const slot = slots[row]!;
			const at = row * 10;
			for (let i = 0; i < 3; i++) {
				out[at + i] = position[slot * 3 + i]!;
				// A rule can set any scale. A negative one would turn the surface inside out.
				out[at + 7 + i] = Math.abs(scale[slot * 3 + i]!);
			}
			for (let i = 0; i < 4; i++) out[at + 3 + i] = rotation[slot * 4 + i]!;
			if (has(world, slot, Stance)) stand(world, slot, out, at, position);
		}
		return out;
	},
};
