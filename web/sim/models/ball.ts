/** Poses and sizes of entities as they are drawn. Owns: the ball round a box, in the world. */

import type { Vector } from '../core/math/vector.ts';
import type { World } from '../core/world.ts';
import { posesNow } from '../transform/poses-now.ts';
import { type Matrix, poseMatrix, transformPoint } from './matrix.ts';

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

/** Also stands for a model that is missing. */
export const UNIT_BOX: ShapeBox = { low: [-0.5, -0.5, -0.5], high: [0.5, 0.5, 0.5] };

/** Returns the pose of an entity now, with its parents' poses in it. */
export function poseNow(world: World, id: number): { readonly matrix: Matrix; readonly scale: Vector } {
	const { position, rotation, scale } = posesNow(world);
	const at = (column: ArrayLike<number>, width: number) =>
		Array.from({ length: width }, (_, i) => column[id * width + i]!);
	const size = at(scale, 3) as unknown as Vector;
	const matrix = poseMatrix({ translation: at(position, 3), rotation: at(rotation, 4), scale: size });
	return { matrix, scale: size };
}

/** Returns the ball round a box that has the pose of an entity. */
export function ballOf(world: World, id: number, { low, high }: ShapeBox): Ball {
	const { matrix, scale } = poseNow(world, id);
	const [x, y, z] = [0, 1, 2].map((axis) => (low[axis]! + high[axis]!) / 2) as unknown as Vector;
	const half = scale.map((part, axis) => (Math.abs(part) * (high[axis]! - low[axis]!)) / 2);
	const square = half.reduce((sum, number) => sum + number * number, 0);
	return { point: transformPoint(matrix, x, y, z), radius: Math.sqrt(square) };
}
