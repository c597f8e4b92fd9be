/**
 * Creates models from bytes with three.js's loader, and decoders for meshopt and Draco that come with the page.
 * Owns: the division of a model's triangles into one part per surface. `model-surface.ts` and `model-bones.ts` read its vertices and
 * bones.
 * Never: requests anything from the network except the page's own decoder.
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
	type BufferGeometry,
	Color,
	FrontSide,
	type Material,
	MeshBasicMaterial,
	MeshPhysicalMaterial,
	MeshStandardMaterial,
	Texture,
	Vector3,
} from 'three/webgpu';
import type { ImageSize } from '../../shared/documents/image-size.ts';
import { Bones, bonesOfEach, isMesh, trackOf } from './model-bones.ts';
import { levelsOf } from './model-levels.ts';
import { open } from './model-openness.ts';
import { PartBuilder, solidOf } from './model-surface.ts';
import type { DrawnModel, ModelPart, PartLook } from './models.ts';
import { type PixelRoom, resized } from './pixel-room.ts';

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

/** Replaces the loader's plugin for AVIF. A texture then uses the PNG, JPEG or WebP whose size the engine has checked. */
const withoutAvif = (): GLTFLoaderPlugin => ({ name: 'EXT_texture_avif' });

/** Ignores a texture without such a picture, for which the loader would refuse the model. */
const withoutPicture = ({ json }: GLTFParser): GLTFLoaderPlugin => ({
	name: 'without-picture',
	loadTexture: (index) =>
		json.textures[index].source === undefined ? (Promise.resolve(null) as unknown as Promise<Texture>) : null,
});

/** Loads a model from its bytes; null if the loader finds a fault that the engine's check did not. */
export async function loadModel(bytes: Uint8Array, room: PixelRoom): Promise<DrawnModel | null> {
	try {
		const model = await drawnOf(await gltfLoader().parseAsync(bytes.slice().buffer, ''));
		return model && (await withRoom(model, room));
	} catch (error) {
		console.warn('A model cannot be drawn.', error);
		return null;
	}
}

/** Reduces the pictures of a model to the size for which there is room. */
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

async function drawnOf(gltf: GLTF): Promise<DrawnModel | null> {
	const { scene } = gltf;
	scene.updateMatrixWorld(true);
	const bones = new Bones(gltf);
	const surfaces = new Map<Material, PartBuilder>();
	const builders: { readonly material: Material; readonly builder: PartBuilder }[] = [];
	scene.traverse((object) => {
		if (!isMesh(object)) return;
		const material = object.material as Material;
		const hasOwnMorphs = bones.morphs(object);
		let builder = hasOwnMorphs ? undefined : surfaces.get(material);
		if (builder === undefined) {
			builder = new PartBuilder(bones);
			if (!hasOwnMorphs) surfaces.set(material, builder);
			builders.push({ material, builder });
		}
		builder.add(object);
		object.geometry.dispose();
	});
	const materials = new Set(builders.map(({ material }) => material));
	const marked = [...materials].some(isTint);
	if (builders.length === 0) return null;
	const solid = solidOf(builders.map(({ builder }) => builder));
	const box = new Box3().setFromBufferAttribute(solid.getAttribute('position') as BufferAttribute);
	const bodies = builders.map(({ builder }) => ({
		geometry: builder.finish(),
		rest: bones.moves ? new BufferAttribute(new Float32Array(builder.rest), 3) : null,
		morph: builder.morph,
	}));
	open(bodies, box);
	const { errors, indices } = await levelsOf(bodies, Math.max(...box.getSize(new Vector3())));
	const parts = builders.map(({ material }, at): ModelPart => {
		const body = bodies[at]!;
		const look = lookOf(material, body.geometry, !marked || isTint(material), bones.flips);
		const bonesEach = bonesOfEach(body.geometry);
		return { ...body, key: `${scene.uuid} ${at}`, look, levels: indices[at]!, bonesEach, flips: bones.flips };
	});
	const { min, max } = box;
	return {
		parts,
		rig: bones.moves ? bones.rig : null,
		clips: gltf.animations.map(({ tracks }) => tracks.flatMap(trackOf)),
		solid,
		reach: [Math.max(-min.x, max.x, 0), Math.max(-min.y, max.y, 0), Math.max(-min.z, max.z, 0)],
		detail: { triangles: solid.index!.count / 3, errors },
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

/** Returns true for a material named "tint". If a model has one, the colour of the entity applies only to it. */
const isTint = ({ name }: Material): boolean => name.toLowerCase() === 'tint';
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
