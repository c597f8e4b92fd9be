/**
 * Surfaces that let light through, and what else three's physical material has.
 * Owns: the light behind a surface, from the picture as it is so far.
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

/** Everything that three's physical material has besides transmission, which samples light here and not colours. */
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

export function physical(source: MeshPhysicalMaterial): MeshPhysicalNodeMaterial {
	const from = source as unknown as Readonly<Record<string, unknown>>;
	return new MeshPhysicalNodeMaterial(
		Object.fromEntries(PHYSICAL.filter((name) => name in from).map((name) => [name, from[name]])),
	);
}

/** Inside of a surface that light passes through. */
export type Volume = Pick<
	MeshPhysicalMaterial,
	'ior' | 'thickness' | 'thicknessMap' | 'attenuationColor' | 'attenuationDistance'
>;

/** Index of refraction of a surface that says none. */
const GLASS = 1.5;

/**
 * Returns the light behind a surface that transmits light, without what else does: bent by its thickness, blurred by
 * its roughness, and coloured on the way (KHR_materials_transmission, KHR_materials_volume). `volume` null: it is
 * thin.
 */
export function lightBehind(volume: Volume | null, roughness: Node<'float'>, air: Air): Node<'vec3'> {
	const ior = volume?.ior ?? GLASS;
	const thickness = float(volume?.thickness ?? 0);
	const map = volume?.thicknessMap ?? null;
	const depth = map === null ? thickness : texture(map).y.mul(thickness);
	const ray = refract(normalize(positionWorld.sub(cameraPosition)), normalWorld, float(1 / ior)).mul(depth);
	const clip = cameraProjectionMatrix.mul(cameraViewMatrix).mul(vec4(positionWorld.add(ray), 1));
	const position = vec2(clip.x, clip.y.negate()).div(clip.w).mul(0.5).add(0.5);
	const blur = log2(screenSize.x)
		.mul(roughness)
		.mul(clamp(ior * 2 - 2, 0, 1));
	const seen = air.unput((viewportMipTexture(position, blur) as Node<'vec4'>).rgb);
	if (volume === null || !Number.isFinite(volume.attenuationDistance)) return seen;
	const { r, g, b } = volume.attenuationColor;
	return seen.mul(pow(vec3(r, g, b), vec3(depth.div(volume.attenuationDistance))));
}
