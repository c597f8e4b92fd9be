/**
 * Reports the entities in a picture: from its pixels in the channels segmentation and depth, and from bounding boxes.
 * Owns: which entities count as seen and hidden, and what hides them. Never: draws.
 */

import { type Camera, Matrix4, type OrthographicCamera, type PerspectiveCamera, Vector4 } from 'three/webgpu';
import type { NumberList } from '../../shared/contract/numbers.ts';
import type { HiddenEntity, PixelBox, SeenEntity } from '../frames/frames.ts';
import { depthMetres, segmentationId } from './channels.ts';
import { POSE_STRIDE } from './interpolate.ts';

/** Pixels of a box that are looked at, about: a regular grid of them represents a large box. */
const MAX_SAMPLES = 4096;

/** Finds the entities in a segmentation picture: those with the most pixels first, then by id. */
export function seenEntities(rgba: Uint8Array, width: number, height: number): SeenEntity[] {
	const found = new Map<
		number,
		{ pixels: number; left: number; top: number; right: number; bottom: number }
	>();
	for (let y = 0, at = 0; y < height; y++) {
		for (let x = 0; x < width; x++, at += 4) {
			const id = segmentationId(rgba[at]!, rgba[at + 1]!, rgba[at + 2]!);
			if (id === null) continue;
			const one = found.get(id);
			if (one === undefined) {
				found.set(id, { pixels: 1, left: x, top: y, right: x, bottom: y });
				continue;
			}
			one.pixels++;
			one.left = Math.min(one.left, x);
			one.right = Math.max(one.right, x);
			one.bottom = y;
		}
	}
	return [...found]
		.map(([id, { pixels, left, top, right, bottom }]) => ({
			id,
			pixels,
			box: { left, top, width: right - left + 1, height: bottom - top + 1 },
		}))
		.sort((a, b) => b.pixels - a.pixels || a.id - b.id);
}

/** Entity that is in view and has no pixel. */
export interface Covered {
	readonly id: number;
	readonly box: PixelBox;
	/** Distances of its bounding box along the view axis (m). */
	readonly near: number;
	readonly far: number;
}

type Lens = PerspectiveCamera | OrthographicCamera;

/** Finds the entities whose bounding box is in view, except those that are seen: the nearest first, then by id. */
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

/** Returns where a bounding box is in a picture; null if it is not in view. */
export function projectBox(
	boxes: Float32Array,
	at: number,
	lens: Lens,
	width: number,
	height: number,
): Omit<Covered, 'id'> | null {
	const corners = cornersOf(boxes, at);
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
	// A box around the eye has no outline in the picture: it may cover all of it.
	const whole = ahead.some((distance) => distance < lens.near);
	const xs = clips.map(({ x, w }) => ((x / w + 1) / 2) * width);
	const ys = clips.map(({ y, w }) => ((1 - y / w) / 2) * height);
	const left = whole ? 0 : inside(Math.floor(Math.min(...xs)), width - 1);
	const top = whole ? 0 : inside(Math.floor(Math.min(...ys)), height - 1);
	const right = whole ? width : inside(Math.ceil(Math.max(...xs)), width);
	const bottom = whole ? height : inside(Math.ceil(Math.max(...ys)), height);
	const box = { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
	return { box, near, far };
}

/** Finds what hides an entity: among the pixels in its box that are in front of its far end, the most frequent id. */
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
			const at = (y * width + x) * 4;
			const other = segmentationId(ids[at]!, ids[at + 1]!, ids[at + 2]!);
			const depth = depthMetres(depths[at]!, depths[at + 1]!, depths[at + 2]!);
			if (other === null || depth === null || depth > far) continue;
			votes.set(other, (votes.get(other) ?? 0) + 1);
		}
	}
	const [first] = [...votes].sort(([a, many], [b, more]) => more - many || a - b);
	return { id, box, hidden_by: first?.[0] ?? null };
}

const inside = (value: number, most: number): number => Math.max(0, Math.min(value, most));

const clipMatrix = (lens: Camera): Matrix4 =>
	new Matrix4().multiplyMatrices(lens.projectionMatrix, lens.matrixWorldInverse);

/** Returns the corners of a box that is written as a pose. */
function cornersOf(boxes: Float32Array, at: number): Vector4[] {
	const [x, y, z, qx, qy, qz, qw] = boxes.subarray(at, at + 7) as unknown as NumberList<7>;
	const corners: Vector4[] = [];
	for (let corner = 0; corner < 8; corner++) {
		const part = (axis: number): number => ((corner >> axis) & 1 ? 0.5 : -0.5) * boxes[at + 7 + axis]!;
		const [px, py, pz] = [part(0), part(1), part(2)];
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
