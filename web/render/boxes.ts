/**
 * Bounding boxes of drawn rows, written as poses: centre, rotation and size.
 * Owns: the boxes of models. The box of a primitive is its pose, so a frame without models needs no other
 * numbers.
 */

import type { FrameBlocks, FrameModel } from '../frames/frames.ts';
import { POSE_STRIDE } from './interpolate.ts';

const cache = new WeakMap<Float32Array, { readonly models: object; readonly boxes: Float32Array }>();

/** Returns the boxes of a frame's rows, in their order. */
export function boxesOf({
	rows,
	poses,
	models,
}: Pick<FrameBlocks, 'rows' | 'poses' | 'models'>): Float32Array {
	const byMesh = rows.meshes.map((name) => models[name]);
	if (!byMesh.some((model) => model !== undefined)) return poses;
	const cached = cache.get(poses);
	if (cached !== undefined && cached.models === models) return cached.boxes;
	const boxes = poses.slice();
	for (let row = 0; row < rows.mesh.length; row++) {
		const model = byMesh[rows.mesh[row]!];
		if (model !== undefined) writeBox(boxes, row * POSE_STRIDE, poses, row * POSE_STRIDE, model);
	}
	cache.set(poses, { models, boxes });
	return boxes;
}

/** Writes the box of a model to `outOffset` of `out`. Its pose begins at `poseOffset` of `poses`. */
export function writeBox(
	out: Float32Array,
	outOffset: number,
	poses: Float32Array,
	poseOffset: number,
	{ low, high }: Pick<FrameModel, 'low' | 'high'>,
): void {
	const [qx, qy, qz, qw] = [
		poses[poseOffset + 3]!,
		poses[poseOffset + 4]!,
		poses[poseOffset + 5]!,
		poses[poseOffset + 6]!,
	];
	const x = ((low[0] + high[0]) / 2) * poses[poseOffset + 7]!;
	const y = ((low[1] + high[1]) / 2) * poses[poseOffset + 8]!;
	const z = ((low[2] + high[2]) / 2) * poses[poseOffset + 9]!;
	const tx = 2 * (qy * z - qz * y);
	const ty = 2 * (qz * x - qx * z);
	const tz = 2 * (qx * y - qy * x);
	out[outOffset] = poses[poseOffset]! + x + qw * tx + qy * tz - qz * ty;
	out[outOffset + 1] = poses[poseOffset + 1]! + y + qw * ty + qz * tx - qx * tz;
	out[outOffset + 2] = poses[poseOffset + 2]! + z + qw * tz + qx * ty - qy * tx;
	for (let i = 3; i < 7; i++) out[outOffset + i] = poses[poseOffset + i]!;
	for (let axis = 0; axis < 3; axis++)
		out[outOffset + 7 + axis] = (high[axis]! - low[axis]!) * poses[poseOffset + 7 + axis]!;
}
