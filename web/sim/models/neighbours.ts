/**
 * Models in several files: a glTF with its buffers and pictures beside it.
 * Owns: which other files a model names, and making one GLB of all. Never: reads a file.
 */

import { catchRefusal } from '../../../shared/contract/errors.ts';
import { joinBytes } from '../../../shared/contract/joined-bytes.ts';
import { mediaTypeOf } from '../../../shared/documents/media-type.ts';
import { pictureOf, texturesOf } from './drawing.ts';
import { refusing } from './gltf.ts';
import { BINARY_CHUNK, chunksOf, GLB_MAGIC, JSON_CHUNK } from './gltf-bytes.ts';
import { documentOf, refuse } from './gltf-document.ts';

/** Returns the addresses of other files that a model needs to be drawn, each once; none for bytes that are no model. */
export function neighboursOf(bytes: Uint8Array): ReadonlySet<string> {
	return catchRefusal(
		() => {
			const [text] = chunksOf(bytes);
			// Most models name none, and each entity that is spawned has its model looked for.
			if (!new TextDecoder().decode(text).includes('"uri"')) return new Set<string>();
			const { buffers, images, materials, textures } = documentOf(text);
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

/** A buffer view, or what it is compressed from. */
interface RawView {
	readonly buffer: number;
	readonly byteOffset?: number;
	readonly byteLength: number;
	readonly extensions?: Readonly<Record<string, RawView>>;
}

interface Raw {
	readonly buffers?: readonly RawBuffer[];
	readonly bufferViews?: readonly RawView[];
	readonly images?: readonly { readonly uri?: string }[];
}

/**
 * One GLB of a model that `neighboursOf` has read, and of the files that it names, by their addresses. `what` names it in
 * the refusal: throws `asset_refused`.
 */
export function packed(bytes: Uint8Array, files: ReadonlyMap<string, Uint8Array>, what: string): Uint8Array {
	return refusing(what, () => {
		const [text, binary] = chunksOf(bytes);
		const raw = JSON.parse(new TextDecoder().decode(text)) as Raw;
		const chunk = new BufferChunk();
		const rawBuffers: RawBuffer[] = [];
		const moved = (raw.buffers ?? []).map((buffer, index): MovedBuffer => {
			const bytes = buffer.uri === undefined ? (index === 0 ? binary : null) : files.get(buffer.uri);
			if (bytes == null) return { buffer: rawBuffers.push(buffer), from: 0, length: buffer.byteLength };
			if (bytes.length < buffer.byteLength)
				refuse(`buffer ${index} has only ${bytes.length} of ${buffer.byteLength} bytes`);
			return { buffer: 0, from: chunk.add(bytes), length: buffer.byteLength };
		});
		const views = (raw.bufferViews ?? []).map((view, index) => movedView(view, moved, index));
		const pictures = new Map<string, number>();
		const images = raw.images?.map(({ uri, ...more }) => {
			const bytes = uri === undefined ? undefined : files.get(uri);
			if (bytes === undefined) return uri === undefined ? more : { uri, ...more };
			const bufferView =
				pictures.get(uri!) ??
				views.push({ buffer: 0, byteOffset: chunk.add(bytes), byteLength: bytes.length }) - 1;
			pictures.set(uri!, bufferView);
			return { ...more, bufferView, mimeType: mediaTypeOf(bytes) };
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

/** The index of a buffer in the packed model, where it begins in that, and its length. */
interface MovedBuffer {
	readonly buffer: number;
	readonly from: number;
	readonly length: number;
}

function movedView(view: RawView, buffers: readonly MovedBuffer[], index: number): RawView {
	const inBuffer = (rawView: RawView): RawView => {
		const { buffer, from, length } =
			buffers[rawView.buffer] ?? refuse(`it refers to buffer ${rawView.buffer}, which does not exist`);
		const byteOffset = rawView.byteOffset ?? 0;
		if (byteOffset + rawView.byteLength > length) refuse(`buffer view ${index} extends beyond its buffer`);
		return { ...rawView, buffer, byteOffset: byteOffset + from };
	};
	const extensions = Object.entries(view.extensions ?? {}).map(([name, rawView]) =>
		name.endsWith('_meshopt_compression') ? [name, inBuffer(rawView)] : [name, rawView],
	);
	return { ...inBuffer(view), extensions: Object.fromEntries(extensions) };
}

/** Parts of a file, each at a multiple of four bytes. */
class BufferChunk {
	readonly parts: Uint8Array[] = [];
	length = 0;

	/** Returns where the part begins. */
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
	const words = (...numbers: readonly number[]): Uint8Array => {
		const view = new DataView(new ArrayBuffer(numbers.length * 4));
		numbers.forEach((number, at) => {
			view.setUint32(at * 4, number, true);
		});
		return new Uint8Array(view.buffer);
	};
	return joinBytes([
		words(GLB_MAGIC, 2, 28 + jsonLength + length, jsonLength, JSON_CHUNK),
		text,
		spaces,
		words(length, BINARY_CHUNK),
		...parts,
	]);
}
