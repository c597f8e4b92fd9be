/**
 * What is to be known of a model without drawing it: how large it is, its joints, its clips.
 * Owns: reading that off its bytes, once for all who ask.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import type { World } from '../core/world.ts';
import { type Gltf, gltfOf, isReadable, numbersOf, placedMeshes, restMatrices } from './gltf.ts';
import { moved } from './matrix.ts';

type Vector = readonly [number, number, number];

export interface Clip {
	readonly name: string;
	/** Seconds. */
	readonly duration: number;
	readonly channels: number;
}

export interface Model {
	/** Corners of the box that has all of it at rest, in metres from the entity. */
	readonly low: Vector;
	readonly high: Vector;
	/** Meshes that it shows. */
	readonly meshes: number;
	/** Names of what bone masks number: the joints of the first skin, or its nodes where it has no skin. */
	readonly joints: readonly string[];
	readonly skinned: boolean;
	readonly clips: readonly Clip[];
}

/** What is known of the model that a mesh's name leads to; null while it is not there, and where it is no model. */
export function modelNamed(world: World, name: string): (Model & { readonly hash: string }) | null {
	const hash = world.assets.lastAt(name);
	const bytes = hash == null ? undefined : world.assets.find(hash);
	if (hash == null || bytes === undefined) return null;
	try {
		return { ...modelOf(bytes, name), hash };
	} catch (error) {
		if (error instanceof ApiError) return null;
		throw error;
	}
}

const known = new WeakMap<Uint8Array, Model>();

/** What is known of the model that bytes are. `what` names it in the refusal: throws `asset_refused`. */
export function modelOf(bytes: Uint8Array, what: string): Model {
	let model = known.get(bytes);
	if (model === undefined) {
		model = read(gltfOf(bytes, what));
		known.set(bytes, model);
	}
	return model;
}

function read(gltf: Gltf): Model {
	const { json } = gltf;
	const placed = placedMeshes(gltf);
	const low: [number, number, number] = [Infinity, Infinity, Infinity];
	const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
	for (const { mesh, matrix } of placed)
		for (const { attributes } of json.meshes[mesh]!.primitives) {
			const [from, to] = reach(gltf, attributes.POSITION!);
			for (let corner = 0; corner < 8; corner++) {
				const [x, y, z] = [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? to : from)[axis]!);
				const point = moved(matrix, x!, y!, z!);
				for (let axis = 0; axis < 3; axis++) {
					low[axis] = Math.min(low[axis]!, point[axis]!);
					high[axis] = Math.max(high[axis]!, point[axis]!);
				}
			}
		}
	const [skin] = json.skins;
	const ends = new Map<number, number>();
	const end = (input: number): number => {
		const known = ends.get(input) ?? lastOf(gltf, input);
		ends.set(input, known);
		return known;
	};
	const joints = skin?.joints ?? [...restMatrices(gltf).keys()].sort((a, b) => a - b);
	return {
		low,
		high,
		meshes: new Set(placed.map(({ mesh }) => mesh)).size,
		joints: joints.map((node) => json.nodes[node]!.name ?? `node ${node}`),
		skinned: skin !== undefined,
		clips: json.animations.map(({ name, channels, samplers }, at) => ({
			name: name ?? `clip ${at}`,
			duration: samplers.reduce((longest, { input }) => Math.max(longest, end(input)), 0),
			channels: channels.length,
		})),
	};
}

/** The least and the greatest of positions on each axis: the accessor says them, as the format demands. */
function reach(gltf: Gltf, index: number): readonly [readonly number[], readonly number[]] {
	const { min, max, normalized, componentType } = gltf.json.accessors[index]!;
	const accessor = gltf.json.accessors[index]!;
	if (min?.length === 3 && max?.length === 3) {
		const whole = normalized
			? { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535, 5125: 1, 5126: 1 }[componentType]
			: 1;
		return [min.map((one) => one / whole), max.map((one) => one / whole)];
	}
	if (!isReadable(gltf, accessor))
		return [
			[-0.5, -0.5, -0.5],
			[0.5, 0.5, 0.5],
		];
	const points = numbersOf(gltf, index);
	const of = (axis: number, pick: (a: number, b: number) => number): number => {
		let best = points[axis]!;
		for (let i = axis; i < points.length; i += 3) best = pick(best, points[i]!);
		return best;
	};
	return [[0, 1, 2].map((axis) => of(axis, Math.min)), [0, 1, 2].map((axis) => of(axis, Math.max))];
}

/** The last of the times of a sampler. */
function lastOf(gltf: Gltf, index: number): number {
	const accessor = gltf.json.accessors[index]!;
	if (isReadable(gltf, accessor)) return numbersOf(gltf, index).at(-1) ?? 0;
	return accessor.max?.[0] ?? 0;
}
