/**
 * Bones of a model: its moving nodes, and the bones that its vertices follow.
 * Owns: the rig from which poses are computed, and the tracks of clips.
 */

import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import {
	type BufferGeometry,
	type KeyframeTrack,
	Matrix4,
	type Mesh,
	type Object3D,
	type SkinnedMesh,
	Vector3,
} from 'three/webgpu';
import type { Rig, RigNode, Track } from './pose.ts';

export const isMesh = (object: Object3D): object is Mesh => (object as Partial<Mesh>).isMesh === true;
export const isSkinned = (mesh: Mesh): mesh is SkinnedMesh =>
	(mesh as Partial<SkinnedMesh>).isSkinnedMesh === true;

/** Returns the maximum number of bones that a vertex follows. In most models it is 1. */
export function maxBonesPerVertex(geometry: BufferGeometry): number {
	let max = 0;
	for (const [index, weight] of (geometry.getAttribute('skinWeight')?.array ?? []).entries())
		if (weight !== 0) max = Math.max(max, (index % 4) + 1);
	return max;
}

const isNegative = (value: number): boolean => value < 0;

/** Moving nodes of a model, and the bones that its vertices follow. */
export class Bones {
	/** True if a part of the model can move: the model has a skin or clips. */
	readonly canMove: boolean;
	/** True if a clip scales a node below zero, or a node whose scale is below zero at rest. */
	readonly canFlip: boolean;
	readonly rig: Rig;
	readonly #bones: { readonly node: number; readonly inverse: number[]; radius: number }[] = [];
	readonly #nodes = new Map<Object3D, number>();
	readonly #firstWeights = new Map<Object3D, number>();
	readonly #indexes = new Map<string, number>();

	constructor({ scene, animations, parser }: GLTF) {
		const nodes: RigNode[] = [];
		const morphs: Rig['morphs'][number][] = [];
		let hasSkin = false;
		let weights = 0;
		scene.traverse((object) => {
			if (isMesh(object) && isSkinned(object)) hasSkin = true;
			const { position, quaternion, scale, parent } = object;
			this.#nodes.set(object, nodes.length);
			const rest = isMesh(object) ? (object.morphTargetInfluences ?? []) : [];
			if (rest.length > 0) {
				this.#firstWeights.set(object, weights);
				morphs.push({ node: nodes.length, firstWeight: weights, rest: [...rest] });
				weights += rest.length;
			}
			nodes.push({
				name: object.name === '' ? object.uuid : object.name,
				fileIndex: parser.associations.get(object)?.nodes ?? -1,
				parent: parent === null ? -1 : (this.#nodes.get(parent) ?? -1),
				rest: new Float32Array([...position.toArray(), ...quaternion.toArray(), ...scale.toArray()]),
			});
		});
		const skins = parser.json.skins as readonly { readonly joints: readonly number[] }[] | undefined;
		const nodeIndexes = nodes.map(({ fileIndex: index }) => index).filter((place) => place >= 0);
		const joints = skins?.[0]?.joints ?? [...new Set(nodeIndexes)].sort((a, b) => a - b);
		this.canMove = hasSkin || animations.length > 0;
		const mirroredNames = new Set(
			nodes.filter(({ rest }) => rest.subarray(7).some(isNegative)).map(({ name }) => name),
		);
		this.canFlip = animations
			.flatMap(({ tracks }) => tracks)
			.filter(({ name }) => name.endsWith('.scale'))
			.some(
				({ name, values }) => mirroredNames.has(name.slice(0, -'.scale'.length)) || values.some(isNegative),
			);
		this.rig = { nodes, bones: this.#bones, morphs, joints };
	}

	/** Returns true if the morph targets of a mesh can move. */
	hasMovingMorphs(mesh: Mesh): boolean {
		return this.canMove && this.#firstWeights.has(mesh);
	}

	/** Returns the index of the rig's weight for the first target of a mesh. */
	firstWeightOf(mesh: Mesh): number {
		return this.#firstWeights.get(mesh) ?? 0;
	}

	/** Appends four bones and their weights for each vertex of a mesh. */
	addBoneWeights(mesh: Mesh, index: number[], weight: number[]): void {
		const { count } = mesh.geometry.getAttribute('position');
		if (!isSkinned(mesh)) {
			const bone = this.#boneIndex(mesh, new Matrix4());
			for (let i = 0; i < count; i++) {
				index.push(bone, 0, 0, 0);
				weight.push(1, 0, 0, 0);
			}
			return;
		}
		const { bones, boneInverses } = mesh.skeleton;
		const boneIndexes = bones.map((bone, index) => this.#boneIndex(bone, boneInverses[index]!));
		const [skinIndex, skinWeight] = [
			mesh.geometry.getAttribute('skinIndex'),
			mesh.geometry.getAttribute('skinWeight'),
		];
		for (let i = 0; i < count; i++)
			for (let slot = 0; slot < 4; slot++) {
				index.push(boneIndexes[skinIndex.getComponent(i, slot)] ?? 0);
				weight.push(skinWeight.getComponent(i, slot));
			}
	}

	/** Extends the radius of each bone to the vertices that follow it. */
	measureRadii(positions: readonly number[], index: readonly number[], weight: readonly number[]): void {
		const point = new Vector3();
		const matrix = new Matrix4();
		for (let entry = 0; entry < index.length; entry++) {
			if (weight[entry] === 0) continue;
			const bone = this.#bones[index[entry]!]!;
			point.fromArray(positions, (entry >> 2) * 3).applyMatrix4(matrix.fromArray(bone.inverse));
			bone.radius = Math.max(bone.radius, point.length());
		}
	}

	#boneIndex(object: Object3D, inverse: Matrix4): number {
		const node = this.#nodes.get(object) ?? 0;
		const key = `${node} ${inverse.elements.join()}`;
		let bone = this.#indexes.get(key);
		if (bone === undefined) {
			bone = this.#bones.push({ node, inverse: inverse.toArray(), radius: 0 }) - 1;
			this.#indexes.set(key, bone);
		}
		return bone;
	}
}

const PATHS = {
	position: 'place',
	quaternion: 'turn',
	scale: 'size',
	morphTargetInfluences: 'weights',
} as const;

/** Converts a track for poses. Returns an empty list if poses do not use the property. */
export function trackOf(track: KeyframeTrack): Track[] {
	const dot = track.name.lastIndexOf('.');
	const path = PATHS[track.name.slice(dot + 1) as keyof typeof PATHS];
	if (path === undefined) return [];
	const interpolant = (
		track as KeyframeTrack & { createInterpolant(): { evaluate(seconds: number): ArrayLike<number> } }
	).createInterpolant();
	const maxLength = maxLengthOf(track, path === 'place' ? 3 : 1);
	return [
		{
			node: track.name.slice(0, dot),
			path,
			valuesAt: (seconds) => interpolant.evaluate(seconds),
			maxLength: maxLength,
		},
	];
}

/**
 * Returns the maximum length of `size` consecutive numbers of a track. A cubic spline also has tangents, so
 * twice the length is returned.
 */
function maxLengthOf({ times, values }: KeyframeTrack, size: number): number {
	let maxLength = 0;
	for (let start = 0; start + size <= values.length; start += size)
		maxLength = Math.max(maxLength, Math.hypot(...values.subarray(start, start + size)));
	return values.length > times.length * 4 ? maxLength * 2 : maxLength;
}
