/**
 * Textures and sounds in what is sent: by whichever name an asset has here.
 * Owns: putting its hash in place of the name, before anything is kept. A name means other bytes, or none, elsewhere
 * and later; a hash means the same everywhere.
 */

import type * as z from 'zod';
import { type AssetUse, findAssetNames, replaceAssetNames } from '../../shared/contract/asset-mark.ts';
import { PICTURE_FIELDS } from '../../shared/media/material.ts';
import { requireTexture } from '../sim/looks/materials.ts';
import { requireClip } from '../sim/sound/sounds.ts';
import type { Assets } from '../store/assets.ts';

const HASH = /^[0-9a-f]{64}$/;

/**
 * Checks for assets that are kept by hash: each refuses other bytes. Models stay under their names, which are shown.
 */
const KEPT: Readonly<Partial<Record<AssetUse, (bytes: Uint8Array, name: string) => unknown>>> = {
	texture: (bytes, name) => requireTexture(bytes, name),
	sound: requireClip,
};

/** Returns true if a text is the name of an asset: not a hash, and not the empty text, which stands for none. */
const isName = (text: string): boolean => text !== '' && !HASH.test(text);

/** The fields that name such assets. */
const FIELDS: readonly string[] = [...PICTURE_FIELDS, 'clip'];

/**
 * Returns a value that fits a schema, with every texture and sound in it named by its hash. Hashes stay as they are:
 * what has to be there is checked where it is used. Throws `asset_missing`, `asset_refused` for what is no picture or
 * no sound, `out_of_room`, and what reading a file throws.
 */
export async function withAssetHashes<T>(assets: Assets, schema: z.ZodType, value: T): Promise<T> {
	if (!hasAssetName(value)) return value;
	let settled = value;
	for (const use of Object.keys(KEPT) as AssetUse[]) {
		const hashes = new Map<string, string>();
		for (const name of findAssetNames(schema, value, use)) {
			if (!isName(name)) continue;
			const { hash, bytes } = await assets.load(name);
			KEPT[use]!(bytes, name);
			hashes.set(name, hash);
		}
		settled = replaceAssetNames(schema, settled, use, (name) => hashes.get(name) ?? name);
	}
	return settled;
}

/** Returns true if a value may contain such a name: most have none, and their schemas need not be searched. */
export function hasAssetName(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (Array.isArray(value)) return value.some(hasAssetName);
	for (const key in value) {
		const part: unknown = value[key as keyof typeof value];
		if (typeof part === 'string' ? FIELDS.includes(key) && isName(part) : hasAssetName(part)) return true;
	}
	return false;
}
