/**
 * Parts of a model that the view draws, and parts that it does not draw.
 * Owns: the list of drawn extensions, the picture of each texture, and the names of the parts that are not drawn.
 * Never: draws.
 */

import { type Gltf, type GltfDocument, TRIANGLES } from './gltf-document.ts';
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

/** Picture encodings that are not drawn. A texture may offer one of them besides a PNG, JPEG or WebP. */
const OTHER_PICTURES: readonly string[] = ['KHR_texture_basisu', 'EXT_texture_avif', 'MSFT_texture_dds'];

/** Extension that draws a mesh several times in one node. */
export const INSTANCES = 'EXT_mesh_gpu_instancing';

/** Returns the indices of the textures that a material names; -1 for an index that is not a whole number. */
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
 * Returns the index of the picture that a texture is drawn with; undefined if the texture has no picture in a
 * supported encoding.
 */
export const pictureOf = ({ source, extensions }: Texture): number | undefined =>
	extensions.EXT_texture_webp?.source ?? source;

/** Returns true if a model has a directional light. */
export const hasSun = ({ extensions }: GltfDocument): boolean =>
	extensions.KHR_lights_punctual?.lights.some(({ type }) => type === 'directional') ?? false;

/** Returns the parts of a model that the view does not draw, each as a noun phrase. */
export function undrawnPartsOf({ json }: Gltf, placed: readonly PlacedMesh[]): string[] {
	const parts = placed.flatMap(({ mesh }) => json.meshes[mesh]!.primitives);
	const lineCount = parts.filter(({ mode }) => mode < TRIANGLES).length;
	const hasFurtherJoints = parts.some(({ attributes }) => attributes.JOINTS_1 !== undefined);
	const textures = new Set(json.materials.flatMap(texturesOf));
	const withoutPicture = [...textures].filter((index) => pictureOf(json.textures[index]!) === undefined);
	const undrawnExtensions = json.extensionsUsed.filter(
		(name) => !DRAWN_EXTENSIONS.includes(name) && !OTHER_PICTURES.includes(name),
	);
	return [
		...(lineCount > 0 ? [`its lines and points (${lineCount} of ${parts.length} parts)`] : []),
		...withoutPicture
			.sort((a, b) => a - b)
			.map((index) => `texture ${index}, which is not a PNG, JPEG or WebP`),
		...(hasFurtherJoints ? ['joints after the fourth of each vertex'] : []),
		...(hasSun(json) ? ['its directional lights'] : []),
		...[...new Set(undrawnExtensions)].sort(),
	];
}
