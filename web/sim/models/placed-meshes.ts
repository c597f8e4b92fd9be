/**
 * Rest poses of the nodes and meshes of a model.
 * Owns: the matrices of these poses.
 */

import { isReadable, numbersOf } from './accessors.ts';
import { type Gltf, MAX_IN_MODEL, refuse } from './gltf-document.ts';
import { IDENTITY, type Matrix, multiply, poseMatrix } from './matrix.ts';

/** A mesh with its pose in the model. */
export interface PlacedMesh {
	readonly mesh: number;
	readonly skin: number | undefined;
	readonly node: number;
	readonly matrix: Matrix;
}

/** Returns the rest pose of each visible node, in coordinates of the model. Refuses a node that occurs twice in the scene. */
export function restMatrices(gltf: Gltf): ReadonlyMap<number, Matrix> {
	const matrices = new Map<number, Matrix>();
	const walk = (index: number, parentMatrix: Matrix, depth: number): void => {
		if (matrices.has(index)) refuse(`node ${index} occurs twice in the scene`);
		if (depth > MAX_IN_MODEL.depth)
			refuse(`its nodes are nested more than ${MAX_IN_MODEL.depth} levels deep`);
		const node = gltf.json.nodes[index]!;
		const matrix = multiply(parentMatrix, node.matrix ?? poseMatrix(node));
		matrices.set(index, matrix);
		for (const child of node.children) walk(child, matrix, depth + 1);
	};
	for (const root of gltf.json.scenes[gltf.json.scene ?? 0]!.nodes) walk(root, IDENTITY, 0);
	return matrices;
}

/** Returns each visible mesh of a model with its rest pose. The pose of a skinned mesh comes from its joints. */
export function placedMeshes(gltf: Gltf): PlacedMesh[] {
	const { json } = gltf;
	const restMatrixByNode = restMatrices(gltf);
	const placed: PlacedMesh[] = [];
	for (const [node, restMatrix] of restMatrixByNode) {
		const { mesh, skin } = json.nodes[node]!;
		if (mesh === undefined) continue;
		placed.push({
			mesh,
			skin,
			node,
			matrix: skin === undefined ? restMatrix : skinMatrix(gltf, skin, restMatrixByNode),
		});
	}
	return placed;
}

/** Returns the rest matrix of a skin, which is the matrix of its first joint. */
function skinMatrix(gltf: Gltf, index: number, rest: ReadonlyMap<number, Matrix>): Matrix {
	const { joints, inverseBindMatrices } = gltf.json.skins[index]!;
	const joint = rest.get(joints[0]!) ?? IDENTITY;
	if (inverseBindMatrices === undefined || !isReadable(gltf, inverseBindMatrices)) return joint;
	return multiply(joint, numbersOf(gltf, inverseBindMatrices, 1));
}
