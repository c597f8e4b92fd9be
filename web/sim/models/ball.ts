/** Bounding balls of entities as they are drawn. Owns: the ball round a box, in world coordinates. */

import type { Vector } from '../core/math/vector.ts';
import type { World } from '../core/world.ts';
import { currentPoses } from '../transform/poses-now.ts';
import { type Matrix, poseMatrix, transformPoint } from './matrix.ts';

/** Bounding ball in the world. */
export interface Ball {
	readonly point: Vector;
	/** Metres. */
	readonly radius: number;
}

/** Extent of a shape before it is scaled, turned and moved. */
export interface ShapeBox {
	readonly low: Vector;
	readonly high: Vector;
}

/** Box of the primitive shapes. Also used for a model that is missing. */
export const UNIT_BOX: ShapeBox = { low: [-0.5, -0.5, -0.5], high: [0.5, 0.5, 0.5] };

/** Returns the current pose of an entity in the world, which includes the poses of its parents. */
export function currentPose(world: World, id: number): { readonly matrix: Matrix; readonly scale: Vector } {
	const { position, rotation, scale } = currentPoses(world);
	const valuesOf = (column: ArrayLike<number>, width: number) =>
		Array.from({ length: width }, (_, i) => column[id * width + i]!);
	const size = valuesOf(scale, 3) as unknown as Vector;
	const matrix = poseMatrix({
		translation: valuesOf(position, 3),
		rotation: valuesOf(rotation, 4),
		scale: size,
	});
	return { matrix, scale: size };
}

/** Returns the bounding ball of a box that has the pose of an entity. */
export function ballOf(world: World, id: number, { low, high }: ShapeBox): Ball {
	const { matrix, scale } = currentPose(world, id);
	const [x, y, z] = [0, 1, 2].map((axis) => (low[axis]! + high[axis]!) / 2) as unknown as Vector;
	const halfSize = scale.map((factor, axis) => (Math.abs(factor) * (high[axis]! - low[axis]!)) / 2);
	const squaredRadius = halfSize.reduce((sum, number) => sum + number * number, 0);
	return { point: transformPoint(matrix, x, y, z), radius: Math.sqrt(squaredRadius) };
}
