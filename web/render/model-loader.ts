/**
 * Creates models from bytes with three.js's loader, and decoders for meshopt and Draco that come with the page.
 * Owns: the division of a model's triangles into one part per surface. `model-surface.ts` and
 * `model-bones.ts` read its vertices and bones.
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
import { Bones, isMesh, maxBonesPerVertex, trackOf } from './model-bones.ts';
import { levelsOf } from './model-levels.ts';
import { storeOpenness } from './model-openness.ts';
import { PartBuilder, solidOf } from './model-surface.ts';
import type { DrawnModel, ModelPart, PartLook } from './models.ts';
import { type PixelBudget, resizePicture } from './pixel-room.ts';

let loader: GLTFLoader | undefined;

function gltfLoader(): GLTFLoader {
	if (loader === undefined) {
		const draco = new DRACOLoader().setDecoderPath({ js: dracoScript, wasm: dracoBytes }).setWorkerLimit(1);
		loader = new GLTFLoader()
			.setMeshoptDecoder(MeshoptDecoder)
			.setDRACOLoader(draco)
			.register(disableAvif)
			.register(skipTexturesWithoutPicture);
	}
	return loader;
}

/**
 * Replaces the loader's plugin for AVIF. A texture then uses the PNG, JPEG or WebP whose size the engine has
 * checked.
 */
const disableAvif = (): GLTFLoaderPlugin => ({ name: 'EXT_texture_avif' });

/** Ignores a texture without such a picture. The loader would otherwise refuse the model. */
const skipTexturesWithoutPicture = ({ json }: GLTFParser): GLTFLoaderPlugin => ({
	name: 'without-picture',
	loadTexture: (index) =>
		json.textures[index].source === undefined ? (Promise.resolve(null) as unknown as Promise<Texture>) : null,
});

/** Loads a model from its bytes; null if the loader finds a fault that the engine's check did not. */
export async function loadModel(bytes: Uint8Array, room: PixelBudget): Promise<DrawnModel | null> {
	try {
		const model = await convertModel(await gltfLoader().parseAsync(bytes.slice().buffer, ''));
		return model && (await shrinkPictures(model, room));
	} catch (error) {
		console.warn('A model cannot be drawn.', error);
		return null;
	}
}

/** Reduces the pictures of a model to the sizes that the budget permits. */
async function shrinkPictures(model: DrawnModel, room: PixelBudget): Promise<DrawnModel> {
	const sizes: ImageSize[] = [];
	const sources = new Set([...picturesOf(model.parts)].map(({ source }) => source));
	for (const source of sources) {
		if (!(source.data instanceof ImageBitmap)) continue;
		const size = room.reserve(source.data);
		sizes.push(size);
		source.data = await resizePicture(source.data, size);
	}
	return {
		...model,
		dispose: () => {
			model.dispose();
			for (const size of sizes) room.release(size);
		},
	};
}

function picturesOf(parts: readonly ModelPart[]): Set<Texture> {
	const maps = parts.flatMap(({ look }) => [...Object.values(look), ...Object.values(look.physical ?? {})]);
	return new Set(maps.filter((map) => map instanceof Texture));
}

async function convertModel(gltf: GLTF): Promise<DrawnModel | null> {
	const { scene } = gltf;
	scene.updateMatrixWorld(true);
	const bones = new Bones(gltf);
	const surfaces = new Map<Material, PartBuilder>();
	const builders: { readonly material: Material; readonly builder: PartBuilder }[] = [];
	scene.traverse((object) => {
		if (!isMesh(object)) return;
		const material = object.material as Material;
		const hasOwnMorphs = bones.hasMovingMorphs(object);
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
	const hasTint = [...materials].some(isTint);
	if (builders.length === 0) return null;
	const solid = solidOf(builders.map(({ builder }) => builder));
	const box = new Box3().setFromBufferAttribute(solid.getAttribute('position') as BufferAttribute);
	const bodies = builders.map(({ builder }) => ({
		geometry: builder.finish(),
		rest: bones.canMove ? new BufferAttribute(new Float32Array(builder.rest), 3) : null,
		morph: builder.morph,
	}));
	storeOpenness(bodies, box);
	const { errors, indices } = await levelsOf(bodies, Math.max(...box.getSize(new Vector3())));
	const parts = builders.map(({ material }, index): ModelPart => {
		const body = bodies[index]!;
		const look = partLook(material, body.geometry, !hasTint || isTint(material), bones.canFlip);
		const bonesEach = maxBonesPerVertex(body.geometry);
		return {
			...body,
			key: `${scene.uuid} ${index}`,
			look,
			levels: indices[index]!,
			bonesPerVertex: bonesEach,
			canFlip: bones.canFlip,
		};
	});
	const { min, max } = box;
	return {
		parts,
		rig: bones.canMove ? bones.rig : null,
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

/**
 * Returns true for a material named "tint". If a model has one, the colour of the entity applies only to it.
 */
const isTint = ({ name }: Material): boolean => name.toLowerCase() === 'tint';
function partLook(
	material: Material,
	geometry: BufferGeometry,
	isPainted: boolean,
	canFlip: boolean,
): PartLook {
	const { map, color } = material as MeshStandardMaterial;
	const common = {
		color,
		isPainted,
		map,
		hasVertexColors: geometry.getAttribute('color') !== undefined,
		isDoubleSided: canFlip || material.side !== FrontSide,
		alpha: material.transparent ? 'blend' : material.alphaTest > 0 ? 'mask' : 'opaque',
		opacity: material.opacity,
		cutoff: material.alphaTest,
		isUnlit: material instanceof MeshBasicMaterial,
		physical: material instanceof MeshPhysicalMaterial ? material : null,
	} as const;
	if (!(material instanceof MeshStandardMaterial))
		return {
			...common,
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
		...common,
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
