/**
 * Poses of models: the places of their joints while clips play.
 * Owns: reading clips at a moment, blending them, and the resulting matrices. A pose is a pure function of the frame and
 * of the time since its tick: the same tick has the same pose, on every device and in every fork.
 */

import type { NumberList } from '../../shared/contract/numbers.ts';
import { TICKS_PER_SECOND } from '../../shared/contract/ticks.ts';
import type { FrameAnimation, FrameClip } from '../frames/frames.ts';

/**
 * Property of a node that a clip moves: 3 numbers of place, 4 of turn, 3 of size, or the weights of its morph
 * targets.
 */
export interface Track {
	/** Name of the node, or its id if it has no name. */
	readonly node: string;
	readonly path: 'place' | 'turn' | 'size' | 'weights';
	/** Returns the numbers at a moment, in seconds; valid until the next call. */
	at(seconds: number): ArrayLike<number>;
	/** Upper bound of the length of a place, or of each number of a size. */
	readonly far: number;
}

export interface RigNode {
	/** Name by which tracks refer to the node. */
	readonly name: string;
	/** Index of the node in the file. */
	readonly place: number;
	/** Index of the parent, which comes before the node; -1 without a parent. */
	readonly parent: number;
	/** At rest: three numbers of place, four of turn, three of size. */
	readonly rest: Float32Array;
}

export interface Rig {
	readonly nodes: readonly RigNode[];
	/**
	 * Bones that vertices follow: a node, the matrix that takes a vertex to it (column-major 4 x 4), and the distance of the
	 * farthest vertex from it.
	 */
	readonly bones: readonly {
		readonly node: number;
		readonly inverse: ArrayLike<number>;
		readonly radius: number;
	}[];
	/** Nodes with morph targets: the index of each one's first weight, and its weights at rest. */
	readonly morphs: readonly {
		readonly node: number;
		readonly first: number;
		readonly rest: readonly number[];
	}[];
	/** Node of the file for each joint; masks contain indices of this list. */
	readonly joints: readonly number[];
}

/** Floats of one bone: three rows of a matrix. */
export const BONE_FLOATS = 12;
/** Floats of one weight: a texel of which only the first number is used. */
export const WEIGHT_FLOATS = 4;
const NODE_FLOATS = 10;
const OFFSET = { place: 0, turn: 3, size: 7 } as const;
const SIZE = { place: 3, turn: 4, size: 3 } as const;
/** Finds the tracks of a clip; null while its model is not loaded. */
export type FindTracks = (hash: string, place: number) => readonly Track[] | null;

/** Returns the number of weights that the morph targets of a rig have. */
export const weightsOf = ({ morphs }: Rig): number => morphs.reduce((sum, { rest }) => sum + rest.length, 0);

/** Computes the bones and weights of one instance. `ago`: ticks from the shown moment to the tick of the frame. */
export class Poser {
	readonly #rig: Rig;
	readonly #byName = new Map<string, number>();
	readonly #morphs: ReadonlyMap<number, Rig['morphs'][number]>;
	/** Start of the weights in #locals and #target, after all nodes. */
	readonly #tail: number;
	readonly #locals: Float32Array;
	readonly #target: Float32Array;
	readonly #worlds: Float32Array;

	constructor(rig: Rig) {
		this.#rig = rig;
		rig.nodes.forEach(({ name }, at) => {
			this.#byName.set(name, at);
		});
		this.#morphs = new Map(rig.morphs.map((morph) => [morph.node, morph]));
		this.#tail = rig.nodes.length * NODE_FLOATS;
		this.#locals = new Float32Array(this.#tail + weightsOf(rig));
		this.#target = new Float32Array(this.#locals.length);
		this.#worlds = new Float32Array(rig.nodes.length * 16);
	}

	/** Writes the rows of all bones into `out` from `to` on, and then the weights. */
	write(
		out: Float32Array,
		to: number,
		animation: FrameAnimation | undefined,
		ago: number,
		find: FindTracks,
	): void {
		this.#rest(this.#locals);
		if (animation !== undefined) this.#play(animation, ago, find);
		this.#place();
		this.#rig.bones.forEach(({ node, inverse }, bone) => {
			writeRows(out, to + bone * BONE_FLOATS, this.#worlds, node * 16, inverse);
		});
		const after = to + this.#rig.bones.length * BONE_FLOATS;
		for (let at = this.#tail; at < this.#locals.length; at++)
			out[after + (at - this.#tail) * WEIGHT_FLOATS] = this.#locals[at]!;
	}

	#rest(into: Float32Array): void {
		this.#rig.nodes.forEach(({ rest }, at) => {
			into.set(rest, at * NODE_FLOATS);
		});
		for (const { first, rest } of this.#rig.morphs) into.set(rest, this.#tail + first);
	}

	#play({ playing, clip, fading, montage }: FrameAnimation, ago: number, find: FindTracks): void {
		const since = playing ? ago : 0;
		if (fading !== null) this.#whole(find(fading.hash, fading.place), momentOf(fading, since), 1);
		if (clip !== null) {
			const share = fading === null ? 1 : clamped((clip.elapsed - since) / Math.max(1, fading.fade));
			this.#whole(find(clip.hash, clip.place), momentOf(clip, since), share);
		}
		if (montage === null) return;
		const { elapsed, duration, blend_in, blend_out, mask } = montage;
		const now = Math.max(0, elapsed - ago);
		const share = Math.min(
			blend_in === 0 ? 1 : clamped(now / blend_in),
			blend_out === 0 ? 1 : clamped((duration - now) / blend_out),
		);
		const moved = mask && new Set(mask.map((joint) => this.#rig.joints[joint]));
		const tracks = find(montage.hash, montage.place) ?? [];
		this.#target.set(this.#locals);
		this.#read(tracks, momentOf(montage, ago), this.#target, moved);
		this.#blend(share);
	}

	/** Blends towards a clip of the whole body: nodes that the clip does not move go to rest. */
	#whole(tracks: readonly Track[] | null, seconds: number, share: number): void {
		if (tracks === null) return;
		this.#rest(this.#target);
		this.#read(tracks, seconds, this.#target, null);
		this.#blend(share);
	}

	#read(
		tracks: readonly Track[],
		seconds: number,
		into: Float32Array,
		only: ReadonlySet<number | undefined> | null,
	): void {
		for (const track of tracks) {
			const node = this.#byName.get(track.node);
			if (node === undefined || (only !== null && !only.has(this.#rig.nodes[node]!.place))) continue;
			const values = track.at(seconds);
			if (track.path === 'weights') {
				const { first = 0, rest = [] } = this.#morphs.get(node) ?? {};
				for (let i = 0; i < rest.length; i++) into[this.#tail + first + i] = values[i] ?? 0;
				continue;
			}
			const at = node * NODE_FLOATS + OFFSET[track.path];
			for (let i = 0; i < SIZE[track.path]; i++) into[at + i] = values[i]!;
		}
	}

	#blend(share: number): void {
		const [from, to] = [this.#locals, this.#target];
		for (let at = this.#tail; at < from.length; at++) from[at] = from[at]! * (1 - share) + to[at]! * share;
		for (let at = 0; at < this.#tail; at += NODE_FLOATS) {
			let dot = 0;
			for (let i = 3; i < 7; i++) dot += from[at + i]! * to[at + i]!;
			const turn = dot < 0 ? -share : share;
			let square = 0;
			for (let i = 0; i < NODE_FLOATS; i++) {
				const isTurn = i >= 3 && i < 7;
				const value = from[at + i]! * (1 - share) + to[at + i]! * (isTurn ? turn : share);
				from[at + i] = value;
				if (isTurn) square += value * value;
			}
			const scale = square > 1e-12 ? 1 / Math.sqrt(square) : 1;
			for (let i = 3; i < 7; i++) from[at + i]! *= scale;
		}
	}

	#place(): void {
		const worlds = this.#worlds;
		this.#rig.nodes.forEach(({ parent }, node) => {
			composeInto(worlds, node * 16, this.#locals, node * NODE_FLOATS);
			if (parent >= 0) multiplyInto(worlds, node * 16, parent * 16);
		});
	}
}

const clamped = (share: number): number => Math.min(1, Math.max(0, share));

/** Returns the time in a clip (s) at the moment `ago` ticks before the frame. */
export function momentOf({ elapsed, speed, length, looping }: FrameClip, ago: number): number {
	const seconds = (Math.max(0, elapsed - ago) / TICKS_PER_SECOND) * speed;
	if (length <= 0) return 0;
	return looping ? seconds % length : Math.min(seconds, length);
}

/** Writes the column-major matrix of a place, turn and size. */
function composeInto(out: Float32Array, to: number, local: Float32Array, at: number): void {
	const [tx, ty, tz, x, y, z, w, sx, sy, sz] = local.subarray(
		at,
		at + NODE_FLOATS,
	) as unknown as NumberList<10>;
	out[to] = (1 - 2 * (y * y + z * z)) * sx;
	out[to + 1] = 2 * (x * y + z * w) * sx;
	out[to + 2] = 2 * (x * z - y * w) * sx;
	out[to + 3] = 0;
	out[to + 4] = 2 * (x * y - z * w) * sy;
	out[to + 5] = (1 - 2 * (x * x + z * z)) * sy;
	out[to + 6] = 2 * (y * z + x * w) * sy;
	out[to + 7] = 0;
	out[to + 8] = 2 * (x * z + y * w) * sz;
	out[to + 9] = 2 * (y * z - x * w) * sz;
	out[to + 10] = (1 - 2 * (x * x + y * y)) * sz;
	out[to + 11] = 0;
	out[to + 12] = tx;
	out[to + 13] = ty;
	out[to + 14] = tz;
	out[to + 15] = 1;
}

const scratch = new Float32Array(16);

/** Multiplies the matrix at `above` by the matrix at `at`, and stores the product at `at`. */
function multiplyInto(matrices: Float32Array, at: number, above: number): void {
	for (let column = 0; column < 4; column++)
		for (let row = 0; row < 4; row++) {
			let sum = 0;
			for (let i = 0; i < 4; i++) sum += matrices[above + i * 4 + row]! * matrices[at + column * 4 + i]!;
			scratch[column * 4 + row] = sum;
		}
	matrices.set(scratch, at);
}

/** Writes the upper three rows of the matrix at `at` times `inverse`. */
function writeRows(
	out: Float32Array,
	to: number,
	matrices: Float32Array,
	at: number,
	inverse: ArrayLike<number>,
): void {
	for (let row = 0; row < 3; row++)
		for (let column = 0; column < 4; column++) {
			let sum = 0;
			for (let i = 0; i < 4; i++) sum += matrices[at + i * 4 + row]! * inverse[column * 4 + i]!;
			out[to + row * 4 + column] = sum;
		}
}
