/**
 * Facts about a model that are needed without drawing it: size, joints, clips, lights.
 * Owns: reading them from the bytes of the model, once for all readers.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import type { Vector } from '../core/math/vector.ts';
import type { World } from '../core/world.ts';
import { isReadable, NORMALIZED_MAX, numbersOf } from './accessors.ts';
import { undrawnPartsOf } from './drawing.ts';
import { gltfOf } from './gltf.ts';
import { type Gltf, TRIANGLES } from './gltf-document.ts';
import { type Matrix, transformPoint } from './matrix.ts';
import { placedMeshes, restMatrices } from './placed-meshes.ts';

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
	/** Linear red, green and blue. */
	readonly color: Vector;
	/** Candela. */
	readonly intensity: number;
	/** Metres; 0 for an unlimited range. */
	readonly range: number;
	/** Half the width of the cone (rad). */
	readonly angle: number;
}

export interface LoadedModel {
	/** Corners of the bounding box at rest, in metres from the entity. */
	readonly low: Vector;
	readonly high: Vector;
	/** Number of visible meshes. */
	readonly meshes: number;
	/** Names by the numbers that bone masks use: joints of the first skin, or nodes if there is no skin. */
	readonly joints: readonly string[];
	readonly skinned: boolean;
	readonly clips: readonly Clip[];
	readonly lights: readonly ModelLight[];
	/** True if the model has at least one triangle. */
	readonly drawable: boolean;
	/** Parts that the view does not draw, each as a noun phrase. */
	readonly undrawn: readonly string[];
}

/**
 * Returns the facts about the model that a mesh name refers to; null while the model is missing, or if the file is not a
 * model.
 */
export function findModel(world: World, name: string): (LoadedModel & { readonly hash: string }) | null {
	const hash = world.assets.lastHashOf(name);
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

/** Returns the facts about the model in these bytes. Throws `asset_refused`. `label`: name of the model in the error. */
export function modelOf(bytes: Uint8Array, label: string): LoadedModel {
	let model = cache.get(bytes);
	if (model === undefined) {
		model = readFacts(gltfOf(bytes, label));
		cache.set(bytes, model);
	}
	return model;
}

function readFacts(gltf: Gltf): LoadedModel {
	const { json } = gltf;
	const placed = placedMeshes(gltf);
	const low: [number, number, number] = [Infinity, Infinity, Infinity];
	const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
	for (const { mesh, matrix } of placed)
		for (const { attributes } of json.meshes[mesh]!.primitives) {
			const [from, to] = positionRange(gltf, attributes.POSITION!);
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
	const lastTimes = new Map<number, number>();
	const lastTimeAt = (input: number): number => {
		const lastTime = lastTimes.get(input) ?? lastTimeOf(gltf, input);
		lastTimes.set(input, lastTime);
		return lastTime;
	};
	const restMatrixByNode = restMatrices(gltf);
	const joints = skin?.joints ?? [...restMatrixByNode.keys()].sort((a, b) => a - b);
	return {
		low,
		high,
		meshes: new Set(placed.map(({ mesh }) => mesh)).size,
		joints: joints.map((node) => json.nodes[node]!.name ?? `node ${node}`),
		skinned: skin !== undefined,
		clips: json.animations.map(({ name, channels, samplers }, index) => ({
			name: name ?? `clip ${index}`,
			duration: samplers.reduce((longest, { input }) => Math.max(longest, lastTimeAt(input)), 0),
			channels: channels.length,
		})),
		lights: lightsOf(gltf, restMatrixByNode),
		drawable: placed.some(({ mesh }) => json.meshes[mesh]!.primitives.some(({ mode }) => mode >= TRIANGLES)),
		undrawn: undrawnPartsOf(gltf, placed),
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

/**
 * Returns the minimum and maximum of positions on each axis. Most accessors state them, as the format demands; else they
 * are computed.
 */
function positionRange(gltf: Gltf, index: number): readonly [readonly number[], readonly number[]] {
	const { min, max, normalized, componentType } = gltf.json.accessors[index]!;
	if (min?.length === 3 && max?.length === 3) {
		const divisor = normalized ? NORMALIZED_MAX[componentType] : 1;
		return [min.map((number) => number / divisor), max.map((number) => number / divisor)];
	}
	if (!isReadable(gltf, index))
		return [
			[-0.5, -0.5, -0.5],
			[0.5, 0.5, 0.5],
		];
	const points = numbersOf(gltf, index);
	const reduceAxis = (axis: number, pick: (a: number, b: number) => number): number => {
		let picked = points[axis]!;
		for (let i = axis; i < points.length; i += 3) picked = pick(picked, points[i]!);
		return picked;
	};
	return [
		[0, 1, 2].map((axis) => reduceAxis(axis, Math.min)),
		[0, 1, 2].map((axis) => reduceAxis(axis, Math.max)),
	];
}

/** Returns the last time of a sampler (s). */
function lastTimeOf(gltf: Gltf, index: number): number {
	if (isReadable(gltf, index)) return numbersOf(gltf, index).at(-1) ?? 0;
	return gltf.json.accessors[index]!.max?.[0] ?? 0;
}
