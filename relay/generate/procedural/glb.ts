/**
 * GLB files: models in one file (glTF 2.0, binary).
 * Owns: the two chunks of the file, and the accessors to the second. Never: checks them, because tests write invalid
 * files too.
 */

type Json = Record<string, unknown>;

/** Collects numbers for the binary chunk, and the accessors that describe them. */
export class GlbWriter {
	readonly #chunks: Uint8Array[] = [];
	#length = 0;
	readonly accessors: Json[] = [];
	readonly bufferViews: Json[] = [];

	/** Adds a buffer view with bytes. Returns its index. */
	addView(bytes: Uint8Array): number {
		const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
		padded.set(bytes);
		this.bufferViews.push({ buffer: 0, byteOffset: this.#length, byteLength: bytes.length });
		this.#chunks.push(padded);
		this.#length += padded.length;
		return this.bufferViews.length - 1;
	}

	/** Adds an accessor to numbers. Returns its index. `normalized`: whole numbers mean 0 to 1. */
	addAccessor(
		type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4',
		numbers: Float32Array | Uint16Array | Uint8Array,
		normalized = false,
	): number {
		const size = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }[type];
		const componentType =
			numbers instanceof Float32Array ? 5126 : numbers instanceof Uint16Array ? 5123 : 5121;
		const columns = Array.from({ length: size }, (_, column) =>
			[...numbers].filter((_, i) => i % size === column),
		);
		this.accessors.push({
			bufferView: this.addView(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)),
			componentType,
			...(normalized ? { normalized } : {}),
			count: numbers.length / size,
			type,
			min: columns.map((column) => Math.min(...column)),
			max: columns.map((column) => Math.max(...column)),
		});
		return this.accessors.length - 1;
	}

	/** Returns the file, with the added data and the rest of the document. */
	glb(document: Json): Uint8Array {
		const { accessors, bufferViews } = this;
		const buffers = [{ byteLength: this.#length }];
		const binary = Buffer.concat(this.#chunks);
		return glbOf({ asset: { version: '2.0' }, accessors, bufferViews, buffers, ...document }, binary);
	}
}

/** Returns the file for a document and a binary chunk. */
export function glbOf(document: Json, binary: Uint8Array = new Uint8Array(0)): Uint8Array {
	const text = Buffer.from(JSON.stringify(document));
	const json = Buffer.concat([text, Buffer.alloc(-text.length & 3, 0x20)]);
	const header = Buffer.alloc(20);
	const chunk = Buffer.alloc(8);
	header.writeUInt32LE(0x46546c67, 0);
	header.writeUInt32LE(2, 4);
	header.writeUInt32LE(20 + json.length + (binary.length > 0 ? 8 + binary.length : 0), 8);
	header.writeUInt32LE(json.length, 12);
	header.writeUInt32LE(0x4e4f534a, 16);
	chunk.writeUInt32LE(binary.length, 0);
	chunk.writeUInt32LE(0x004e4942, 4);
	return new Uint8Array(Buffer.concat([header, json, ...(binary.length > 0 ? [chunk, binary] : [])]));
}

/** The part of a document that `readGlb` needs. */
interface SculptureDocument {
	readonly animations?: readonly {
		readonly name: string;
		readonly channels: readonly { readonly sampler: number; readonly target: { readonly path: string } }[];
		readonly samplers: readonly { readonly input: number; readonly output: number }[];
	}[];
	readonly accessors: readonly { readonly bufferView: number; readonly componentType: number }[];
	readonly bufferViews: readonly { readonly byteOffset: number; readonly byteLength: number }[];
	readonly materials: readonly { readonly name: string }[];
	readonly meshes: readonly {
		readonly primitives: readonly {
			readonly attributes: { readonly POSITION: number; readonly COLOR_0: number };
			readonly indices: number;
			readonly material: number;
		}[];
	}[];
}

/** Reads a file that `Sculpture` wrote. Returns its document, and a function that returns the stored numbers of an accessor. */
export function readGlb(file: Uint8Array) {
	const end = 20 + new DataView(file.buffer, file.byteOffset).getUint32(12, true);
	const document = JSON.parse(new TextDecoder().decode(file.subarray(20, end))) as SculptureDocument;
	const binary = file.subarray(end + 8);
	const numbers = (accessor: number): number[] => {
		const { bufferView, componentType } = document.accessors[accessor]!;
		const { byteOffset, byteLength } = document.bufferViews[bufferView]!;
		const bytes = Uint8Array.from(binary.subarray(byteOffset, byteOffset + byteLength));
		if (componentType === 5126) return [...new Float32Array(bytes.buffer)];
		return [...(componentType === 5123 ? new Uint16Array(bytes.buffer) : bytes)];
	};
	return { document, numbers };
}
