/**
 * Poses of dead entities, which lie on their backs with their children.
 * Owns: these poses, only in the picture. Buildings remain upright as ruins, and an animated entity keeps the pose of its clip.
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
import type { PoseCopy } from '../../sim/transform/poses-now.ts';
import type { FrameModel } from './models.ts';

type Box = Pick<FrameModel, 'low' | 'high'>;

/** Cosine of the maximum tilt of a standing entity. An entity with a larger tilt already lies. */
const MIN_UPRIGHT_COSINE = 0.9;
const UNIT_BOX: Box = { low: [-0.5, -0.5, -0.5], high: [0.5, 0.5, 0.5] };
/** Box of an entity without a mesh, such as a figure of children, whose origin is between its feet (m). */
const FIGURE_BOX: Box = { low: [0, 0, 0], high: [0, 0, 0.25] };

/** Returns a number that changes whenever the set of lying entities may change. */
export function deadPoseVersion(world: World): number {
	const deathVersion = versionOf(world, Dead);
	if (count(world, Dead) === 0) return deathVersion;
	return Math.max(
		deathVersion,
		versionOf(world, Role, 'role'),
		versionOf(world, Building),
		versionOf(world, Animation, 'clip', 'montage'),
	);
}

/** Lays dead entities down, by changing their local poses before the poses of children are computed. */
export function layDeadDown(world: World, { position, rotation, scale }: PoseCopy): void {
	each(world, [Dead, LocalTransform], (slot) => {
		if (!canFall(world, slot)) return;
		const [x, y, z, w] = rotation.subarray(slot * 4, slot * 4 + 4) as unknown as Quaternion;
		if (1 - 2 * (x * x + z * z) < MIN_UPRIGHT_COSINE) return;
		const { low, high } = boxOf(world, slot);
		// A quarter turn about the entity's own x axis lays it on its back.
		const half = Math.SQRT1_2;
		rotation.set([(x + w) * half, (y + z) * half, (z - y) * half, (w - x) * half], slot * 4);
		const offset = slot * 3;
		const middleHeight = ((low[1] + high[1]) / 2) * Math.abs(scale[offset + 1]!);
		position[offset]! -= 2 * (x * z + w * y) * middleHeight;
		position[offset + 1]! += low[1] * Math.abs(scale[offset + 1]!) + high[2] * Math.abs(scale[offset + 2]!);
		position[offset + 2]! -= (1 - 2 * (x * x + y * y)) * middleHeight;
	});
}

type Quaternion = readonly [number, number, number, number];

/** Returns true if a dead entity falls over. */
function canFall(world: World, slot: number): boolean {
	if (has(world, slot, Parent) || has(world, slot, Building)) return false;
	const role = get(world, slot, Role)?.role;
	if (role === 'Tower' || role === 'Structure') return false;
	const animation = get(world, slot, Animation);
	return animation === undefined || (animation.clip === null && animation.montage === null);
}

function boxOf(world: World, slot: number): Box {
	if (!has(world, slot, Mesh)) return FIGURE_BOX;
	const name = read(world, Mesh, 'mesh')[slot]!;
	return (isMeshFile(name) ? findModel(world, name) : null) ?? UNIT_BOX;
}
