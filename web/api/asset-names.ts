/**
 * Names of textures and sounds in the values that callers send.
 * Owns: the replacement of each name by the asset's hash before the value is stored. A name may lead to other bytes later, but a
 * hash never does.
 */

import type * as z from 'zod';
import { type AssetUse, findAssetNames, replaceAssetNames } from '../../shared/contract/asset-mark.ts';
import { PICTURE_FIELDS } from '../../shared/media/material.ts';
import { requireTexture } from '../sim/looks/materials.ts';
import { requireClip } from '../sim/sound/sounds.ts';
import type { Assets } from '../store/assets.ts';

const HASH = /^[0-9a-f]{64}$/;

/**
 * Checks of assets that are stored by hash. Each throws if the bytes are of another kind. Models keep their names, which answers show.
 */
const ASSET_CHECKS: Readonly<Partial<Record<AssetUse, (bytes: Uint8Array, name: string) => unknown>>> = {
	texture: (bytes, name) => requireTexture(bytes, name),
	sound: requireClip,
};

/** Returns true if a text is the name of an asset: not a hash, and not the empty text, which means no asset. */
const isName = (text: string): boolean => text !== '' && !HASH.test(text);

/** Fields that name textures and sounds. */
const FIELDS: readonly string[] = [...PICTURE_FIELDS, 'clip'];

/**
 * Returns a value with the names of all textures and sounds replaced by their hashes. Hashes are kept: their assets are checked
 * when they are used. Throws `asset_missing`, `out_of_room`, errors of reading a file, and `asset_refused` if the bytes are not a
 * picture or
 * a sound.
 */
export async function withAssetHashes<T>(assets: Assets, schema: z.ZodType, value: T): Promise<T> {
	if (!hasAssetName(value)) return value;
	let replaced = value;
	for (const use of Object.keys(ASSET_CHECKS) as AssetUse[]) {
		const hashes = new Map<string, string>();
		for (const name of findAssetNames(schema, value, use)) {
			if (!isName(name)) continue;
			const { hash, bytes } = await assets.load(name);
			ASSET_CHECKS[use]!(bytes, name);
			hashes.set(name, hash);
		}
		replaced = replaceAssetNames(schema, replaced, use, (name) => hashes.get(name) ?? name);
	}
	return replaced;
}

/** Returns true if a value may contain the name of an asset. Most values have none, so their schemas need not be searched. */
export function hasAssetName(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (Array.isArray(value)) return value.some(hasAssetName);
	for (const key in value) {
		const part: unknown = value[key as keyof typeof value];
		if (typeof part === 'string' ? FIELDS.includes(key) && isName(part) : hasAssetName(part)) return true;
	}
	return false;
}
