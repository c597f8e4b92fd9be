/**
 * Bytes of a model: the chunks of a GLB file, and the buffers.
 * Owns: the layout of a GLB file, and the decoding of data: URLs.
 */

import { fromBase64 } from '../core/base64.ts';
import { refuse } from './gltf-document.ts';

export const GLB_MAGIC = 0x46546c67;
export const JSON_CHUNK = 0x4e4f534a;
export const BINARY_CHUNK = 0x004e4942;

/** Returns the JSON of a model and its binary chunk; null if it has no binary chunk. */
export function chunksOf(bytes: Uint8Array): [Uint8Array, Uint8Array | null] {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (bytes.length < 12 || view.getUint32(0, true) !== GLB_MAGIC) return [bytes, null];
	if (view.getUint32(4, true) !== 2) refuse('its GLB version is not 2');
	if (view.getUint32(8, true) > bytes.length) refuse('it is cut off');
	const chunkAt = (from: number, kind: number): Uint8Array | null => {
		if (from + 8 > bytes.length) return null;
		const end = from + 8 + view.getUint32(from, true);
		if (end > bytes.length) refuse('it is cut off');
		return view.getUint32(from + 4, true) === kind ? bytes.subarray(from + 8, end) : null;
	};
	const json = chunkAt(12, JSON_CHUNK) ?? refuse('it has no JSON');
	return [json, chunkAt(20 + json.length, BINARY_CHUNK)];
}

/** Returns the bytes of a buffer; null for a placeholder, whose data is compressed in another buffer. */
export function bufferOf(
	index: number,
	uri: string | undefined,
	length: number,
	binary: Uint8Array | null,
): Uint8Array | null {
	if (uri === undefined && (index > 0 || binary === null)) return null;
	const bytes = uri === undefined ? binary! : dataOf(uri, `buffer ${index}`);
	if (bytes.length < length) refuse(`buffer ${index} has only ${bytes.length} of ${length} bytes`);
	return bytes;
}

/** Returns the bytes of a data: URL. `label`: name of the data in errors. */
export function dataOf(uri: string, label: string): Uint8Array {
	if (!uri.startsWith('data:'))
		refuse(
			`${label} is in another file, "${uri.slice(0, 200)}"`,
			'Put the .gltf and its files in the data folder and send its path, or send one GLB file.',
		);
	const comma = uri.indexOf(',');
	if (!uri.slice(0, comma).endsWith(';base64')) refuse(`${label} is a data: URL without base64`);
	try {
		return fromBase64(uri.slice(comma + 1));
	} catch {
		return refuse(`${label} is not base64`);
	}
}
