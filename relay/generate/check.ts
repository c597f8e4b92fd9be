/** Check of a model from a provider before it is stored. It uses the engine's own checks. */

import { ApiError } from '../../shared/contract/errors.ts';
import { gltfOf } from '../../web/sim/models/gltf.ts';
import { ProviderError } from './provider.ts';

const GLB_MAGIC = 'glTF';

/** Throws `ProviderError` unless the bytes are a GLB that the engine accepts. */
export function requireGlb(bytes: Uint8Array): void {
	if (new TextDecoder().decode(bytes.subarray(0, 4)) !== GLB_MAGIC)
		throw new ProviderError('The provider did not send a GLB file.', false);
	try {
		gltfOf(bytes, 'The model');
	} catch (error) {
		if (error instanceof ApiError) throw new ProviderError(error.message, false);
		throw error;
	}
}
