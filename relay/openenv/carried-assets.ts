/** Assets in a checkpoint. Owns: the limit on their size, and the search for missing ones. */

import { createHash } from 'node:crypto';
import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import type { EngineCalls } from './engine-calls.ts';
import { OpenEnvError } from './requests.ts';

/** Maximum bytes of all assets in a checkpoint. As base64 they take at most half of the document. */
const MAX_BYTES = MAX_DOCUMENT_BYTES * 0.375;

interface AssetList {
	readonly assets: readonly { readonly hash: string; readonly bytes: number }[];
	readonly bytes: number;
}

const listAssets = async (calls: EngineCalls): Promise<AssetList> =>
	(await calls.requireSuccess('GET', '/asset/list')) as unknown as AssetList;

/** Returns the assets of a server as base64. Throws if they are too large for a checkpoint. */
export async function exportAssets(calls: EngineCalls): Promise<string[]> {
	const { assets, bytes } = await listAssets(calls);
	if (bytes > MAX_BYTES)
		throw new OpenEnvError(
			'EXECUTION_ERROR',
			`The assets of this server have ${bytes} bytes; a checkpoint carries at most ${MAX_BYTES}.`,
			'Delete assets that no world uses, with DELETE /asset/{hash}.',
			409,
		);
	return Promise.all(assets.map(async ({ hash }) => calls.readBase64(`/asset/${hash}`)));
}

/** Returns the assets, as base64, that a server does not have. */
export async function missingAssets(calls: EngineCalls, assets: readonly string[]): Promise<string[]> {
	const presentHashes = new Set((await listAssets(calls)).assets.map(({ hash }) => hash));
	const hashOf = (data: string) => createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex');
	return assets.filter((data) => !presentHashes.has(hashOf(data)));
}
