/**
 * Makes models of bytes: three.js's loader, with decoders for meshopt and Draco that come with the page.
 * Owns: dealing the triangles of a model out to one part for each of its surfaces, where they are at rest. The file is long
 * because vertices, bones and surfaces of one model are read together.
 * Never: asks the network for anything but the page's own decoder.
 */

import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import {
	type GLTF,
	GLTFLoader,
	type GLTFLoaderPlugin,
	type GLTFParser,
} from 'three/addons/loaders/GLTFLoader.js';
import dracoBytes from 'three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url';
import dracoScript from 'three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js?url';
import {
	Box3,
	BufferAttribute,
	BufferGeometry,
	Color,
	FrontSide,
	type KeyframeTrack,
	type Material,
	Matrix3,
	Matrix4,
	type Mesh,
	MeshBasicMaterial,
	MeshPhysicalMaterial,
	MeshStandardMaterial,
	type Object3D,
	type SkinnedMesh,
	Texture,
	Vector3,
} from 'three/webgpu';
import type { ImageSize } from '../../shared/documents/image-size.ts';
import type { DrawnModel, ModelPart, Morph, PartLook } from './models.ts';
import { addRestNormal, morphOf } from './morph-targets.ts';
import { type PixelRoom, resized } from './pixel-room.ts';
import type { Rig, RigNode, Track } from './pose.ts';

let loader: GLTFLoader | undefined;

function gltfLoader(): GLTFLoader {
	if (loader === undefined) {
		const draco = new DRACOLoader().setDecoderPath({ js: dracoScript, wasm: dracoBytes }).setWorkerLimit(1);
		loader = new GLTFLoader()
			.setMeshoptDecoder(MeshoptDecoder)
			.setDRACOLoader(draco)
			.register(withoutAvif)
			.register(withoutPicture);
	}
	return loader;
}

/** Replaces the loader's own plugin: a texture is drawn with the PNG, JPEG or WebP whose size the engine has checked. */
const withoutAvif = (): GLTFLoaderPlugin => ({ name: 'EXT_texture_avif' });

/** A texture without such a picture is none; the loader would refuse the model. */
const withoutPicture = ({ json }: GLTFParser): GLTFLoaderPlugin => ({
	name: 'without-picture',
	loadTexture: (index) =>
		json.textures[index].source === undefined ? (Promise.resolve(null) as unknown as Promise<Texture>) : null,
});

/** The model that bytes are, or null where the loader finds more fault with them than the engine did. */
export async function loadModel(bytes: Uint8Array, room: PixelRoom): Promise<DrawnModel | null> {
	try {
		const model = drawnOf(await gltfLoader().parseAsync(bytes.slice().buffer, ''));
		return model && (await withRoom(model, room));
	} catch (error) {
		console.warn('A model cannot be drawn.', error);
		return null;
	}
}

/** A model whose pictures are as large as there is room for. */
async function withRoom(model: DrawnModel, room: PixelRoom): Promise<DrawnModel> {
	const sizes: ImageSize[] = [];
	const sources = new Set([...picturesOf(model.parts)].map(({ source }) => source));
	for (const source of sources) {
		if (!(source.data instanceof ImageBitmap)) continue;
		const size = room.take(source.data);
		sizes.push(size);
		source.data = await resized(source.data, size);
	}
	return {
		...model,
		dispose: () => {
			model.dispose();
			for (const size of sizes) room.give(size);
		},
	};
}

function picturesOf(parts: readonly ModelPart[]): Set<Texture> {
	const maps = parts.flatMap(({ look }) => [...Object.values(look), ...Object.values(look.physical ?? {})]);
	return new Set(maps.filter((map) => map instanceof Texture));
}

function drawnOf(gltf: GLTF): DrawnModel | null {
	const { scene } = gltf;
	scene.updateMatrixWorld(true);
	const bones = new Bones(gltf);
	const surfaces = new Map<Material, PartBuilder>();
	const builders: { readonly material: Material; readonly builder: PartBuilder }[] = [];
	scene.traverse((object) => {
		if (!isMesh(object)) return;
		const material = object.material as Material;
		const apart = bones.morphs(object);
		let builder = apart ? undefined : surfaces.get(material);
		if (builder === undefined) {
			builder = new PartBuilder(bones);
			if (!apart) surfaces.set(material, builder);
			builders.push({ material, builder });
		}
		builder.add(object);
		object.geometry.dispose();
	});
	const materials = new Set(builders.map(({ material }) => material));
	const marked = [...materials].some(isTint);
	const parts = builders.map(({ material, builder }, at): ModelPart => {
		const geometry = builder.finish();
		const look = lookOf(material, geometry, !marked || isTint(material), bones.flips);
		const rest = bones.moves ? new BufferAttribute(new Float32Array(builder.rest), 3) : null;
		return { key: `${scene.uuid} ${at}`, geometry, rest, look, morph: builder.morph, flips: bones.flips };
	});
	if (parts.length === 0) return null;
	const solid = solidOf(builders.map(({ builder }) => builder));
	const { min, max } = new Box3().setFromBufferAttribute(solid.getAttribute('position') as BufferAttribute);
	return {
		parts,
		rig: bones.moves ? bones.rig : null,
		clips: gltf.animations.map(({ tracks }) => tracks.flatMap(trackOf)),
		solid,
		reach: [Math.max(-min.x, max.x, 0), Math.max(-min.y, max.y, 0), Math.max(-min.z, max.z, 0)],
		dispose: () => {
			for (const { geometry, morph } of parts) {
				geometry.dispose();
				morph?.deltas.dispose();
			}
			for (const material of materials) material.dispose();
			for (const picture of picturesOf(parts)) {
				picture.dispose();
				if (picture.image instanceof ImageBitmap) picture.image.close();
			}
		},
	};
}

/** Returns true for a material with the name that takes the colour of the entity: it alone is then coloured. */
const isTint = ({ name }: Material): boolean => name.toLowerCase() === 'tint';
const isMesh = (object: Object3D): object is Mesh => (object as Partial<Mesh>).isMesh === true;
const isSkinned = (mesh: Mesh): mesh is SkinnedMesh => (mesh as Partial<SkinnedMesh>).isSkinnedMesh === true;

/** The same triangles, each with corners and a normal of its own. */
function flat(geometry: BufferGeometry): BufferGeometry {
	const parted = geometry.index === null ? geometry : geometry.toNonIndexed();
	parted.computeVertexNormals();
	return parted;
}

/** Places on the pictures of a model: up to four for each vertex. */
const UVS = ['uv', 'uv1', 'uv2', 'uv3'] as const;

/** The vertices of all meshes with one surface, one after the other; one with morph targets that move has a builder of its own. */
class PartBuilder {
	readonly #bones: Bones;
	/** Positions of vertices at rest. */
	readonly rest: number[] = [];
	readonly #skinIndex: number[] = [];
	readonly #skinWeight: number[] = [];
	readonly #positions: number[] = [];
	readonly #normals: number[] = [];
	readonly #uvs: readonly number[][] = UVS.map(() => []);
	readonly #colors: number[] = [];
	readonly index: number[] = [];
	morph: Morph | null = null;
	readonly #has = new Set<string>();

	constructor(bones: Bones) {
		this.#bones = bones;
	}

	add(mesh: Mesh): void {
		// As the format has it, what says no normals is flat.
		if (mesh.geometry.getAttribute('normal') === undefined) mesh.geometry = flat(mesh.geometry);
		const { geometry } = mesh;
		const from = this.#positions.length / 3;
		const place = geometry.getAttribute('position');
		const { count } = place;
		const point = new Vector3();
		const { moves } = this.#bones;
		// Places and normals at the bones, or, where nothing moves, in the model.
		const still = isSkinned(mesh) ? mesh.bindMatrix : new Matrix4();
		const matrix = moves ? still : mesh.matrixWorld;
		const normals = new Matrix3().getNormalMatrix(matrix);
		const normal = geometry.getAttribute('normal');
		for (let i = 0; i < count; i++) {
			mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld);
			this.rest.push(point.x, point.y, point.z);
			if (moves) point.fromBufferAttribute(place, i).applyMatrix4(matrix);
			this.#positions.push(point.x, point.y, point.z);
			point.set(normal.getX(i), normal.getY(i), normal.getZ(i));
			if (!moves) addRestNormal(mesh, i, point);
			point.applyMatrix3(normals).normalize();
			this.#normals.push(point.x, point.y, point.z);
		}
		if (moves) this.#bones.hang(mesh, this.#skinIndex, this.#skinWeight);
		if (this.#bones.morphs(mesh)) this.morph = morphOf(mesh, matrix, normals, this.#bones.firstWeight(mesh));
		UVS.forEach((name, at) => {
			this.#pairs(geometry, name, this.#uvs[at]!, count);
		});
		const color = geometry.getAttribute('color');
		if (color !== undefined) this.#has.add('color');
		for (let i = 0; i < count; i++)
			if (color === undefined) this.#colors.push(1, 1, 1, 1);
			else
				this.#colors.push(
					color.getX(i),
					color.getY(i),
					color.getZ(i),
					color.itemSize > 3 ? color.getW(i) : 1,
				);
		const isMirrored = this.#bones.flips ? () => false : mirroredIn(mesh);
		const { index } = geometry;
		const corners = index === null ? count : index.count;
		for (let i = 0; i + 2 < corners; i += 3) {
			const at = (corner: number): number => (index === null ? corner : index.getX(corner));
			const [a, b, c] = [at(i), at(i + 1), at(i + 2)];
			const turned = isMirrored(a);
			this.index.push(from + a, from + (turned ? c : b), from + (turned ? b : c));
		}
	}

	#pairs(geometry: BufferGeometry, name: string, to: number[], count: number): void {
		const held = geometry.getAttribute(name);
		if (held !== undefined) this.#has.add(name);
		for (let i = 0; i < count; i++)
			if (held === undefined) to.push(0, 0);
			else to.push(held.getX(i), held.getY(i));
	}

	finish(): BufferGeometry {
		const geometry = new BufferGeometry();
		const set = (name: string, values: readonly number[], size: number): void => {
			geometry.setAttribute(name, new BufferAttribute(new Float32Array(values), size));
		};
		set('position', this.#positions, 3);
		set('normal', this.#normals, 3);
		UVS.forEach((name, at) => {
			if (this.#has.has(name)) set(name, this.#uvs[at]!, 2);
		});
		if (this.#has.has('color')) set('color', this.#colors, 4);
		if (this.#bones.moves) {
			this.#bones.measure(this.#positions, this.#skinIndex, this.#skinWeight);
			set('skinIndex', this.#skinIndex, 4);
			set('skinWeight', this.#skinWeight, 4);
		}
		geometry.setIndex(new BufferAttribute(new Uint32Array(this.index), 1));
		return geometry;
	}
}

/**
 * True if a mesh is inside out at one of its vertices, at rest: an odd number of axes is mirrored on the way into the model.
 * A vertex of a skin goes by the joint that has the most weight.
 */
function mirroredIn(mesh: Mesh): (vertex: number) => boolean {
	if (!isSkinned(mesh)) {
		const is = mesh.matrixWorld.determinant() < 0;
		return () => is;
	}
	const { bones, boneInverses } = mesh.skeleton;
	const matrix = new Matrix4();
	const joints = bones.map(
		(bone, at) => matrix.multiplyMatrices(bone.matrixWorld, boneInverses[at]!).determinant() < 0,
	);
	if (!joints.includes(true)) return () => false;
	const index = mesh.geometry.getAttribute('skinIndex');
	const weight = mesh.geometry.getAttribute('skinWeight');
	return (vertex) => {
		let most = 0;
		for (let at = 1; at < 4; at++)
			if (weight.getComponent(vertex, at) > weight.getComponent(vertex, most)) most = at;
		return joints[index.getComponent(vertex, most)] ?? false;
	};
}

/** Everything that moves within a model, and what its vertices hang on. */
class Bones {
	/** True if any part can: it has a skin, or clips. */
	readonly moves: boolean;
	/** True if a clip scales anything below zero, or anything that is below zero at rest. */
	readonly flips: boolean;
	readonly rig: Rig;
	readonly #bones: { readonly node: number; readonly inverse: number[]; radius: number }[] = [];
	readonly #nodes = new Map<Object3D, number>();
	readonly #firstWeights = new Map<Object3D, number>();
	readonly #known = new Map<string, number>();

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
		const all = nodes.map(({ place }) => place).filter((place) => place >= 0);
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
		let bone = this.#known.get(key);
		if (bone === undefined) {
			bone = this.#bones.push({ node, inverse: inverse.toArray(), radius: 0 }) - 1;
			this.#known.set(key, bone);
		}
		return bone;
	}
}

const isNegative = (value: number): boolean => value < 0;

const PATHS = {
	position: 'place',
	quaternion: 'turn',
	scale: 'size',
	morphTargetInfluences: 'weights',
} as const;

/** A track as poses read it; what is none of theirs is left out. */
function trackOf(track: KeyframeTrack): Track[] {
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

/** The triangles of all parts, where they are at rest. */
function solidOf(parts: readonly PartBuilder[]): BufferGeometry {
	const [positions, index]: [number[], number[]] = [[], []];
	for (const part of parts) {
		const from = positions.length / 3;
		for (const value of part.rest) positions.push(value);
		for (const corner of part.index) index.push(from + corner);
	}
	const solid = new BufferGeometry();
	solid.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
	solid.setIndex(new BufferAttribute(new Uint32Array(index), 1));
	return solid;
}

function lookOf(material: Material, geometry: BufferGeometry, painted: boolean, flips: boolean): PartLook {
	const { map, color } = material as MeshStandardMaterial;
	const usual = {
		color,
		painted,
		map,
		tinted: geometry.getAttribute('color') !== undefined,
		doubleSided: flips || material.side !== FrontSide,
		alpha: material.transparent ? 'blend' : material.alphaTest > 0 ? 'mask' : 'opaque',
		opacity: material.opacity,
		cutoff: material.alphaTest,
		unlit: material instanceof MeshBasicMaterial,
		physical: material instanceof MeshPhysicalMaterial ? material : null,
	} as const;
	if (!(material instanceof MeshStandardMaterial))
		return {
			...usual,
			metallic: 0,
			roughness: 1,
			roughMap: null,
			emissive: new Color(0, 0, 0),
			emissiveMap: null,
			normalMap: null,
			normalScale: 1,
			occlusionMap: null,
			occlusion: 1,
		};
	const { metalness, roughness, roughnessMap, emissive, emissiveIntensity, emissiveMap, normalMap, aoMap } =
		material;
	return {
		...usual,
		metallic: metalness,
		roughness,
		roughMap: roughnessMap,
		emissive: emissive.clone().multiplyScalar(emissiveIntensity),
		emissiveMap,
		normalMap,
		normalScale: material.normalScale.x,
		occlusionMap: aoMap,
		occlusion: material.aoMapIntensity,
	};
}
