/** Kinds of files that worlds can use. Owns: their names, and recognising them by their first bytes. */

/** Media types that `POST /asset/upload` takes as bytes; the last is for all other files. */
export const MEDIA_TYPES = [
	'model/gltf-binary',
	'model/gltf+json',
	'image/png',
	'image/jpeg',
	'image/webp',
	'audio/wav',
	'audio/ogg',
	'audio/mpeg',
	'application/octet-stream',
] as const;

export type MediaType = (typeof MEDIA_TYPES)[number];

export const ANY_BYTES: MediaType = 'application/octet-stream';

/** Returns true if the bytes from `at` on are this ASCII text. */
function reads(bytes: Uint8Array, at: number, text: string): boolean {
	if (bytes.length < at + text.length) return false;
	for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
	return true;
}

/** Returns the kind of a file by its first bytes, whatever its name says. */
export function mediaTypeOf(bytes: Uint8Array): MediaType {
	if (reads(bytes, 0, 'glTF')) return 'model/gltf-binary';
	if (reads(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'image/png';
	if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
	if (reads(bytes, 0, 'RIFF') && reads(bytes, 8, 'WEBP')) return 'image/webp';
	if (reads(bytes, 0, 'RIFF') && reads(bytes, 8, 'WAVE')) return 'audio/wav';
	if (reads(bytes, 0, 'OggS')) return 'audio/ogg';
	// An ID3 tag, or the sync word of a layer III frame.
	if (reads(bytes, 0, 'ID3') || (bytes[0] === 0xff && (bytes[1]! & 0xe6) === 0xe2)) return 'audio/mpeg';
	if (isGltf(bytes)) return 'model/gltf+json';
	return ANY_BYTES;
}

/** JSON whose first object names `asset`, as a glTF's must; some writers put it behind megabytes of others. */
function isGltf(bytes: Uint8Array): boolean {
	const decoder = new TextDecoder();
	if (!decoder.decode(bytes.subarray(0, 64)).trimStart().startsWith('{')) return false;
	return /"asset"\s*:\s*\{/.test(decoder.decode(bytes));
}
