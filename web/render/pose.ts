/**
 * Poses of models: the positions of their joints while clips play.
 * Owns: reading clips at a moment, blending them, and the resulting matrices. A pose is a pure function of
 * the frame and of the time since its tick: the same tick has the same pose, on every device and in every
 * fork.
 */

import type { NumberList } from '../../shared/contract/numbers.ts';
import { TICKS_PER_SECOND } from '../../shared/contract/ticks.ts';
import type { FrameAnimation, FrameClip } from '../frames/frames.ts';

/**
 * Values of one property of a node in a clip: 3 numbers of `place`, 4 of `turn`, 3 of `size`, or the weights
 * of its morph targets.
 */
export interface Track {
	/** Name of the node, or its id if it has no name. */
	readonly node: string;
	readonly path: 'place' | 'turn' | 'size' | 'weights';
	/** Returns the values at a time of the clip (s). They are valid until the next call. */
	valuesAt(seconds: number): ArrayLike<number>;
	/** Upper bound of the length of a `place` (m), or of each number of a `size`. */
	readonly maxLength: number;
}

export interface RigNode {
	/** Name by which tracks refer to the node. */
	readonly name: string;
	/** Index of the node in the file. */
	readonly fileIndex: number;
	/** Index of the parent, which comes before the node; -1 without a parent. */
	readonly parent: number;
	/** Rest pose: three numbers of place, four of turn, three of size. */
	readonly rest: Float32Array;
}

export interface Rig {
	readonly nodes: readonly RigNode[];
	/**
	 * Bones that vertices follow. `inverse`: matrix from the model to the node (column-major 4 x 4). `radius`:
	 * distance of the farthest vertex from the node (m).
	 */
	readonly bones: readonly {
		readonly node: number;
		readonly inverse: ArrayLike<number>;
		readonly radius: number;
	}[];
	/** Nodes with morph targets, with the index of their first weight and their weights at rest. */
	readonly morphs: readonly {
		readonly node: number;
		readonly firstWeight: number;
		readonly rest: readonly number[];
	}[];
	/** Node of the file for each joint; masks contain indices of this list. */
	readonly joints: readonly number[];
}

/** Floats of one bone: three rows of a matrix. */
export const BONE_FLOATS = 12;
/** Floats of one weight: a texel, of which only the first number is used. */
export const WEIGHT_FLOATS = 4;
/** Floats of a node: place, turn and size. */
const NODE_FLOATS = 10;
const OFFSET = { place: 0, turn: 3, size: 7 } as const;
const SIZE = { place: 3, turn: 4, size: 3 } as const;
/** Finds the tracks of a clip; null while its model is not loaded. */
export type FindTracks = (hash: string, animation: number) => readonly Track[] | null;

/** Returns the number of weights that the morph targets of a rig have. */
export const weightsOf = ({ morphs }: Rig): number => morphs.reduce((sum, { rest }) => sum + rest.length, 0);

/** Computes the bones and weights of one instance. `ago`: time from the shown moment to the frame (ticks). */
export class Poser {
	readonly #rig: Rig;
	readonly #byName = new Map<string, number>();
	readonly #morphs: ReadonlyMap<number, Rig['morphs'][number]>;
	/** Start of the weights in #current and #target, after all nodes. */
	readonly #weightsOffset: number;
	readonly #current: Float32Array;
	readonly #target: Float32Array;
	readonly #worlds: Float32Array;

	constructor(rig: Rig) {
		this.#rig = rig;
		rig.nodes.forEach(({ name }, index) => {
			this.#byName.set(name, index);
		});
		this.#morphs = new Map(rig.morphs.map((morph) => [morph.node, morph]));
		this.#weightsOffset = rig.nodes.length * NODE_FLOATS;
		this.#current = new Float32Array(this.#weightsOffset + weightsOf(rig));
		this.#target = new Float32Array(this.#current.length);
		this.#worlds = new Float32Array(rig.nodes.length * 16);
	}

	/** Writes the rows of all bones into `out` from `offset` on, and then the weights. */
	write(
		out: Float32Array,
		offset: number,
		animation: FrameAnimation | undefined,
		ago: number,
		findTracks: FindTracks,
	): void {
		this.#setRest(this.#current);
		if (animation !== undefined) this.#play(animation, ago, findTracks);
		this.#computeMatrices();
		this.#rig.bones.forEach(({ node, inverse }, bone) => {
			writeRows(out, offset + bone * BONE_FLOATS, this.#worlds, node * 16, inverse);
		});
		const weightsStart = offset + this.#rig.bones.length * BONE_FLOATS;
		for (let index = this.#weightsOffset; index < this.#current.length; index++)
			out[weightsStart + (index - this.#weightsOffset) * WEIGHT_FLOATS] = this.#current[index]!;
	}

	#setRest(target: Float32Array): void {
		this.#rig.nodes.forEach(({ rest }, index) => {
			target.set(rest, index * NODE_FLOATS);
		});
		for (const { firstWeight, rest } of this.#rig.morphs) target.set(rest, this.#weightsOffset + firstWeight);
	}

	#play({ playing, clip, fading, montage }: FrameAnimation, ago: number, findTracks: FindTracks): void {
		const since = playing ? ago : 0;
		if (fading !== null) this.#blendClip(findTracks(fading.hash, fading.place), momentOf(fading, since), 1);
		if (clip !== null) {
			const weight = fading === null ? 1 : clampShare((clip.elapsed - since) / Math.max(1, fading.fade));
			this.#blendClip(findTracks(clip.hash, clip.place), momentOf(clip, since), weight);
		}
		if (montage === null) return;
		const { elapsed, duration, blend_in, blend_out, mask } = montage;
		const now = Math.max(0, elapsed - ago);
		const share = Math.min(
			blend_in === 0 ? 1 : clampShare(now / blend_in),
			blend_out === 0 ? 1 : clampShare((duration - now) / blend_out),
		);
		const movedNodes = mask && new Set(mask.map((joint) => this.#rig.joints[joint]));
		const tracks = findTracks(montage.hash, montage.place) ?? [];
		this.#target.set(this.#current);
		this.#readTracks(tracks, momentOf(montage, ago), this.#target, movedNodes);
		this.#blend(share);
	}

	/** Blends towards a clip of the whole body: nodes that the clip does not move go to rest. */
	#blendClip(tracks: readonly Track[] | null, seconds: number, weight: number): void {
		if (tracks === null) return;
		this.#setRest(this.#target);
		this.#readTracks(tracks, seconds, this.#target, null);
		this.#blend(weight);
	}

	#readTracks(
		tracks: readonly Track[],
		seconds: number,
		target: Float32Array,
		allowedNodes: ReadonlySet<number | undefined> | null,
	): void {
		for (const track of tracks) {
			const node = this.#byName.get(track.node);
			if (
				node === undefined ||
				(allowedNodes !== null && !allowedNodes.has(this.#rig.nodes[node]!.fileIndex))
			)
				continue;
			const values = track.valuesAt(seconds);
			if (track.path === 'weights') {
				const { firstWeight = 0, rest = [] } = this.#morphs.get(node) ?? {};
				for (let i = 0; i < rest.length; i++) target[this.#weightsOffset + firstWeight + i] = values[i] ?? 0;
				continue;
			}
			const offset = node * NODE_FLOATS + OFFSET[track.path];
			for (let i = 0; i < SIZE[track.path]; i++) target[offset + i] = values[i]!;
		}
	}

	#blend(weight: number): void {
		const [from, to] = [this.#current, this.#target];
		for (let index = this.#weightsOffset; index < from.length; index++)
			from[index] = from[index]! * (1 - weight) + to[index]! * weight;
		for (let offset = 0; offset < this.#weightsOffset; offset += NODE_FLOATS) {
			let dot = 0;
			for (let i = 3; i < 7; i++) dot += from[offset + i]! * to[offset + i]!;
			const turn = dot < 0 ? -weight : weight;
			let square = 0;
			for (let i = 0; i < NODE_FLOATS; i++) {
				const isTurn = i >= 3 && i < 7;
				const value = from[offset + i]! * (1 - weight) + to[offset + i]! * (isTurn ? turn : weight);
				from[offset + i] = value;
				if (isTurn) square += value * value;
			}
			const scale = square > 1e-12 ? 1 / Math.sqrt(square) : 1;
			for (let i = 3; i < 7; i++) from[offset + i]! *= scale;
		}
	}

	#computeMatrices(): void {
		const worlds = this.#worlds;
		this.#rig.nodes.forEach(({ parent }, node) => {
			composeInto(worlds, node * 16, this.#current, node * NODE_FLOATS);
			if (parent >= 0) multiplyInto(worlds, node * 16, parent * 16);
		});
	}
}

const clampShare = (share: number): number => Math.min(1, Math.max(0, share));

/** Returns the time in a clip (s) at the moment `ago` ticks before the frame. */
export function momentOf({ elapsed, speed, length, looping }: FrameClip, ago: number): number {
	const seconds = (Math.max(0, elapsed - ago) / TICKS_PER_SECOND) * speed;
	if (length <= 0) return 0;
	return looping ? seconds % length : Math.min(seconds, length);
}

/** Writes the column-major matrix of a place, turn and size. */
function composeInto(out: Float32Array, outOffset: number, local: Float32Array, offset: number): void {
	const [tx, ty, tz, x, y, z, w, sx, sy, sz] = local.subarray(
		offset,
		offset + NODE_FLOATS,
	) as unknown as NumberList<10>;
	out[outOffset] = (1 - 2 * (y * y + z * z)) * sx;
	out[outOffset + 1] = 2 * (x * y + z * w) * sx;
	out[outOffset + 2] = 2 * (x * z - y * w) * sx;
	out[outOffset + 3] = 0;
	out[outOffset + 4] = 2 * (x * y - z * w) * sy;
	out[outOffset + 5] = (1 - 2 * (x * x + z * z)) * sy;
	out[outOffset + 6] = 2 * (y * z + x * w) * sy;
	out[outOffset + 7] = 0;
	out[outOffset + 8] = 2 * (x * z + y * w) * sz;
	out[outOffset + 9] = 2 * (y * z - x * w) * sz;
	out[outOffset + 10] = (1 - 2 * (x * x + y * y)) * sz;
	out[outOffset + 11] = 0;
	out[outOffset + 12] = tx;
	out[outOffset + 13] = ty;
	out[outOffset + 14] = tz;
	out[outOffset + 15] = 1;
}

const scratch = new Float32Array(16);

/** Multiplies the matrix at `parentOffset` by the matrix at `offset`, and stores the product at `offset`. */
function multiplyInto(matrices: Float32Array, offset: number, parentOffset: number): void {
	for (let column = 0; column < 4; column++)
		for (let row = 0; row < 4; row++) {
			let sum = 0;
			for (let i = 0; i < 4; i++)
				sum += matrices[parentOffset + i * 4 + row]! * matrices[offset + column * 4 + i]!;
			scratch[column * 4 + row] = sum;
		}
	matrices.set(scratch, offset);
}

/** Writes the upper three rows of the product of the matrix at `offset` and `inverse`. */
function writeRows(
	out: Float32Array,
	outOffset: number,
	matrices: Float32Array,
	offset: number,
	inverse: ArrayLike<number>,
): void {
	for (let row = 0; row < 3; row++)
		for (let column = 0; column < 4; column++) {
			let sum = 0;
			for (let i = 0; i < 4; i++) sum += matrices[offset + i * 4 + row]! * inverse[column * 4 + i]!;
			out[outOffset + row * 4 + column] = sum;
		}
}
