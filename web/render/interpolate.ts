/**
 * Poses between the last two frames: the previous row of each entity, the progress of the picture, and the blend.
 * Owns: the maths of interpolation. Never: touches three.js, a clock or a port.
 */

import { TICKS_PER_SECOND } from '../../shared/contract/ticks.ts';
import type { FrameRows } from '../frames/frames.ts';

/** Numbers in one row of `Frame.poses`: position xyz, rotation xyzw, scale xyz. */
export const POSE_STRIDE = 10;

/** Maximum gap between frames in ticks (half a second). A larger gap is a jump, which is shown immediately. */
const JUMP_TICKS = 30;
/**
 * Follows the newest tick at real-time speed, between the last two frames. The caller passes the seconds since the last call.
 */
export class Playhead {
	#shown = 0;

	/** Shown tick, with its fraction. */
	get shown(): number {
		return this.#shown;
	}

	/** Shows exactly this tick. */
	snap(tick: number): void {
		this.#shown = tick;
	}

	/**
	 * Advances by `seconds`. Returns the position between the frames: 0 for the previous one, 1 for the newest. Paused worlds and jumps are
	 * shown immediately.
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

/** Returns the row in `before` for each row of `next`, or -1 if the entity was not drawn. Both are in id order. */
export function matchRows(before: FrameRows, next: FrameRows): Int32Array {
	const from = new Int32Array(next.ids.length);
	let old = 0;
	for (let row = 0; row < from.length; row++) {
		const id = next.ids[row]!;
		while (old < before.ids.length && before.ids[old]! < id) old++;
		const isSame =
			old < before.ids.length && before.ids[old] === id && before.generations[old] === next.generations[row];
		from[row] = isSame ? old : -1;
	}
	return from;
}

/** Start of a blend: poses of the previous frame, and for each new row its old row; null if rows are unchanged. */
export interface BlendFrom {
	readonly poses: Float32Array;
	readonly rows: Int32Array | null;
}

/**
 * Writes the pose between two poses. Positions and scales are interpolated linearly, rotations along the shorter arc and normalised.
 */
export function blendPose(out: Float32Array, was: Float32Array, now: Float32Array, alpha: number): void {
	if (alpha >= 1) {
		out.set(now);
		return;
	}
	const keep = 1 - alpha;
	for (let field = 0; field < POSE_STRIDE; field++) out[field] = was[field]! * keep + now[field]! * alpha;
	let near = 0;
	for (let field = 3; field < 7; field++) near += was[field]! * now[field]!;
	const turn = near < 0 ? -alpha : alpha;
	let square = 0;
	for (let field = 3; field < 7; field++) {
		out[field] = was[field]! * keep + now[field]! * turn;
		square += out[field]! * out[field]!;
	}
	const length = Math.sqrt(square);
	if (length > 1e-6) for (let field = 3; field < 7; field++) out[field]! /= length;
	else out.set([0, 0, 0, 1], 3);
}
