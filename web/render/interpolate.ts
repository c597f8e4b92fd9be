/**
 * The poses between the last two frames: where each row was before, how far the picture has come, and the blend.
 * Owns: the maths of in-between pictures. Never: touches three.js, a clock or a port.
 */

import { TICKS_PER_SECOND } from '../../shared/contract/ticks.ts';
import type { FrameRows } from '../frames/frames.ts';

/** Numbers in one row of `Frame.poses`: position xyz, rotation xyzw, scale xyz. */
export const POSE_STRIDE = 10;

/** A gap of more ticks than this is a jump, shown at once: half a second. */
const JUMP_TICKS = 30;
/**
 * Follows the newest tick at the world's own speed, never ahead of it and never before the frame before it.
 * Time comes in as seconds since the last call.
 */
export class Playhead {
	#shown = 0;

	/** The tick that is shown, with its fraction. */
	get shown(): number {
		return this.#shown;
	}

	/** Shows exactly this tick. */
	snap(tick: number): void {
		this.#shown = tick;
	}

	/**
	 * Moves on by `seconds` and answers how far between the frames the picture is: 0 = the one before, 1 = the newest.
	 * Paused worlds and jumps are shown at once.
	 */
	advance(before: number, newest: number, playing: boolean, seconds: number): number {
		const gap = newest - before;
		if (!playing || gap <= 0 || gap > JUMP_TICKS) {
			this.#shown = newest;
			return 1;
		}
		const moved = this.#shown + seconds * TICKS_PER_SECOND;
		this.#shown = Math.min(Math.max(moved, before), newest);
		return (this.#shown - before) / gap;
	}
}

/** For each row of `next` its row in `before`, or -1 where that entity was not drawn. Both are in id order. */
export function matchRows(before: FrameRows, next: FrameRows): Int32Array {
	const from = new Int32Array(next.ids.length);
	let old = 0;
	for (let row = 0; row < from.length; row++) {
		const id = next.ids[row]!;
		while (old < before.ids.length && before.ids[old]! < id) old++;
		const same =
			old < before.ids.length && before.ids[old] === id && before.generations[old] === next.generations[row];
		from[row] = same ? old : -1;
	}
	return from;
}

/** Start of a blend: poses of the frame before, and for each new row its old row (absent = the same row). */
export interface BlendFrom {
	readonly poses: Float32Array;
	readonly rows: Int32Array | null;
}

/**
 * Writes the poses of `count` rows, listed in `order`, one after the other into `out`.
 * Positions and scales are blended straight, rotations the short way round and normalised.
 */
export function blendPoses(
	out: Float32Array,
	order: Uint32Array,
	count: number,
	before: BlendFrom | null,
	next: Float32Array,
	alpha: number,
): void {
	if (before === null || alpha >= 1) {
		copyPoses(out, order, count, next);
		return;
	}
	const poses = before.poses;
	const rows = before.rows;
	const keep = 1 - alpha;
	for (let index = 0; index < count; index++) {
		const row = order[index]!;
		const old = rows === null ? row : rows[row]!;
		const b = row * POSE_STRIDE;
		const o = index * POSE_STRIDE;
		const a = old < 0 ? -1 : old * POSE_STRIDE;
		if (a < 0) {
			for (let field = 0; field < POSE_STRIDE; field++) out[o + field] = next[b + field]!;
			continue;
		}
		out[o] = poses[a]! * keep + next[b]! * alpha;
		out[o + 1] = poses[a + 1]! * keep + next[b + 1]! * alpha;
		out[o + 2] = poses[a + 2]! * keep + next[b + 2]! * alpha;
		const ax = poses[a + 3]!;
		const ay = poses[a + 4]!;
		const az = poses[a + 5]!;
		const aw = poses[a + 6]!;
		const bx = next[b + 3]!;
		const by = next[b + 4]!;
		const bz = next[b + 5]!;
		const bw = next[b + 6]!;
		const turn = ax * bx + ay * by + az * bz + aw * bw < 0 ? -alpha : alpha;
		const x = ax * keep + bx * turn;
		const y = ay * keep + by * turn;
		const z = az * keep + bz * turn;
		const w = aw * keep + bw * turn;
		const length = Math.sqrt(x * x + y * y + z * z + w * w);
		const scale = length > 1e-6 ? 1 / length : 0;
		out[o + 3] = x * scale;
		out[o + 4] = y * scale;
		out[o + 5] = z * scale;
		out[o + 6] = scale === 0 ? 1 : w * scale;
		out[o + 7] = poses[a + 7]! * keep + next[b + 7]! * alpha;
		out[o + 8] = poses[a + 8]! * keep + next[b + 8]! * alpha;
		out[o + 9] = poses[a + 9]! * keep + next[b + 9]! * alpha;
	}
}

function copyPoses(out: Float32Array, order: Uint32Array, count: number, next: Float32Array): void {
	if (count === 0) return;
	const first = order[0]!;
	if (order[count - 1] === first + count - 1) {
		out.set(next.subarray(first * POSE_STRIDE, (first + count) * POSE_STRIDE));
		return;
	}
	for (let index = 0; index < count; index++) {
		const b = order[index]! * POSE_STRIDE;
		const o = index * POSE_STRIDE;
		out[o] = next[b]!;
		out[o + 1] = next[b + 1]!;
		out[o + 2] = next[b + 2]!;
		out[o + 3] = next[b + 3]!;
		out[o + 4] = next[b + 4]!;
		out[o + 5] = next[b + 5]!;
		out[o + 6] = next[b + 6]!;
		out[o + 7] = next[b + 7]!;
		out[o + 8] = next[b + 8]!;
		out[o + 9] = next[b + 9]!;
	}
}
