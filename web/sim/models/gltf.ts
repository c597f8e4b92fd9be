/**
 * Models as their bytes say them: glTF 2.0, binary (GLB) or JSON with its buffers inside.
 * Owns: that each is read and checked once. A pure function of the bytes: what bodies are made of comes from here, the
 * same everywhere. Never: decodes what is compressed; draws.
 * https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
 */

import { ApiError, catchRefusal, Refusal } from '../../../shared/contract/errors.ts';
import { mediaTypeOf } from '../../../shared/documents/media-type.ts';
import { compressedIn } from './accessors.ts';
import { checkGltf } from './check-gltf.ts';
import { bufferOf, chunksOf } from './gltf-bytes.ts';
import { documentOf, type Gltf } from './gltf-document.ts';

/** Bytes never change. */
const cache = new WeakMap<Uint8Array, Gltf | Refusal>();

/** Returns the model that bytes are. `what` names it in the refusal: throws `asset_refused`. */
export function gltfOf(bytes: Uint8Array, what: string): Gltf {
	let read = cache.get(bytes);
	if (read === undefined) {
		read = catchRefusal(
			() => readGltf(bytes),
			(refusal) => refusal,
		);
		cache.set(bytes, read);
	}
	return refusing(what, () => {
		if (read instanceof Refusal) throw read;
		return read;
	});
}

/** Runs `work`. `what` names the model in its refusal: throws `asset_refused`. */
export function refusing<T>(what: string, work: () => T): T {
	return catchRefusal(work, ({ message, fix }) => {
		throw new ApiError('asset_refused', `${what} is not a usable model: ${message}.`, { fix });
	});
}

/** Returns true if bytes begin like a model. */
export function isModel(bytes: Uint8Array): boolean {
	return mediaTypeOf(bytes).startsWith('model/');
}

function readGltf(bytes: Uint8Array): Gltf {
	const [text, binary] = chunksOf(bytes);
	const json = documentOf(text);
	const gltf = {
		json,
		buffers: json.buffers.map(({ uri, byteLength }, i) => bufferOf(i, uri, byteLength, binary)),
		compressed: compressedIn(json),
	};
	checkGltf(gltf);
	return gltf;
}
