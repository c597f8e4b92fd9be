/** Names of assets in values. Owns: the mark of a schema for such a name, and finding these names in a value. */

import type * as z from 'zod';
import { replaceMarked } from './marks.ts';

/** Use of an asset. */
export type AssetUse = 'texture' | 'sound' | 'model';

/** Metadata of a schema that names an asset. */
export const namesAsset = (asset: AssetUse) => ({ asset });

/** Returns a value of a schema with each name of an asset of this use replaced by the result of `of`. */
export function replaceAssetNames<T>(
	schema: z.ZodType,
	value: T,
	use: AssetUse,
	of: (name: string) => string,
): T {
	return replaceMarked(schema, value, ({ asset }, part) =>
		asset === use && typeof part === 'string' ? of(part) : undefined,
	) as T;
}

/** Returns the names of assets of this use in a value of a schema, each once. */
export function findAssetNames(schema: z.ZodType, value: unknown, use: AssetUse): Set<string> {
	const found = new Set<string>();
	replaceAssetNames(schema, value, use, (name) => {
		found.add(name);
		return name;
	});
	return found;
}
