/**
 * The numbers of a model: its accessors, sparse ones and those without bytes among them.
 * Owns: reading them, and which cannot be read because they are compressed. Never: decompresses.
 */

import type { Gltf, GltfDocument } from './gltf-document.ts';

type Accessor = GltfDocument['accessors'][number];
type BufferView = GltfDocument['bufferViews'][number];

export const PARTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 } as const;
export const WIDTH = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 } as const;
/** Greatest whole number of each type, which a normalised one is divided by. */
export const WHOLE = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535, 5125: 4294967295, 5126: 1 } as const;

/** Returns the compression of a buffer view with meshopt; undefined without one. */
export const meshoptOf = ({ extensions }: BufferView) =>
	extensions?.KHR_meshopt_compression ?? extensions?.EXT_meshopt_compression;

/** Accessors whose numbers are compressed: in a view packed with meshopt, or in the Draco data of a mesh. */
export function compressedIn({
	accessors,
	bufferViews,
	meshes,
}: Pick<GltfDocument, 'accessors' | 'bufferViews' | 'meshes'>): ReadonlySet<number> {
	const compressed = new Set<number>();
	accessors.forEach(({ bufferView, sparse }, index) => {
		for (const view of [bufferView, sparse?.indices.bufferView, sparse?.values.bufferView]) {
			const bufferView = bufferViews[view ?? -1];
			if (bufferView !== undefined && meshoptOf(bufferView) !== undefined) compressed.add(index);
		}
	});
	for (const { primitives } of meshes)
		for (const { extensions, attributes, indices } of primitives) {
			if (!Object.hasOwn(extensions, 'KHR_draco_mesh_compression')) continue;
			for (const index of [...Object.values(attributes), indices ?? -1])
				if (accessors[index] !== undefined && accessors[index].bufferView === undefined)
					compressed.add(index);
		}
	return compressed;
}

/** Returns true if the numbers of an accessor can be read without decompressing. */
export const isReadable = ({ compressed }: Gltf, index: number): boolean => !compressed.has(index);

/** Returns the numbers of a readable accessor, in order: of all its items, or of the first `count`. */
export function numbersOf(
	gltf: Gltf,
	index: number,
	count = gltf.json.accessors[index]!.count,
): Float64Array {
	const { bufferView, byteOffset, componentType, type, normalized, sparse } = gltf.json.accessors[index]!;
	const parts = PARTS[type];
	const out = new Float64Array(count * parts);
	if (bufferView !== undefined) {
		const stride = gltf.json.bufferViews[bufferView]!.byteStride ?? parts * WIDTH[componentType];
		readInto(out, gltf, { bufferView, byteOffset, componentType, stride, parts });
	}
	if (sparse !== undefined) {
		const places = new Float64Array(sparse.count);
		const values = new Float64Array(sparse.count * parts);
		const width = WIDTH[sparse.indices.componentType];
		readInto(places, gltf, { ...sparse.indices, stride: width, parts: 1 });
		const stride = parts * WIDTH[componentType];
		readInto(values, gltf, { ...sparse.values, componentType, stride, parts });
		places.forEach((index, at) => {
			if (index < count) out.set(values.subarray(at * parts, (at + 1) * parts), index * parts);
		});
	}
	if (normalized)
		for (let at = 0; at < out.length; at++) out[at] = Math.max(-1, out[at]! / WHOLE[componentType]);
	return out;
}

/** Numbers within a buffer view: `parts` of them in each item, an item every `stride` bytes. */
interface AccessorLayout {
	readonly bufferView: number;
	readonly byteOffset: number;
	readonly componentType: Accessor['componentType'];
	readonly stride: number;
	readonly parts: number;
}

/** Fills `out` with the numbers of a layout, as they are stored. */
function readInto(
	out: Float64Array,
	{ json, buffers }: Gltf,
	{ bufferView, byteOffset, componentType, stride, parts }: AccessorLayout,
): void {
	const view = json.bufferViews[bufferView]!;
	const bytes = buffers[view.buffer]!;
	const data = new DataView(bytes.buffer, bytes.byteOffset + view.byteOffset, view.byteLength);
	const width = WIDTH[componentType];
	const read = (from: number): number => {
		switch (componentType) {
			case 5120:
				return data.getInt8(from);
			case 5121:
				return data.getUint8(from);
			case 5122:
				return data.getInt16(from, true);
			case 5123:
				return data.getUint16(from, true);
			case 5125:
				return data.getUint32(from, true);
			case 5126:
				return data.getFloat32(from, true);
		}
	};
	for (let at = 0; at < out.length; at++)
		out[at] = read(byteOffset + Math.floor(at / parts) * stride + (at % parts) * width);
}
