/** Names of assets in values. Owns: the mark of a schema for such a name, and finding these names in a value. */

import type * as z from 'zod';
import { replaceMarked } from './marks.ts';

/** Use of an asset. */
export type AssetUse = 'texture' | 'sound' | 'model';

/** Metadata of a schema that names an asset. */
export const namesAsset = (asset: AssetUse) => ({ asset });

/** Returns a value that fits a schema, with each name in it of an asset of this use replaced by what `of` says. */
export function withAssets<T>(schema: z.ZodType, value: T, use: AssetUse, of: (name: string) => string): T {
	return replaceMarked(schema, value, ({ asset }, part) =>
		asset === use && typeof part === 'string' ? of(part) : undefined,
	) as T;
}

/** Returns all that a value, which fits a schema, names of assets of this use, each once. */
export function assetsNamed(schema: z.ZodType, value: unknown, use: AssetUse): Set<string> {
	const named = new Set<string>();
	withAssets(schema, value, use, (name) => {
		named.add(name);
		return name;
	});
	return named;
}
