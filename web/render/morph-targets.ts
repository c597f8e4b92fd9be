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
const WIDTH = 2048;
/** Maximum number of texels of one mesh: 128 MiB. Further targets are omitted. */
const MAX_TEXELS = 2 ** 23;

/**
 * Returns the morph targets of a mesh; null if it has none. `places` and `normals` transform its positions and normals. `first`: index of
 * the first target's weight.
 */
export function morphOf(mesh: Mesh, places: Matrix4, normals: Matrix3, first: number): Morph | null {
	const { position = [], normal = [] } = mesh.geometry.morphAttributes;
	const { count } = mesh.geometry.getAttribute('position');
	const texels = normal.length > 0 ? 2 : 1;
	const targets = Math.min(position.length, Math.floor(MAX_TEXELS / (count * texels)));
	if (targets === 0) return null;
	const height = Math.ceil((count * targets * texels) / WIDTH);
	const data = new Float32Array(WIDTH * height * 4);
	const offset = new Vector3();
	for (let vertex = 0; vertex < count; vertex++)
		for (let target = 0; target < targets; target++) {
			const at = (vertex * targets + target) * texels * 4;
			// A displacement is a direction, so the translation of the matrix does not apply.
			offset.fromBufferAttribute(position[target]!, vertex);
			const { elements: e } = places;
			const { x, y, z } = offset;
			data[at] = e[0] * x + e[4] * y + e[8] * z;
			data[at + 1] = e[1] * x + e[5] * y + e[9] * z;
			data[at + 2] = e[2] * x + e[6] * y + e[10] * z;
			if (texels === 2)
				offset
					.fromBufferAttribute(normal[target]!, vertex)
					.applyMatrix3(normals)
					.toArray(data, at + 4);
		}
	const deltas = new DataTexture(data, WIDTH, height, RGBAFormat, FloatType);
	deltas.needsUpdate = true;
	return { deltas, width: WIDTH, targets, texels, first };
}

/** Adds the changes by the rest weights of a mesh to a normal. */
export function addRestNormal(mesh: Mesh, vertex: number, normal: Vector3): void {
	const offset = new Vector3();
	const weights = mesh.morphTargetInfluences ?? [];
	mesh.geometry.morphAttributes.normal?.forEach((target, at) => {
		normal.addScaledVector(offset.fromBufferAttribute(target, vertex), weights[at] ?? 0);
	});
}
