/**
 * Poses of the nodes and meshes of a model at rest.
 * Owns: their matrices.
 */

import { isReadable, numbersOf } from './accessors.ts';
import { type Gltf, MAX_IN_MODEL, refuse } from './gltf-document.ts';
import { IDENTITY, type Matrix, multiply, placed } from './matrix.ts';

/** A mesh where it is in the model. */
export interface Placed {
	readonly mesh: number;
	readonly skin: number | undefined;
	readonly node: number;
	readonly matrix: Matrix;
}

/** Returns the pose at rest, in the model, of each node that is shown. Refuses one that the scene names twice. */
export function restMatrices(gltf: Gltf): ReadonlyMap<number, Matrix> {
	const found = new Map<number, Matrix>();
	const walk = (index: number, above: Matrix, depth: number): void => {
		if (found.has(index)) refuse(`node ${index} occurs twice in the scene`);
		if (depth > MAX_IN_MODEL.depth)
			refuse(`its nodes are nested more than ${MAX_IN_MODEL.depth} levels deep`);
		const node = gltf.json.nodes[index]!;
		const matrix = multiply(above, node.matrix ?? placed(node));
		found.set(index, matrix);
		for (const child of node.children) walk(child, matrix, depth + 1);
	};
	for (const root of gltf.json.scenes[gltf.json.scene ?? 0]!.nodes) walk(root, IDENTITY, 0);
	return found;
}

/** Returns every mesh that a model shows, with where it is at rest: that of a skin is where its joints are. */
export function placedMeshes(gltf: Gltf): Placed[] {
	const { json } = gltf;
	const rest = restMatrices(gltf);
	const found: Placed[] = [];
	for (const [node, own] of rest) {
		const { mesh, skin } = json.nodes[node]!;
		if (mesh === undefined) continue;
		found.push({ mesh, skin, node, matrix: skin === undefined ? own : bound(gltf, skin, rest) });
	}
	return found;
}

/** Returns the matrix that a skin's joints, at rest, apply to its vertices, by its first joint. */
function bound(gltf: Gltf, index: number, rest: ReadonlyMap<number, Matrix>): Matrix {
	const { joints, inverseBindMatrices } = gltf.json.skins[index]!;
	const joint = rest.get(joints[0]!) ?? IDENTITY;
	if (inverseBindMatrices === undefined || !isReadable(gltf, inverseBindMatrices)) return joint;
	return multiply(joint, numbersOf(gltf, inverseBindMatrices, 1));
}
