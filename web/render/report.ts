/**
 * Reports the entities in a picture: from its pixels in the channels segmentation and depth, and from
 * bounding boxes.
 * Owns: the lists of visible and hidden entities, and the choice of the entity that hides another. Never:
 * draws.
 */

import { type Camera, Matrix4, type OrthographicCamera, type PerspectiveCamera, Vector4 } from 'three/webgpu';
import type { NumberList } from '../../shared/contract/numbers.ts';
import type { HiddenEntity, PixelBox, SeenEntity } from '../frames/frames.ts';
import { depthMetres, segmentationId } from './channels.ts';
import { POSE_STRIDE } from './interpolate.ts';

/** Approximate maximum of the sampled pixels of a box. They form a regular grid. */
const MAX_SAMPLES = 4096;

/** Finds the entities in a segmentation picture: those with the most pixels first, then by id. */
export function seenEntities(rgba: Uint8Array, width: number, height: number): SeenEntity[] {
	const extents = new Map<
		number,
		{ pixels: number; left: number; top: number; right: number; bottom: number }
	>();
	for (let y = 0, offset = 0; y < height; y++) {
		for (let x = 0; x < width; x++, offset += 4) {
			const id = segmentationId(rgba[offset]!, rgba[offset + 1]!, rgba[offset + 2]!);
			if (id === null) continue;
			const extent = extents.get(id);
			if (extent === undefined) {
				extents.set(id, { pixels: 1, left: x, top: y, right: x, bottom: y });
				continue;
			}
			extent.pixels++;
			extent.left = Math.min(extent.left, x);
			extent.right = Math.max(extent.right, x);
			extent.bottom = y;
		}
	}
	return [...extents]
		.map(([id, { pixels, left, top, right, bottom }]) => ({
			id,
			pixels,
			box: { left, top, width: right - left + 1, height: bottom - top + 1 },
		}))
		.sort((a, b) => b.pixels - a.pixels || a.id - b.id);
}

/** Entity whose box is in view but that has no pixel. */
export interface Covered {
	readonly id: number;
	readonly box: PixelBox;
	/** Nearest and farthest distance of its bounding box along the view axis (m). */
	readonly near: number;
	readonly far: number;
}

type Lens = PerspectiveCamera | OrthographicCamera;

/** Finds the entities that are in view but not in `seen`: the nearest first, then by id. */
export function coveredEntities(
	ids: Uint32Array,
	boxes: Float32Array,
	seen: readonly SeenEntity[],
	lens: Lens,
	width: number,
	height: number,
): Covered[] {
	const seenIds = new Set(seen.map(({ id }) => id));
	const covered: Covered[] = [];
	for (let row = 0; row < ids.length; row++) {
		const id = ids[row]!;
		if (seenIds.has(id)) continue;
		const projected = projectBox(boxes, row * POSE_STRIDE, lens, width, height);
		if (projected !== null) covered.push({ id, ...projected });
	}
	return covered.sort((a, b) => a.near - b.near || a.id - b.id);
}

/** Returns the outline and the distances of a bounding box in a picture; null if it is not in view. */
export function projectBox(
	boxes: Float32Array,
	offset: number,
	lens: Lens,
	width: number,
	height: number,
): Omit<Covered, 'id'> | null {
	const corners = cornersOf(boxes, offset);
	const toView = lens.matrixWorldInverse;
	const ahead = corners.map((corner) => -corner.clone().applyMatrix4(toView).z);
	const near = Math.max(Math.min(...ahead), lens.near);
	const far = Math.min(Math.max(...ahead), lens.far);
	if (near > far) return null;
	const toClip = clipMatrix(lens);
	const clips = corners.map((corner) => corner.clone().applyMatrix4(toClip));
	const isOutside = (beyond: (clip: Vector4) => boolean): boolean => clips.every(beyond);
	if (
		isOutside(({ x, w }) => x < -w) ||
		isOutside(({ x, w }) => x > w) ||
		isOutside(({ y, w }) => y < -w) ||
		isOutside(({ y, w }) => y > w)
	)
		return null;
	// A box around the eye has no outline in the picture. It may cover the whole picture.
	const coversPicture = ahead.some((distance) => distance < lens.near);
	const xs = clips.map(({ x, w }) => ((x / w + 1) / 2) * width);
	const ys = clips.map(({ y, w }) => ((1 - y / w) / 2) * height);
	const left = coversPicture ? 0 : clamp(Math.floor(Math.min(...xs)), width - 1);
	const top = coversPicture ? 0 : clamp(Math.floor(Math.min(...ys)), height - 1);
	const right = coversPicture ? width : clamp(Math.ceil(Math.max(...xs)), width);
	const bottom = coversPicture ? height : clamp(Math.ceil(Math.max(...ys)), height);
	const box = { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
	return { box, near, far };
}

/**
 * Finds the entity that hides another: the most frequent id among the pixels of its box that are in front of
 * its far end.
 */
export function hiddenBy(
	{ id, box, far }: Covered,
	ids: Uint8Array,
	depths: Uint8Array,
	width: number,
): HiddenEntity {
	const step = Math.max(1, Math.ceil(Math.sqrt((box.width * box.height) / MAX_SAMPLES)));
	const votes = new Map<number, number>();
	for (let y = box.top; y < box.top + box.height; y += step) {
		for (let x = box.left; x < box.left + box.width; x += step) {
			const offset = (y * width + x) * 4;
			const coveringId = segmentationId(ids[offset]!, ids[offset + 1]!, ids[offset + 2]!);
			const depth = depthMetres(depths[offset]!, depths[offset + 1]!, depths[offset + 2]!);
			if (coveringId === null || depth === null || depth > far) continue;
			votes.set(coveringId, (votes.get(coveringId) ?? 0) + 1);
		}
	}
	const [first] = [...votes].sort(([a, many], [b, more]) => more - many || a - b);
	return { id, box, hidden_by: first?.[0] ?? null };
}

const clamp = (value: number, max: number): number => Math.max(0, Math.min(value, max));

const clipMatrix = (lens: Camera): Matrix4 =>
	new Matrix4().multiplyMatrices(lens.projectionMatrix, lens.matrixWorldInverse);

/** Returns the corners of a box. Its pose begins at `offset`. */
function cornersOf(boxes: Float32Array, offset: number): Vector4[] {
	const [x, y, z, qx, qy, qz, qw] = boxes.subarray(offset, offset + 7) as unknown as NumberList<7>;
	const corners: Vector4[] = [];
	for (let corner = 0; corner < 8; corner++) {
		const component = (axis: number): number =>
			((corner >> axis) & 1 ? 0.5 : -0.5) * boxes[offset + 7 + axis]!;
		const [px, py, pz] = [component(0), component(1), component(2)];
		const tx = 2 * (qy * pz - qz * py);
		const ty = 2 * (qz * px - qx * pz);
		const tz = 2 * (qx * py - qy * px);
		corners.push(
			new Vector4(
				x + px + qw * tx + qy * tz - qz * ty,
				y + py + qw * ty + qz * tx - qx * tz,
				z + pz + qw * tz + qx * ty - qy * tx,
				1,
			),
		);
	}
	return corners;
}
