/**
 * Bones of a model: everything that moves within it, and what its vertices hang on.
 * Owns: the rig that poses are read from, and the tracks of clips.
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

/** Returns the number of bones that a vertex follows, at most: most models have one for each. */
export function bonesOfEach(geometry: BufferGeometry): number {
	let each = 0;
	for (const [at, weight] of (geometry.getAttribute('skinWeight')?.array ?? []).entries())
		if (weight !== 0) each = Math.max(each, (at % 4) + 1);
	return each;
}

const isNegative = (value: number): boolean => value < 0;

/** Everything that moves within a model, and what its vertices hang on. */
export class Bones {
	/** True if any part can: it has a skin, or clips. */
	readonly moves: boolean;
	/** True if a clip scales anything below zero, or anything that is below zero at rest. */
	readonly flips: boolean;
	readonly rig: Rig;
	readonly #bones: { readonly node: number; readonly inverse: number[]; radius: number }[] = [];
	readonly #nodes = new Map<Object3D, number>();
	readonly #firstWeights = new Map<Object3D, number>();
	readonly #indexes = new Map<string, number>();

	constructor({ scene, animations, parser }: GLTF) {
		const nodes: RigNode[] = [];
		const morphs: Rig['morphs'][number][] = [];
		let skinned = false;
		let weights = 0;
		scene.traverse((object) => {
			if (isMesh(object) && isSkinned(object)) skinned = true;
			const { position, quaternion, scale, parent } = object;
			this.#nodes.set(object, nodes.length);
			const rest = isMesh(object) ? (object.morphTargetInfluences ?? []) : [];
			if (rest.length > 0) {
				this.#firstWeights.set(object, weights);
				morphs.push({ node: nodes.length, first: weights, rest: [...rest] });
				weights += rest.length;
			}
			nodes.push({
				name: object.name === '' ? object.uuid : object.name,
				place: parser.associations.get(object)?.nodes ?? -1,
				parent: parent === null ? -1 : (this.#nodes.get(parent) ?? -1),
				rest: new Float32Array([...position.toArray(), ...quaternion.toArray(), ...scale.toArray()]),
			});
		});
		const skins = parser.json.skins as readonly { readonly joints: readonly number[] }[] | undefined;
		const all = nodes.map(({ place: index }) => index).filter((place) => place >= 0);
		const joints = skins?.[0]?.joints ?? [...new Set(all)].sort((a, b) => a - b);
		this.moves = skinned || animations.length > 0;
		const mirrored = new Set(
			nodes.filter(({ rest }) => rest.subarray(7).some(isNegative)).map(({ name }) => name),
		);
		this.flips = animations
			.flatMap(({ tracks }) => tracks)
			.filter(({ name }) => name.endsWith('.scale'))
			.some(({ name, values }) => mirrored.has(name.slice(0, -'.scale'.length)) || values.some(isNegative));
		this.rig = { nodes, bones: this.#bones, morphs, joints };
	}

	/** Returns true if the morph targets of a mesh move; else they stay at rest. */
	morphs(mesh: Mesh): boolean {
		return this.moves && this.#firstWeights.has(mesh);
	}

	/** Returns the index of the rig's weight for the first target of a mesh. */
	firstWeight(mesh: Mesh): number {
		return this.#firstWeights.get(mesh) ?? 0;
	}

	/** Says for each vertex of a mesh which bones it hangs on, and how much. */
	hang(mesh: Mesh, index: number[], weight: number[]): void {
		const { count } = mesh.geometry.getAttribute('position');
		if (!isSkinned(mesh)) {
			const bone = this.#bone(mesh, new Matrix4());
			for (let i = 0; i < count; i++) {
				index.push(bone, 0, 0, 0);
				weight.push(1, 0, 0, 0);
			}
			return;
		}
		const { bones, boneInverses } = mesh.skeleton;
		const of = bones.map((bone, at) => this.#bone(bone, boneInverses[at]!));
		const [which, share] = [
			mesh.geometry.getAttribute('skinIndex'),
			mesh.geometry.getAttribute('skinWeight'),
		];
		for (let i = 0; i < count; i++)
			for (let at = 0; at < 4; at++) {
				index.push(of[which.getComponent(i, at)] ?? 0);
				weight.push(share.getComponent(i, at));
			}
	}

	/** Takes in how far vertices are from the bones that they follow. */
	measure(positions: readonly number[], index: readonly number[], weight: readonly number[]): void {
		const point = new Vector3();
		const matrix = new Matrix4();
		for (let at = 0; at < index.length; at++) {
			if (weight[at] === 0) continue;
			const bone = this.#bones[index[at]!]!;
			point.fromArray(positions, (at >> 2) * 3).applyMatrix4(matrix.fromArray(bone.inverse));
			bone.radius = Math.max(bone.radius, point.length());
		}
	}

	#bone(object: Object3D, inverse: Matrix4): number {
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

/** Returns a track as poses read it; what is none of theirs is left out. */
export function trackOf(track: KeyframeTrack): Track[] {
	const dot = track.name.lastIndexOf('.');
	const path = PATHS[track.name.slice(dot + 1) as keyof typeof PATHS];
	if (path === undefined) return [];
	const between = (
		track as KeyframeTrack & { createInterpolant(): { evaluate(seconds: number): ArrayLike<number> } }
	).createInterpolant();
	const far = farthest(track, path === 'place' ? 3 : 1);
	return [{ node: track.name.slice(0, dot), path, at: (seconds) => between.evaluate(seconds), far }];
}

/** Greatest length of `size` numbers in a row of a track. Between keys of a cubic spline, which has its tangents there, it may be twice that. */
function farthest({ times, values }: KeyframeTrack, size: number): number {
	let far = 0;
	for (let at = 0; at + size <= values.length; at += size)
		far = Math.max(far, Math.hypot(...values.subarray(at, at + size)));
	return values.length > times.length * 4 ? far * 2 : far;
}
