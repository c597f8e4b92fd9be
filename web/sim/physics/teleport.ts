/** Teleports entities. */

import { Collider } from '../../../shared/components/collider.ts';
import { GlobalTransform } from '../../../shared/components/global-transform.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { slotOf } from '../core/entities.ts';
import type { Vector } from '../core/math/vector.ts';
import { get, has, read, type World, write } from '../core/world.ts';
import { clampPosition } from '../space/bounds.ts';
import { parentOf } from '../transform/hierarchy.ts';
import { cachedCrowd, DYNAMIC_KIND, hasRoom, updateCrowd } from './crowding.ts';

/**
 * Moves an entity to a global position (m), clamped to the bounds of the world. Its `transform` follows with the next step.
 * Returns false if it is despawned, has no pose, or if too many bodies are at the position.
 */
export function teleport(world: World, handle: EntityHandle, position: Vector): boolean {
	const slot = slotOf(world, handle);
	if (slot < 0 || !has(world, slot, LocalTransform)) return false;
	const parent = parentOf(world, slot);
	const parentPose = parent === null ? undefined : get(world, parent.id, GlobalTransform);
	const point = clampPosition(parentPose === undefined ? position : relativeTo(parentPose, position));
	const collider = get(world, slot, Collider);
	if (parentPose === undefined && collider !== undefined && isDynamic(world, slot)) {
		const { rotation } = get(world, slot, LocalTransform)!;
		if (!hasRoom(world, { ...collider, position: point, rotation }, slot)) return false;
	}
	const crowd = cachedCrowd(world);
	write(world, LocalTransform, 'position').set(point, slot * 3);
	updateCrowd(world, crowd, slot);
	return true;
}

function isDynamic(world: World, slot: number): boolean {
	return has(world, slot, PhysicsBody) && read(world, PhysicsBody, 'kind')[slot] === DYNAMIC_KIND;
}

interface Pose {
	readonly position: Vector;
	readonly rotation: readonly [number, number, number, number];
	readonly scale: Vector;
}

/** Returns a global position relative to a pose: rotated back, then divided by the scale. With scale 0, the result is 0. */
function relativeTo({ position, rotation, scale }: Pose, point: Vector): Vector {
	const [px, py, pz] = [point[0] - position[0], point[1] - position[1], point[2] - position[2]];
	const [x, y, z, w] = [-rotation[0], -rotation[1], -rotation[2], rotation[3]];
	const cx = 2 * (y * pz - z * py);
	const cy = 2 * (z * px - x * pz);
	const cz = 2 * (x * py - y * px);
	const rotated = [
		px + w * cx + (y * cz - z * cy),
		py + w * cy + (z * cx - x * cz),
		pz + w * cz + (x * cy - y * cx),
	];
	return rotated.map((coordinate, i) => (scale[i] === 0 ? 0 : coordinate / scale[i]!)) as unknown as Vector;
}
