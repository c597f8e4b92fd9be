/** System that computes the global transforms from the hierarchy. */

import { GlobalTransform } from '../../../shared/components/global-transform.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import type { System } from '../core/system.ts';
import { add, count, each, has, read, versionOf, type World, write } from '../core/world.ts';
import { composeChildren, hierarchyVersion } from './hierarchy.ts';

const FIELDS = ['position', 'rotation', 'scale'] as const;

export const propagateTransforms: System = {
	name: 'propagate-transforms',
	needs: [LocalTransform],
	access: { reads: ['local_transform', 'global_transform', 'parent'], writes: ['global_transform'] },
	run,
};

function run(world: World): void {
	const version = Math.max(versionOf(world, LocalTransform, ...FIELDS), hierarchyVersion(world));
	if (world.processedVersions.get('propagate-transforms') === version) return;
	each(world, [LocalTransform], (slot) => {
		if (!has(world, slot, GlobalTransform)) add(world, slot, GlobalTransform);
	});
	copyLocalPoses(world);
	if (count(world, Parent) > 0)
		composeChildren(world, {
			position: write(world, GlobalTransform, 'position'),
			rotation: write(world, GlobalTransform, 'rotation'),
			scale: write(world, GlobalTransform, 'scale'),
		});
	world.processedVersions.set('propagate-transforms', version);
}

/** Copies all local poses. For entities without a parent, they are the global poses. */
function copyLocalPoses(world: World): void {
	for (const field of FIELDS) {
		const copiedVersion = world.processedVersions.get(`propagated ${field}`);
		const version = Math.max(versionOf(world, LocalTransform, field), hierarchyVersion(world));
		if (copiedVersion === version && count(world, Parent) === 0) continue;
		const local = read(world, LocalTransform, field) as Float32Array;
		const global = write(world, GlobalTransform, field) as Float32Array;
		const length = Math.min(local.length, global.length);
		global.set(local.subarray(0, length));
		world.processedVersions.set(`propagated ${field}`, version);
	}
}
