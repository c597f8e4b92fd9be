/**
 * Numbers of a model: its accessors, including sparse accessors and accessors without bytes.
 * Owns: reading the numbers, and finding the accessors that cannot be read because they are compressed. Never:
 * decompresses.
 */

import type { Gltf, GltfDocument } from './gltf-document.ts';

type Accessor = GltfDocument['accessors'][number];
type BufferView = GltfDocument['bufferViews'][number];

/** Count of numbers in one item of each accessor type. */
export const NUMBERS_PER_ITEM = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 } as const;
/** Bytes of one number, by the code of its component type. */
export const BYTES_PER_NUMBER = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 } as const;
/** Divisor that maps a normalised number of each component type to -1..1. */
export const NORMALIZED_MAX = {
	5120: 127,
	5121: 255,
	5122: 32767,
	5123: 65535,
	5125: 4294967295,
	5126: 1,
} as const;

/** Returns the compression of a buffer view with meshopt; undefined without one. */
export const meshoptOf = ({ extensions }: BufferView) =>
	extensions?.KHR_meshopt_compression ?? extensions?.EXT_meshopt_compression;

/** Returns the accessors whose numbers are compressed: with meshopt in their view, or with Draco in a mesh. */
export function findCompressed({
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

/** Returns the numbers of a readable accessor, in order. `count`: number of items to read; by default all. */
export function numbersOf(
	gltf: Gltf,
	index: number,
	count = gltf.json.accessors[index]!.count,
): Float64Array {
	const { bufferView, byteOffset, componentType, type, normalized, sparse } = gltf.json.accessors[index]!;
	const parts = NUMBERS_PER_ITEM[type];
	const out = new Float64Array(count * parts);
	if (bufferView !== undefined) {
		const stride = gltf.json.bufferViews[bufferView]!.byteStride ?? parts * BYTES_PER_NUMBER[componentType];
		readInto(out, gltf, { bufferView, byteOffset, componentType, stride, parts });
	}
	if (sparse !== undefined) {
		const replaced = new Float64Array(sparse.count);
		const values = new Float64Array(sparse.count * parts);
		const width = BYTES_PER_NUMBER[sparse.indices.componentType];
		readInto(replaced, gltf, { ...sparse.indices, stride: width, parts: 1 });
		const stride = parts * BYTES_PER_NUMBER[componentType];
		readInto(values, gltf, { ...sparse.values, componentType, stride, parts });
		replaced.forEach((itemIndex, i) => {
			if (itemIndex < count) out.set(values.subarray(i * parts, (i + 1) * parts), itemIndex * parts);
		});
	}
	if (normalized)
		for (let i = 0; i < out.length; i++) out[i] = Math.max(-1, out[i]! / NORMALIZED_MAX[componentType]);
	return out;
}

/** Layout of numbers in a buffer view: an item begins every `stride` bytes and has `parts` numbers. */
interface AccessorLayout {
	readonly bufferView: number;
	readonly byteOffset: number;
	readonly componentType: Accessor['componentType'];
	readonly stride: number;
	readonly parts: number;
}

/** Fills `out` with the numbers of a layout. Does not normalise them. */
function readInto(
	out: Float64Array,
	{ json, buffers }: Gltf,
	{ bufferView, byteOffset, componentType, stride, parts }: AccessorLayout,
): void {
	const view = json.bufferViews[bufferView]!;
	const bytes = buffers[view.buffer]!;
	const data = new DataView(bytes.buffer, bytes.byteOffset + view.byteOffset, view.byteLength);
	const width = BYTES_PER_NUMBER[componentType];
	const readNumber = (offset: number): number => {
		switch (componentType) {
			case 5120:
				return data.getInt8(offset);
			case 5121:
				return data.getUint8(offset);
			case 5122:
				return data.getInt16(offset, true);
			case 5123:
				return data.getUint16(offset, true);
			case 5125:
				return data.getUint32(offset, true);
			case 5126:
				return data.getFloat32(offset, true);
		}
	};
	for (let i = 0; i < out.length; i++)
		out[i] = readNumber(byteOffset + Math.floor(i / parts) * stride + (i % parts) * width);
}
