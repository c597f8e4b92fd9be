/** Media types of files that worlds can use. Owns: the list of types, and recognising a file by its bytes. */

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

/** Returns true if the bytes from `start` on are an ASCII text. */
function hasText(bytes: Uint8Array, start: number, text: string): boolean {
	if (bytes.length < start + text.length) return false;
	for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
	return true;
}

/** Returns the media type of a file by its bytes. Its name does not matter. */
export function mediaTypeOf(bytes: Uint8Array): MediaType {
	if (hasText(bytes, 0, 'glTF')) return 'model/gltf-binary';
	if (hasText(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'image/png';
	if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
	if (hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, 'WEBP')) return 'image/webp';
	if (hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, 'WAVE')) return 'audio/wav';
	if (hasText(bytes, 0, 'OggS')) return 'audio/ogg';
	// MP3 files begin with an ID3 tag or the sync word of a layer III frame.
	if (hasText(bytes, 0, 'ID3') || (bytes[0] === 0xff && (bytes[1]! & 0xe6) === 0xe2)) return 'audio/mpeg';
	if (isGltf(bytes)) return 'model/gltf+json';
	return ANY_BYTES;
}

/** Returns true for JSON with an object `asset`, which each glTF has. It may come after megabytes of other fields. */
function isGltf(bytes: Uint8Array): boolean {
	const decoder = new TextDecoder();
	if (!decoder.decode(bytes.subarray(0, 64)).trimStart().startsWith('{')) return false;
	return /"asset"\s*:\s*\{/.test(decoder.decode(bytes));
}
