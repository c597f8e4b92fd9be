/**
 * Transparent surfaces, and other properties of three's physical material.
 * Owns: the light behind a surface, sampled from the picture drawn so far.
 */

import {
	cameraPosition,
	cameraProjectionMatrix,
	cameraViewMatrix,
	clamp,
	float,
	log2,
	normalize,
	normalWorld,
	positionWorld,
	pow,
	refract,
	screenSize,
	texture,
	vec2,
	vec3,
	vec4,
	viewportMipTexture,
} from 'three/tsl';
import { type MeshPhysicalMaterial, MeshPhysicalNodeMaterial, type Node } from 'three/webgpu';
import type { Air } from './scene/air.ts';

/** Properties of three's physical material, except transmission, which samples linear light here instead of final colours. */
const PHYSICAL = [
	'anisotropy',
	'anisotropyRotation',
	'anisotropyMap',
	'clearcoat',
	'clearcoatMap',
	'clearcoatNormalMap',
	'clearcoatNormalScale',
	'clearcoatRoughness',
	'clearcoatRoughnessMap',
	'diffuseRoughness',
	'diffuseRoughnessMap',
	'ior',
	'iridescence',
	'iridescenceIOR',
	'iridescenceMap',
	'iridescenceThicknessMap',
	'iridescenceThicknessRange',
	'sheen',
	'sheenColor',
	'sheenColorMap',
	'sheenRoughness',
	'sheenRoughnessMap',
	'specularColor',
	'specularColorMap',
	'specularIntensity',
	'specularIntensityMap',
] as const;

/** Returns a node material with the physical properties of a material. */
export function physicalMaterial(source: MeshPhysicalMaterial): MeshPhysicalNodeMaterial {
	const record = source as unknown as Readonly<Record<string, unknown>>;
	return new MeshPhysicalNodeMaterial(
		Object.fromEntries(PHYSICAL.filter((name) => name in record).map((name) => [name, record[name]])),
	);
}

/** Properties of the volume behind a transparent surface. */
export type Volume = Pick<
	MeshPhysicalMaterial,
	'ior' | 'thickness' | 'thicknessMap' | 'attenuationColor' | 'attenuationDistance'
>;

/** Default index of refraction. */
const DEFAULT_IOR = 1.5;

/**
 * Returns the light behind a transparent surface, without other transparent surfaces. It is refracted by the thickness, blurred by the
 * roughness, and coloured by the volume (KHR_materials_transmission, KHR_materials_volume). `volume`: null for a thin surface.
 */
export function lightBehind(volume: Volume | null, roughness: Node<'float'>, air: Air): Node<'vec3'> {
	const ior = volume?.ior ?? DEFAULT_IOR;
	const thickness = float(volume?.thickness ?? 0);
	const map = volume?.thicknessMap ?? null;
	const depth = map === null ? thickness : texture(map).y.mul(thickness);
	const ray = refract(normalize(positionWorld.sub(cameraPosition)), normalWorld, float(1 / ior)).mul(depth);
	const clip = cameraProjectionMatrix.mul(cameraViewMatrix).mul(vec4(positionWorld.add(ray), 1));
	const position = vec2(clip.x, clip.y.negate()).div(clip.w).mul(0.5).add(0.5);
	const blur = log2(screenSize.x)
		.mul(roughness)
		.mul(clamp(ior * 2 - 2, 0, 1));
	const light = air.lightOf((viewportMipTexture(position, blur) as Node<'vec4'>).rgb);
	if (volume === null || !Number.isFinite(volume.attenuationDistance)) return light;
	const { r, g, b } = volume.attenuationColor;
	return light.mul(pow(vec3(r, g, b), vec3(depth.div(volume.attenuationDistance))));
}
