/**
 * Morph targets of a mesh: the displacement of each vertex by each target, in a GPU texture.
 * Owns: the layout of the texture: by vertex, then by target, one texel for the position and one for the normal.
 */

import {
	DataTexture,
	FloatType,
	type Matrix3,
	type Matrix4,
	type Mesh,
	RGBAFormat,
	Vector3,
} from 'three/webgpu';
import type { Morph } from './models.ts';

/** Texels per row, a power of two. */
const TEXTURE_WIDTH = 2048;
/** Maximum number of texels of one mesh: 128 MiB. Further targets are omitted. */
const MAX_TEXELS = 2 ** 23;

/**
 * Returns the morph targets of a mesh; null if it has none. `positionMatrix` and `normalMatrix` transform its
 * positions and normals. `firstWeight`: index of the first target's weight.
 */
export function morphOf(
	mesh: Mesh,
	positionMatrix: Matrix4,
	normalMatrix: Matrix3,
	firstWeight: number,
): Morph | null {
	const { position = [], normal = [] } = mesh.geometry.morphAttributes;
	const { count } = mesh.geometry.getAttribute('position');
	const texels = normal.length > 0 ? 2 : 1;
	const targets = Math.min(position.length, Math.floor(MAX_TEXELS / (count * texels)));
	if (targets === 0) return null;
	const height = Math.ceil((count * targets * texels) / TEXTURE_WIDTH);
	const data = new Float32Array(TEXTURE_WIDTH * height * 4);
	const displacement = new Vector3();
	for (let vertex = 0; vertex < count; vertex++)
		for (let target = 0; target < targets; target++) {
			const offset = (vertex * targets + target) * texels * 4;
			// A displacement is a direction, so the translation of the matrix does not apply.
			displacement.fromBufferAttribute(position[target]!, vertex);
			const { elements: e } = positionMatrix;
			const { x, y, z } = displacement;
			data[offset] = e[0] * x + e[4] * y + e[8] * z;
			data[offset + 1] = e[1] * x + e[5] * y + e[9] * z;
			data[offset + 2] = e[2] * x + e[6] * y + e[10] * z;
			if (texels === 2)
				displacement
					.fromBufferAttribute(normal[target]!, vertex)
					.applyMatrix3(normalMatrix)
					.toArray(data, offset + 4);
		}
	const deltas = new DataTexture(data, TEXTURE_WIDTH, height, RGBAFormat, FloatType);
	deltas.needsUpdate = true;
	return { deltas, width: TEXTURE_WIDTH, targets, texels, firstWeight };
}

/** Adds the changes by the rest weights of a mesh to a normal. */
export function addRestNormal(mesh: Mesh, vertex: number, normal: Vector3): void {
	const displacement = new Vector3();
	const weights = mesh.morphTargetInfluences ?? [];
	mesh.geometry.morphAttributes.normal?.forEach((target, index) => {
		normal.addScaledVector(displacement.fromBufferAttribute(target, vertex), weights[index] ?? 0);
	});
}
