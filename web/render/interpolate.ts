/**
 * Poses between the last two frames: the previous row of each entity, the progress of the picture, and the
 * blend.
 * Owns: the maths of interpolation. Never: touches three.js, a clock or a port.
 */

import { TICKS_PER_SECOND } from '../../shared/contract/ticks.ts';
import type { FrameRows } from '../frames/frames.ts';

/** Numbers in one row of `Frame.poses`: position xyz, rotation xyzw, scale xyz. */
export const POSE_STRIDE = 10;

/** Maximum gap between frames in ticks (half a second). A larger gap is a jump, which is shown immediately. */
const JUMP_TICKS = 30;
/**
 * Follows the newest tick at real-time speed, between the last two frames. The caller passes the seconds
 * since the last call.
 */
export class Playhead {
	#tick = 0;

	/** Shown tick, with a fraction. */
	get tick(): number {
		return this.#tick;
	}

	/** Shows exactly this tick. */
	jumpTo(tick: number): void {
		this.#tick = tick;
	}

	/**
	 * Advances by `seconds`. Returns the position between the frames: 0 for the previous one, 1 for the newest.
	 * Paused worlds and jumps are shown immediately.
	 */
	advance(previous: number, newest: number, isPlaying: boolean, seconds: number): number {
		const gap = newest - previous;
		if (!isPlaying || gap <= 0 || gap > JUMP_TICKS) {
			this.#tick = newest;
			return 1;
		}
		const tick = this.#tick + seconds * TICKS_PER_SECOND;
		this.#tick = Math.min(Math.max(tick, previous), newest);
		return (this.#tick - previous) / gap;
	}
}

/**
 * Returns the row in `previous` for each row of `next`, or -1 if the entity was not drawn. Both are in id
 * order.
 */
export function matchRows(previous: FrameRows, next: FrameRows): Int32Array {
	const previousRows = new Int32Array(next.ids.length);
	let previousRow = 0;
	for (let row = 0; row < previousRows.length; row++) {
		const id = next.ids[row]!;
		while (previousRow < previous.ids.length && previous.ids[previousRow]! < id) previousRow++;
		const isSame =
			previousRow < previous.ids.length &&
			previous.ids[previousRow] === id &&
			previous.generations[previousRow] === next.generations[row];
		previousRows[row] = isSame ? previousRow : -1;
	}
	return previousRows;
}

/**
 * Start of a blend: poses of the previous frame, and the old row of each new row; null if rows are unchanged.
 */
export interface BlendStart {
	readonly poses: Float32Array;
	readonly rows: Int32Array | null;
}

/** Writes the pose at `alpha` between two poses. Positions and scales are interpolated linearly, rotations along the shorter arc and normalised.
 */
export function blendPose(out: Float32Array, from: Float32Array, to: Float32Array, alpha: number): void {
	if (alpha >= 1) {
		out.set(to);
		return;
	}
	const rest = 1 - alpha;
	for (let field = 0; field < POSE_STRIDE; field++) out[field] = from[field]! * rest + to[field]! * alpha;
	let dot = 0;
	for (let field = 3; field < 7; field++) dot += from[field]! * to[field]!;
	const turn = dot < 0 ? -alpha : alpha;
	let square = 0;
	for (let field = 3; field < 7; field++) {
		out[field] = from[field]! * rest + to[field]! * turn;
		square += out[field]! * out[field]!;
	}
	const length = Math.sqrt(square);
	if (length > 1e-6) for (let field = 3; field < 7; field++) out[field]! /= length;
	else out.set([0, 0, 0, 1], 3);
}
