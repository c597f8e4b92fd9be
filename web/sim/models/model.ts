/**
 * Facts about a model that are needed without drawing it: its size, its joints, its clips.
 * Owns: reading that off its bytes, once for all readers.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import type { Vector } from '../core/math/vector.ts';
import type { World } from '../core/world.ts';
import { isReadable, numbersOf, WHOLE } from './accessors.ts';
import { undrawnOf } from './drawing.ts';
import { gltfOf } from './gltf.ts';
import type { Gltf } from './gltf-document.ts';
import { type Matrix, transformPoint } from './matrix.ts';
import { placedMeshes, restMatrices } from './placed-meshes.ts';

const TRIANGLES = 4;

export interface Clip {
	readonly name: string;
	/** Seconds. */
	readonly duration: number;
	readonly channels: number;
}

/** A point or spot light of a model at rest. */
export interface ModelLight {
	readonly kind: 'point' | 'spot';
	/** Metres from the entity. */
	readonly position: Vector;
	readonly direction: Vector;
	/** Linear. */
	readonly color: Vector;
	/** Candela. */
	readonly intensity: number;
	/** Metres; 0: without end. */
	readonly range: number;
	/** Half the width of the cone (rad). */
	readonly angle: number;
}

export interface LoadedModel {
	/** Corners of the box that has all of it at rest, in metres from the entity. */
	readonly low: Vector;
	readonly high: Vector;
	/** Meshes that it shows. */
	readonly meshes: number;
	/** Names of what bone masks number: the joints of the first skin, or its nodes where it has no skin. */
	readonly joints: readonly string[];
	readonly skinned: boolean;
	readonly clips: readonly Clip[];
	readonly lights: readonly ModelLight[];
	/** True if any of it has a surface. */
	readonly drawable: boolean;
	/** Everything that the view leaves out, each as a noun phrase. */
	readonly undrawn: readonly string[];
}

/**
 * Returns the facts about the model that a mesh's name leads to; null while it is missing, or if it is not a model.
 */
export function modelNamed(world: World, name: string): (LoadedModel & { readonly hash: string }) | null {
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

const cache = new WeakMap<Uint8Array, LoadedModel>();

/** Returns the facts about the model in these bytes. `what` names it in the refusal: throws `asset_refused`. */
export function modelOf(bytes: Uint8Array, what: string): LoadedModel {
	let model = cache.get(bytes);
	if (model === undefined) {
		model = read(gltfOf(bytes, what));
		cache.set(bytes, model);
	}
	return model;
}

function read(gltf: Gltf): LoadedModel {
	const { json } = gltf;
	const placed = placedMeshes(gltf);
	const low: [number, number, number] = [Infinity, Infinity, Infinity];
	const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
	for (const { mesh, matrix } of placed)
		for (const { attributes } of json.meshes[mesh]!.primitives) {
			const [from, to] = reach(gltf, attributes.POSITION!);
			for (let corner = 0; corner < 8; corner++) {
				const [x, y, z] = [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? to : from)[axis]!);
				const point = transformPoint(matrix, x!, y!, z!);
				for (let axis = 0; axis < 3; axis++) {
					low[axis] = Math.min(low[axis]!, point[axis]!);
					high[axis] = Math.max(high[axis]!, point[axis]!);
				}
			}
		}
	const [skin] = json.skins;
	const ends = new Map<number, number>();
	const end = (input: number): number => {
		const last = ends.get(input) ?? lastOf(gltf, input);
		ends.set(input, last);
		return last;
	};
	const rest = restMatrices(gltf);
	const joints = skin?.joints ?? [...rest.keys()].sort((a, b) => a - b);
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
		lights: lightsOf(gltf, rest),
		drawable: placed.some(({ mesh }) => json.meshes[mesh]!.primitives.some(({ mode }) => mode >= TRIANGLES)),
		undrawn: undrawnOf(gltf, placed),
	};
}

function lightsOf({ json }: Gltf, rest: ReadonlyMap<number, Matrix>): ModelLight[] {
	const { lights = [] } = json.extensions.KHR_lights_punctual ?? {};
	return [...rest].flatMap(([node, m]): ModelLight[] => {
		const light = lights[json.nodes[node]!.extensions.KHR_lights_punctual?.light ?? -1];
		if (light === undefined || light.type === 'directional') return [];
		const { type, color, intensity, range, spot } = light;
		return [
			{
				kind: type,
				position: [m[12]!, m[13]!, m[14]!],
				direction: [-m[8]!, -m[9]!, -m[10]!],
				color: [color[0]!, color[1]!, color[2]!],
				intensity,
				range: range ?? 0,
				angle: spot.outerConeAngle,
			},
		];
	});
}

/** Returns the least and the greatest of positions on each axis: the accessor says them, as the format demands. */
function reach(gltf: Gltf, index: number): readonly [readonly number[], readonly number[]] {
	const { min, max, normalized, componentType } = gltf.json.accessors[index]!;
	if (min?.length === 3 && max?.length === 3) {
		const whole = normalized ? WHOLE[componentType] : 1;
		return [min.map((number) => number / whole), max.map((number) => number / whole)];
	}
	if (!isReadable(gltf, index))
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

/** Returns the last of the times of a sampler. */
function lastOf(gltf: Gltf, index: number): number {
	if (isReadable(gltf, index)) return numbersOf(gltf, index).at(-1) ?? 0;
	return gltf.json.accessors[index]!.max?.[0] ?? 0;
}
