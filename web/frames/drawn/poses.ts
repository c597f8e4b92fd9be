/**
 * Current poses of all drawn entities. They are computed again, because a call may have moved a parent since the last step.
 * A row has ten numbers: position xyz (m), rotation xyzw (unit quaternion), scale xyz.
 */

import { Dead } from '../../../shared/components/dead.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { Stance } from '../../../shared/components/stance.ts';
import { count, has, versionOf } from '../../sim/core/world.ts';
import { currentPoses } from '../../sim/transform/poses-now.ts';
import { deadPoseVersion, layDeadDown } from './dead-pose.ts';
import type { DrawnBlock } from './drawn.ts';
import { rowsVersion } from './rows.ts';
import { applyStance, stancesVersion } from './stances.ts';

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
		const values = new Float32Array(slots.length * 10);
		const { position, rotation, scale } = currentPoses(
			world,
			count(world, Dead) === 0 ? undefined : (ownPoses) => layDeadDown(world, ownPoses),
		);
		for (let row = 0; row < slots.length; row++) {
			const slot = slots[row]!;
			const offset = row * 10;
			for (let i = 0; i < 3; i++) {
				values[offset + i] = position[slot * 3 + i]!;
				// A rule can set any scale. A negative one would turn the surface inside out.
				values[offset + 7 + i] = Math.abs(scale[slot * 3 + i]!);
			}
			for (let i = 0; i < 4; i++) values[offset + 3 + i] = rotation[slot * 4 + i]!;
			if (has(world, slot, Stance)) applyStance(world, slot, values, offset, position);
		}
		return values;
	},
};
