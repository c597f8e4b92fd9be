/**
 * Parts of a model: the vertices of all meshes with one material, in order.
 * Owns: their rest positions, and the winding of mirrored faces.
 */

import { BufferAttribute, BufferGeometry, Matrix3, Matrix4, type Mesh, Vector3 } from 'three/webgpu';
import { type Bones, isSkinned } from './model-bones.ts';
import type { Morph } from './models.ts';
import { addRestNormal, morphOf } from './morph-targets.ts';

/** Returns the same triangles without shared vertices, with flat normals. */
function withFlatNormals(geometry: BufferGeometry): BufferGeometry {
	const separate = geometry.index === null ? geometry : geometry.toNonIndexed();
	separate.computeVertexNormals();
	return separate;
}

/** Names of texture coordinates. A vertex has up to four. */
const UVS = ['uv', 'uv1', 'uv2', 'uv3'] as const;

/** Builds a part from all meshes with one surface. A mesh with moving morph targets has its own builder. */
export class PartBuilder {
	readonly #bones: Bones;
	/** Positions of vertices at rest. */
	readonly rest: number[] = [];
	readonly #skinIndex: number[] = [];
	readonly #skinWeight: number[] = [];
	readonly #positions: number[] = [];
	readonly #normals: number[] = [];
	readonly #uvs: readonly number[][] = UVS.map(() => []);
	readonly #colors: number[] = [];
	readonly index: number[] = [];
	morph: Morph | null = null;
	readonly #attributes = new Set<string>();

	constructor(bones: Bones) {
		this.#bones = bones;
	}

	add(mesh: Mesh): void {
		// By the glTF standard, a mesh without normals has flat normals.
		if (mesh.geometry.getAttribute('normal') === undefined) mesh.geometry = withFlatNormals(mesh.geometry);
		const { geometry } = mesh;
		const firstVertex = this.#positions.length / 3;
		const position = geometry.getAttribute('position');
		const { count } = position;
		const point = new Vector3();
		const { canMove } = this.#bones;
		// Positions and normals are relative to the bones, or to the model if nothing moves.
		const bindMatrix = isSkinned(mesh) ? mesh.bindMatrix : new Matrix4();
		const matrix = canMove ? bindMatrix : mesh.matrixWorld;
		const normalMatrix = new Matrix3().getNormalMatrix(matrix);
		const normal = geometry.getAttribute('normal');
		for (let i = 0; i < count; i++) {
			mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld);
			this.rest.push(point.x, point.y, point.z);
			if (canMove) point.fromBufferAttribute(position, i).applyMatrix4(matrix);
			this.#positions.push(point.x, point.y, point.z);
			point.set(normal.getX(i), normal.getY(i), normal.getZ(i));
			if (!canMove) addRestNormal(mesh, i, point);
			point.applyMatrix3(normalMatrix).normalize();
			this.#normals.push(point.x, point.y, point.z);
		}
		if (canMove) this.#bones.addBoneWeights(mesh, this.#skinIndex, this.#skinWeight);
		if (this.#bones.hasMovingMorphs(mesh))
			this.morph = morphOf(mesh, matrix, normalMatrix, this.#bones.firstWeightOf(mesh));
		UVS.forEach((name, at) => {
			this.#addUvs(geometry, name, this.#uvs[at]!, count);
		});
		const color = geometry.getAttribute('color');
		if (color !== undefined) this.#attributes.add('color');
		for (let i = 0; i < count; i++)
			if (color === undefined) this.#colors.push(1, 1, 1, 1);
			else
				this.#colors.push(
					color.getX(i),
					color.getY(i),
					color.getZ(i),
					color.itemSize > 3 ? color.getW(i) : 1,
				);
		const isMirrored = this.#bones.canFlip ? () => false : mirroredVertices(mesh);
		const { index } = geometry;
		const corners = index === null ? count : index.count;
		for (let i = 0; i + 2 < corners; i += 3) {
			const vertexAt = (corner: number): number => (index === null ? corner : index.getX(corner));
			const [a, b, c] = [vertexAt(i), vertexAt(i + 1), vertexAt(i + 2)];
			const isReversed = isMirrored(a);
			this.index.push(
				firstVertex + a,
				firstVertex + (isReversed ? c : b),
				firstVertex + (isReversed ? b : c),
			);
		}
	}

	#addUvs(geometry: BufferGeometry, name: string, uvs: number[], count: number): void {
		const attribute = geometry.getAttribute(name);
		if (attribute !== undefined) this.#attributes.add(name);
		for (let i = 0; i < count; i++)
			if (attribute === undefined) uvs.push(0, 0);
			else uvs.push(attribute.getX(i), attribute.getY(i));
	}

	finish(): BufferGeometry {
		const geometry = new BufferGeometry();
		const setAttribute = (name: string, values: readonly number[], size: number): void => {
			geometry.setAttribute(name, new BufferAttribute(new Float32Array(values), size));
		};
		setAttribute('position', this.#positions, 3);
		setAttribute('normal', this.#normals, 3);
		UVS.forEach((name, at) => {
			if (this.#attributes.has(name)) setAttribute(name, this.#uvs[at]!, 2);
		});
		if (this.#attributes.has('color')) setAttribute('color', this.#colors, 4);
		if (this.#bones.canMove) {
			this.#bones.measureRadii(this.#positions, this.#skinIndex, this.#skinWeight);
			setAttribute('skinIndex', this.#skinIndex, 4);
			setAttribute('skinWeight', this.#skinWeight, 4);
		}
		geometry.setIndex(new BufferAttribute(new Uint32Array(this.index), 1));
		return geometry;
	}
}

/**
 * Returns a function that is true for a vertex at which a mesh at rest is inside out, because an odd number
 * of axes is mirrored. For a skin, the joint with the largest weight decides.
 */
function mirroredVertices(mesh: Mesh): (vertex: number) => boolean {
	if (!isSkinned(mesh)) {
		const isMirrored = mesh.matrixWorld.determinant() < 0;
		return () => isMirrored;
	}
	const { bones, boneInverses } = mesh.skeleton;
	const matrix = new Matrix4();
	const mirroredJoints = bones.map(
		(bone, at) => matrix.multiplyMatrices(bone.matrixWorld, boneInverses[at]!).determinant() < 0,
	);
	if (!mirroredJoints.includes(true)) return () => false;
	const index = mesh.geometry.getAttribute('skinIndex');
	const weight = mesh.geometry.getAttribute('skinWeight');
	return (vertex) => {
		let heaviest = 0;
		for (let slot = 1; slot < 4; slot++)
			if (weight.getComponent(vertex, slot) > weight.getComponent(vertex, heaviest)) heaviest = slot;
		return mirroredJoints[index.getComponent(vertex, heaviest)] ?? false;
	};
}

/** Returns the triangles of all parts at rest. */
export function solidOf(parts: readonly PartBuilder[]): BufferGeometry {
	const [positions, index]: [number[], number[]] = [[], []];
	for (const part of parts) {
		const firstVertex = positions.length / 3;
		for (const value of part.rest) positions.push(value);
		for (const corner of part.index) index.push(firstVertex + corner);
	}
	const solid = new BufferGeometry();
	solid.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
	solid.setIndex(new BufferAttribute(new Uint32Array(index), 1));
	return solid;
}
