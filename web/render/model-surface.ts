/**
 * Surfaces of a model: the vertices of all meshes with one material, in order.
 * Owns: their rest positions, and the winding of mirrored faces.
 */

import { BufferAttribute, BufferGeometry, Matrix3, Matrix4, type Mesh, Vector3 } from 'three/webgpu';
import { type Bones, isSkinned } from './model-bones.ts';
import type { Morph } from './models.ts';
import { addRestNormal, morphOf } from './morph-targets.ts';

/** Returns the same triangles without shared vertices, with flat normals. */
function flat(geometry: BufferGeometry): BufferGeometry {
	const parted = geometry.index === null ? geometry : geometry.toNonIndexed();
	parted.computeVertexNormals();
	return parted;
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
		// glTF says that meshes without normals have flat ones.
		if (mesh.geometry.getAttribute('normal') === undefined) mesh.geometry = flat(mesh.geometry);
		const { geometry } = mesh;
		const from = this.#positions.length / 3;
		const place = geometry.getAttribute('position');
		const { count } = place;
		const point = new Vector3();
		const { moves } = this.#bones;
		// Positions and normals are relative to the bones, or to the model if nothing moves.
		const still = isSkinned(mesh) ? mesh.bindMatrix : new Matrix4();
		const matrix = moves ? still : mesh.matrixWorld;
		const normals = new Matrix3().getNormalMatrix(matrix);
		const normal = geometry.getAttribute('normal');
		for (let i = 0; i < count; i++) {
			mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld);
			this.rest.push(point.x, point.y, point.z);
			if (moves) point.fromBufferAttribute(place, i).applyMatrix4(matrix);
			this.#positions.push(point.x, point.y, point.z);
			point.set(normal.getX(i), normal.getY(i), normal.getZ(i));
			if (!moves) addRestNormal(mesh, i, point);
			point.applyMatrix3(normals).normalize();
			this.#normals.push(point.x, point.y, point.z);
		}
		if (moves) this.#bones.hang(mesh, this.#skinIndex, this.#skinWeight);
		if (this.#bones.morphs(mesh)) this.morph = morphOf(mesh, matrix, normals, this.#bones.firstWeight(mesh));
		UVS.forEach((name, at) => {
			this.#pairs(geometry, name, this.#uvs[at]!, count);
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
		const isMirrored = this.#bones.flips ? () => false : mirroredIn(mesh);
		const { index } = geometry;
		const corners = index === null ? count : index.count;
		for (let i = 0; i + 2 < corners; i += 3) {
			const at = (corner: number): number => (index === null ? corner : index.getX(corner));
			const [a, b, c] = [at(i), at(i + 1), at(i + 2)];
			const turned = isMirrored(a);
			this.index.push(from + a, from + (turned ? c : b), from + (turned ? b : c));
		}
	}

	#pairs(geometry: BufferGeometry, name: string, to: number[], count: number): void {
		const held = geometry.getAttribute(name);
		if (held !== undefined) this.#attributes.add(name);
		for (let i = 0; i < count; i++)
			if (held === undefined) to.push(0, 0);
			else to.push(held.getX(i), held.getY(i));
	}

	finish(): BufferGeometry {
		const geometry = new BufferGeometry();
		const set = (name: string, values: readonly number[], size: number): void => {
			geometry.setAttribute(name, new BufferAttribute(new Float32Array(values), size));
		};
		set('position', this.#positions, 3);
		set('normal', this.#normals, 3);
		UVS.forEach((name, at) => {
			if (this.#attributes.has(name)) set(name, this.#uvs[at]!, 2);
		});
		if (this.#attributes.has('color')) set('color', this.#colors, 4);
		if (this.#bones.moves) {
			this.#bones.measure(this.#positions, this.#skinIndex, this.#skinWeight);
			set('skinIndex', this.#skinIndex, 4);
			set('skinWeight', this.#skinWeight, 4);
		}
		geometry.setIndex(new BufferAttribute(new Uint32Array(this.index), 1));
		return geometry;
	}
}

/**
 * Returns a function that is true for a vertex at which a mesh at rest is inside out, because an odd number of axes is mirrored. For a skin,
 * the joint with the largest weight decides.
 */
function mirroredIn(mesh: Mesh): (vertex: number) => boolean {
	if (!isSkinned(mesh)) {
		const isMirrored = mesh.matrixWorld.determinant() < 0;
		return () => isMirrored;
	}
	const { bones, boneInverses } = mesh.skeleton;
	const matrix = new Matrix4();
	const joints = bones.map(
		(bone, at) => matrix.multiplyMatrices(bone.matrixWorld, boneInverses[at]!).determinant() < 0,
	);
	if (!joints.includes(true)) return () => false;
	const index = mesh.geometry.getAttribute('skinIndex');
	const weight = mesh.geometry.getAttribute('skinWeight');
	return (vertex) => {
		let most = 0;
		for (let at = 1; at < 4; at++)
			if (weight.getComponent(vertex, at) > weight.getComponent(vertex, most)) most = at;
		return joints[index.getComponent(vertex, most)] ?? false;
	};
}

/** Returns the triangles of all parts at rest. */
export function solidOf(parts: readonly PartBuilder[]): BufferGeometry {
	const [positions, index]: [number[], number[]] = [[], []];
	for (const part of parts) {
		const from = positions.length / 3;
		for (const value of part.rest) positions.push(value);
		for (const corner of part.index) index.push(from + corner);
	}
	const solid = new BufferGeometry();
	solid.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
	solid.setIndex(new BufferAttribute(new Uint32Array(index), 1));
	return solid;
}
