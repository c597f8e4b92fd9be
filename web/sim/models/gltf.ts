/**
 * Reading of models: glTF 2.0, binary (GLB) or JSON with embedded buffers.
 * Owns: the cache, by which each model is read and checked once. The result depends on the bytes only, so bodies are equal on all
 * machines. Never: decompresses data; draws.
 * https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
 */

import { ApiError, catchRefusal, Refusal } from '../../../shared/contract/errors.ts';
import { mediaTypeOf } from '../../../shared/documents/media-type.ts';
import { findCompressed } from './accessors.ts';
import { checkGltf } from './check-gltf.ts';
import { bufferOf, chunksOf } from './gltf-bytes.ts';
import { type Gltf, parseGltfDocument } from './gltf-document.ts';

/** Models by their bytes, which never change. */
const cache = new WeakMap<Uint8Array, Gltf | Refusal>();

/** Reads a model from its bytes. Throws `asset_refused`. `label`: name of the model in the error. */
export function gltfOf(bytes: Uint8Array, label: string): Gltf {
	let result = cache.get(bytes);
	if (result === undefined) {
		result = catchRefusal(
			() => readGltf(bytes),
			(refusal) => refusal,
		);
		cache.set(bytes, result);
	}
	return withModelRefusal(label, () => {
		if (result instanceof Refusal) throw result;
		return result;
	});
}

/** Runs `work` and turns its refusal into `asset_refused`. `label`: name of the model in the error. */
export function withModelRefusal<T>(label: string, work: () => T): T {
	return catchRefusal(work, ({ message, fix }) => {
		throw new ApiError('asset_refused', `${label} is not a usable model: ${message}.`, { fix });
	});
}

/** Returns true if bytes begin with the signature of a model file. */
export function isModel(bytes: Uint8Array): boolean {
	return mediaTypeOf(bytes).startsWith('model/');
}

function readGltf(bytes: Uint8Array): Gltf {
	const [text, binary] = chunksOf(bytes);
	const json = parseGltfDocument(text);
	const gltf = {
		json,
		buffers: json.buffers.map(({ uri, byteLength }, i) => bufferOf(i, uri, byteLength, binary)),
		compressed: findCompressed(json),
	};
	checkGltf(gltf);
	return gltf;
}
