/** Names of assets in values. Owns: the mark of a schema for an asset's name, and the search for these names in a value. */

import type * as z from 'zod';
import { replaceMarked } from './marks.ts';

/** Use of an asset. */
export type AssetUse = 'texture' | 'sound' | 'model';

/** Metadata of a schema that names an asset. */
export const namesAsset = (asset: AssetUse) => ({ asset });

/** Returns a value of a schema in which each name of an asset of a use is replaced by the result of `replace`. */
export function replaceAssetNames<T>(
	schema: z.ZodType,
	value: T,
	use: AssetUse,
	replace: (name: string) => string,
): T {
	return replaceMarked(schema, value, ({ asset }, part) =>
		asset === use && typeof part === 'string' ? replace(part) : undefined,
	) as T;
}

/** Returns the names of assets of a use in a value of a schema, each once. */
export function findAssetNames(schema: z.ZodType, value: unknown, use: AssetUse): Set<string> {
	const assetNames = new Set<string>();
	replaceAssetNames(schema, value, use, (name) => {
		assetNames.add(name);
		return name;
	});
	return assetNames;
}
