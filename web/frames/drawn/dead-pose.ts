/**
 * Pose of dead entities: they lie on their backs, with their children.
 * Owns: their poses in the picture. The world does not change. Buildings stand as ruins, and an animated entity keeps its clip's pose.
 */

import { Animation } from '../../../shared/components/animation.ts';
import { Building } from '../../../shared/components/building.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { isMeshFile, Mesh } from '../../../shared/components/mesh.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { Role } from '../../../shared/components/role.ts';
import { count, each, get, has, read, versionOf, type World } from '../../sim/core/world.ts';
import { findModel } from '../../sim/models/model.ts';
import type { OwnPoses } from '../../sim/transform/poses-now.ts';
import type { FrameModel } from './models.ts';

type Box = Pick<FrameModel, 'low' | 'high'>;

/** Cosine of the maximum tilt of a standing entity. An entity with a larger tilt already lies. */
const UPRIGHT = 0.9;
const SHAPE: Box = { low: [-0.5, -0.5, -0.5], high: [0.5, 0.5, 0.5] };
/** Box of an entity without a mesh, such as a figure of children, whose origin is between its feet (m). */
const FIGURE: Box = { low: [0, 0, 0], high: [0, 0, 0.25] };

/** Returns a number that changes whenever other entities lie. */
export function deadPoseVersion(world: World): number {
	const died = versionOf(world, Dead);
	if (count(world, Dead) === 0) return died;
	return Math.max(
		died,
		versionOf(world, Role, 'role'),
		versionOf(world, Building),
		versionOf(world, Animation, 'clip', 'montage'),
	);
}

/** Lays dead entities down, by changing their local poses before the poses of children are computed. */
export function layDown(world: World, { position, rotation, scale }: OwnPoses): void {
	each(world, [Dead, LocalTransform], (slot) => {
		if (!falls(world, slot)) return;
		const [x, y, z, w] = rotation.subarray(slot * 4, slot * 4 + 4) as unknown as Quaternion;
		if (1 - 2 * (x * x + z * z) < UPRIGHT) return;
		const { low, high } = boxOf(world, slot);
		// A quarter turn about the entity's own x axis puts it on its back.
		const half = Math.SQRT1_2;
		rotation.set([(x + w) * half, (y + z) * half, (z - y) * half, (w - x) * half], slot * 4);
		const at = slot * 3;
		const middle = ((low[1] + high[1]) / 2) * Math.abs(scale[at + 1]!);
		position[at]! -= 2 * (x * z + w * y) * middle;
		position[at + 1]! += low[1] * Math.abs(scale[at + 1]!) + high[2] * Math.abs(scale[at + 2]!);
		position[at + 2]! -= (1 - 2 * (x * x + y * y)) * middle;
	});
}

type Quaternion = readonly [number, number, number, number];

/** Returns true if a dead entity falls over. */
function falls(world: World, slot: number): boolean {
	if (has(world, slot, Parent) || has(world, slot, Building)) return false;
	const role = get(world, slot, Role)?.role;
	if (role === 'Tower' || role === 'Structure') return false;
	const animation = get(world, slot, Animation);
	return animation === undefined || (animation.clip === null && animation.montage === null);
}

function boxOf(world: World, slot: number): Box {
	if (!has(world, slot, Mesh)) return FIGURE;
	const name = read(world, Mesh, 'mesh')[slot]!;
	return (isMeshFile(name) ? findModel(world, name) : null) ?? SHAPE;
}
