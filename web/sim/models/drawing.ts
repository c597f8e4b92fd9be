/**
 * The parts of a model that are drawn, and those that are not.
 * Owns: the extensions that the view draws, the picture that each texture has, and the words for what is left out.
 * Never: draws.
 */

import type { Gltf, GltfDocument } from './gltf-document.ts';
import type { PlacedMesh } from './placed-meshes.ts';

type Material = GltfDocument['materials'][number];
type Texture = GltfDocument['textures'][number];

/** Extensions that a model may require. */
export const DRAWN_EXTENSIONS: readonly string[] = [
	'EXT_meshopt_compression',
	'EXT_texture_webp',
	'KHR_draco_mesh_compression',
	'KHR_lights_punctual',
	'KHR_materials_anisotropy',
	'KHR_materials_clearcoat',
	'KHR_materials_diffuse_roughness',
	'KHR_materials_emissive_strength',
	'KHR_materials_ior',
	'KHR_materials_iridescence',
	'KHR_materials_sheen',
	'KHR_materials_specular',
	'KHR_materials_transmission',
	'KHR_materials_unlit',
	'KHR_materials_volume',
	'KHR_mesh_quantization',
	'KHR_meshopt_compression',
	'KHR_texture_transform',
];

/** Other encodings of pictures: a texture may name one besides a PNG, JPEG or WebP. */
const OTHER_PICTURES: readonly string[] = ['KHR_texture_basisu', 'EXT_texture_avif', 'MSFT_texture_dds'];

/** Many of a mesh in one node. */
export const INSTANCES = 'EXT_mesh_gpu_instancing';

const TRIANGLES = 4;

/** Returns the indices of the textures that a material names; -1 for one that is no whole number. */
export function texturesOf({ pbrMetallicRoughness, extensions, ...material }: Material): number[] {
	return [material, pbrMetallicRoughness, ...Object.values(extensions)].flatMap((part) =>
		Object.entries(part).flatMap(([name, texture]) => {
			if (!name.endsWith('Texture') || typeof texture !== 'object' || texture === null) return [];
			const { index } = texture as { readonly index?: unknown };
			return [Number.isInteger(index) ? (index as number) : -1];
		}),
	);
}

/**
 * Returns the index of the picture that a texture is drawn with; undefined if it has none in an encoding that is
 * drawn.
 */
export const pictureOf = ({ source, extensions }: Texture): number | undefined =>
	extensions.EXT_texture_webp?.source ?? source;

/** Returns true if a model has a directional light. */
export const hasSun = ({ extensions }: GltfDocument): boolean =>
	extensions.KHR_lights_punctual?.lights.some(({ type }) => type === 'directional') ?? false;

/** Returns everything that a model has and the view leaves out, each as a noun phrase. */
export function undrawnOf({ json }: Gltf, placed: readonly PlacedMesh[]): string[] {
	const parts = placed.flatMap(({ mesh }) => json.meshes[mesh]!.primitives);
	const lines = parts.filter(({ mode }) => mode < TRIANGLES).length;
	const joints = parts.some(({ attributes }) => attributes.JOINTS_1 !== undefined);
	const textures = new Set(json.materials.flatMap(texturesOf));
	const bare = [...textures].filter((index) => pictureOf(json.textures[index]!) === undefined);
	const others = json.extensionsUsed.filter(
		(one) => !DRAWN_EXTENSIONS.includes(one) && !OTHER_PICTURES.includes(one),
	);
	return [
		...(lines > 0 ? [`its lines and points (${lines} of ${parts.length} parts)`] : []),
		...bare.sort((a, b) => a - b).map((index) => `texture ${index}, which is not a PNG, JPEG or WebP`),
		...(joints ? ['joints after the fourth of each vertex'] : []),
		...(hasSun(json) ? ['its directional lights'] : []),
		...[...new Set(others)].sort(),
	];
}
