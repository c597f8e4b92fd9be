/** Computes the global transforms from the hierarchy. */

import { GlobalTransform } from '../../../shared/components/global-transform.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { add, count, each, has, read, versionOf, type World, write } from '../core/world.ts';
import { composePose, hierarchyVersion, type Pose, parentAbove } from './hierarchy.ts';

const FIELDS = ['position', 'rotation', 'scale'] as const;

export function propagateTransforms(world: World): void {
	if (count(world, LocalTransform) === 0) return;
	const version = Math.max(versionOf(world, LocalTransform, ...FIELDS), hierarchyVersion(world));
	if (world.seen.get('propagate-transforms') === version) return;
	each(world, [LocalTransform], (slot) => {
		if (!has(world, slot, GlobalTransform)) add(world, slot, GlobalTransform);
	});
	copyRoots(world);
	if (count(world, Parent) > 0) composeChildren(world);
	world.seen.set('propagate-transforms', version);
}

/** Everything at first takes its local pose: for entities without a parent that is the answer. */
function copyRoots(world: World): void {
	for (const field of FIELDS) {
		const since = world.seen.get(`propagated ${field}`);
		const version = Math.max(versionOf(world, LocalTransform, field), hierarchyVersion(world));
		if (since === version && count(world, Parent) === 0) continue;
		const local = read(world, LocalTransform, field) as Float32Array;
		const global = write(world, GlobalTransform, field) as Float32Array;
		const length = Math.min(local.length, global.length);
		global.set(local.subarray(0, length));
		world.seen.set(`propagated ${field}`, version);
	}
}

function composeChildren(world: World): void {
	const global = FIELDS.map((field) => write(world, GlobalTransform, field) as Float32Array);
	const done = new Set<number>();
	const parent: Pose = new Float32Array(10);
	const local: Pose = new Float32Array(10);
	const load = (pose: Pose, slot: number) => {
		pose.set(global[0]!.subarray(slot * 3, slot * 3 + 3), 0);
		pose.set(global[1]!.subarray(slot * 4, slot * 4 + 4), 3);
		pose.set(global[2]!.subarray(slot * 3, slot * 3 + 3), 7);
	};
	const chain: number[] = [];
	each(world, [Parent], (child) => {
		// Up to the first that is done, then down again; a loop, as chains may be long.
		let slot = child;
		while (!done.has(slot)) {
			done.add(slot);
			const above = parentAbove(world, slot);
			if (above === null) break;
			chain.push(slot);
			slot = above;
		}
		for (let below = chain.pop(); below !== undefined; below = chain.pop()) {
			load(parent, slot);
			load(local, below);
			composePose(local, parent, local);
			global[0]!.set(local.subarray(0, 3), below * 3);
			global[1]!.set(local.subarray(3, 7), below * 4);
			global[2]!.set(local.subarray(7, 10), below * 3);
			slot = below;
		}
	});
}
