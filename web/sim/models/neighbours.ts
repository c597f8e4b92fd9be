/**
 * Models in several files: a glTF document with separate buffer and picture files.
 * Owns: finding the files that a model names, and packing them into one GLB. Never: reads a file.
 */

import { catchRefusal } from '../../../shared/contract/errors.ts';
import { joinBytes } from '../../../shared/contract/joined-bytes.ts';
import { mediaTypeOf } from '../../../shared/documents/media-type.ts';
import { pictureOf, texturesOf } from './drawing.ts';
import { withModelRefusal } from './gltf.ts';
import { BINARY_CHUNK, chunksOf, GLB_MAGIC, JSON_CHUNK } from './gltf-bytes.ts';
import { parseGltfDocument, refuse } from './gltf-document.ts';

/** Returns the addresses of the other files that drawing a model requires; empty for bytes that are not a model. */
export function externalFilesOf(bytes: Uint8Array): ReadonlySet<string> {
	return catchRefusal(
		() => {
			const [text] = chunksOf(bytes);
			// This check runs for the model of each spawned entity, and most models name no other file.
			if (!new TextDecoder().decode(text).includes('"uri"')) return new Set<string>();
			const { buffers, images, materials, textures } = parseGltfDocument(text);
			const drawn = materials
				.flatMap(texturesOf)
				.map((index) => textures[index] && pictureOf(textures[index]));
			const needed = [...buffers, ...images.filter((_, index) => drawn.includes(index))];
			return new Set(
				needed.flatMap(({ uri }) => (uri === undefined || uri.startsWith('data:') ? [] : [uri])),
			);
		},
		() => new Set<string>(),
	);
}

interface RawBuffer {
	readonly uri?: string;
	readonly byteLength: number;
}

/** A buffer view, or the compressed source of one. */
interface RawView {
	readonly buffer: number;
	readonly byteOffset?: number;
	readonly byteLength: number;
	readonly extensions?: Readonly<Record<string, RawView>>;
}

interface RawModel {
	readonly buffers?: readonly RawBuffer[];
	readonly bufferViews?: readonly RawView[];
	readonly images?: readonly { readonly uri?: string }[];
}

/**
 * Packs a model and the files that `externalFilesOf` found, keyed by address, into one GLB. Throws `asset_refused`.
 * `label`: name of the model in the error.
 */
export function packModel(
	bytes: Uint8Array,
	files: ReadonlyMap<string, Uint8Array>,
	label: string,
): Uint8Array {
	return withModelRefusal(label, () => {
		const [text, binary] = chunksOf(bytes);
		const raw = JSON.parse(new TextDecoder().decode(text)) as RawModel;
		const chunk = new BufferChunk();
		const rawBuffers: RawBuffer[] = [];
		const movedBuffers = (raw.buffers ?? []).map((buffer, index): MovedBuffer => {
			const bufferBytes = buffer.uri === undefined ? (index === 0 ? binary : null) : files.get(buffer.uri);
			if (bufferBytes == null) return { buffer: rawBuffers.push(buffer), from: 0, length: buffer.byteLength };
			if (bufferBytes.length < buffer.byteLength)
				refuse(`buffer ${index} has only ${bufferBytes.length} of ${buffer.byteLength} bytes`);
			return { buffer: 0, from: chunk.add(bufferBytes), length: buffer.byteLength };
		});
		const views = (raw.bufferViews ?? []).map((view, index) => moveView(view, movedBuffers, index));
		const viewByAddress = new Map<string, number>();
		const images = raw.images?.map(({ uri, ...image }) => {
			const pictureBytes = uri === undefined ? undefined : files.get(uri);
			if (pictureBytes === undefined) return uri === undefined ? image : { uri, ...image };
			const bufferView =
				viewByAddress.get(uri!) ??
				views.push({ buffer: 0, byteOffset: chunk.add(pictureBytes), byteLength: pictureBytes.length }) - 1;
			viewByAddress.set(uri!, bufferView);
			return { ...image, bufferView, mimeType: mediaTypeOf(pictureBytes) };
		});
		return glbOf(
			{
				...raw,
				buffers: [{ byteLength: chunk.length }, ...rawBuffers],
				bufferViews: views,
				...(images === undefined ? {} : { images }),
			},
			chunk,
		);
	});
}

/** Position of a buffer in the packed model. */
interface MovedBuffer {
	/** Index of the buffer of the packed model that contains it. */
	readonly buffer: number;
	/** Offset in that buffer (bytes). */
	readonly from: number;
	/** Length (bytes). */
	readonly length: number;
}

function moveView(view: RawView, buffers: readonly MovedBuffer[], index: number): RawView {
	const moveSource = (rawView: RawView): RawView => {
		const { buffer, from, length } =
			buffers[rawView.buffer] ?? refuse(`it refers to buffer ${rawView.buffer}, which does not exist`);
		const byteOffset = rawView.byteOffset ?? 0;
		if (byteOffset + rawView.byteLength > length) refuse(`buffer view ${index} extends beyond its buffer`);
		return { ...rawView, buffer, byteOffset: byteOffset + from };
	};
	const extensions = Object.entries(view.extensions ?? {}).map(([name, rawView]) =>
		name.endsWith('_meshopt_compression') ? [name, moveSource(rawView)] : [name, rawView],
	);
	return { ...moveSource(view), extensions: Object.fromEntries(extensions) };
}

/** Binary chunk under construction. Each part begins at a multiple of four bytes. */
class BufferChunk {
	readonly parts: Uint8Array[] = [];
	length = 0;

	/** Appends a part and returns its offset. */
	add(part: Uint8Array): number {
		const from = this.length;
		this.parts.push(part, new Uint8Array(-part.length & 3));
		this.length += part.length + (-part.length & 3);
		return from;
	}
}

function glbOf(document: object, { parts, length }: BufferChunk): Uint8Array {
	const text = new TextEncoder().encode(JSON.stringify(document));
	const spaces = new Uint8Array(-text.length & 3).fill(0x20);
	const jsonLength = text.length + spaces.length;
	const uint32Bytes = (...numbers: readonly number[]): Uint8Array => {
		const view = new DataView(new ArrayBuffer(numbers.length * 4));
		numbers.forEach((number, i) => {
			view.setUint32(i * 4, number, true);
		});
		return new Uint8Array(view.buffer);
	};
	return joinBytes([
		uint32Bytes(GLB_MAGIC, 2, 28 + jsonLength + length, jsonLength, JSON_CHUNK),
		text,
		spaces,
		uint32Bytes(length, BINARY_CHUNK),
		...parts,
	]);
}
