/**
 * Materials of surfaces. View scope: saved and forked, never digested.
 * Owns: the registry of named materials, and the combination of a named material with an entity's own fields.
 */

import * as z from 'zod';
import { Material } from '../../../shared/components/material.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import { imageSize } from '../../../shared/documents/image-size.ts';
import { mediaTypeOf } from '../../../shared/documents/media-type.ts';
import {
	DEFAULT_MATERIAL,
	type MaterialValues,
	materialName,
	materialSchema,
	PICTURE_FIELDS,
	type WholeMaterial,
} from '../../../shared/media/material.ts';
import { refusalOf } from '../core/refusal-of.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import { get, type World } from '../core/world.ts';

export type NamedMaterials = Readonly<Record<string, MaterialValues>>;

export const MaterialRegistry: Resource<NamedMaterials> = {
	name: 'materials',
	scope: 'view',
	summary: 'Named materials',
	schema: z.record(materialName, materialSchema),
	entriesOf: (materials = {}) => materials,
	merge: (present, added) => ({ ...present, ...added }),
	initial: () => ({}),
};

/** Maximum number of pixels of a texture's width and of its height. */
export const MAX_TEXTURE_PIXELS = 8192;

/** Returns all named materials. */
export function namedMaterials(world: World): NamedMaterials {
	return resource(world, MaterialRegistry) ?? {};
}

/** Returns the material with a name, or undefined. */
export function findMaterial(world: World, name: string): MaterialValues | undefined {
	const byName = namedMaterials(world);
	return Object.hasOwn(byName, name) ? byName[name] : undefined;
}

/** Returns the material with a name. Throws `unknown_material`. */
export function requireMaterial(world: World, name: string): MaterialValues {
	const material = findMaterial(world, name);
	if (material !== undefined) return material;
	const fix = suggestion(name, Object.keys(namedMaterials(world)));
	throw new ApiError('unknown_material', `There is no material "${name}".`, { fix });
}

/** Defines a material, which replaces any other of its name. Returns true if there was one. */
export function defineMaterial(world: World, name: string, values: MaterialValues): boolean {
	const isReplaced = findMaterial(world, name) !== undefined;
	setResource(world, MaterialRegistry, { ...namedMaterials(world), [name]: values });
	return isReplaced;
}

/** Removes a material. Entities that name it look as if they named none. Throws `unknown_material`. */
export function removeMaterial(world: World, name: string): void {
	requireMaterial(world, name);
	const { [name]: _, ...rest } = namedMaterials(world);
	setResource(world, MaterialRegistry, rest);
}

/** Returns all fields of a material: from `values`, otherwise from the named material, otherwise the defaults. */
export function wholeMaterial(world: World, name: string | null, values: MaterialValues): WholeMaterial {
	const namedValues = name === null ? undefined : findMaterial(world, name);
	return { ...DEFAULT_MATERIAL, ...namedValues, ...values };
}

/** Returns the material of an entity, or null if it has none. */
export function materialOf(world: World, slot: number): WholeMaterial | null {
	const row = get(world, slot, Material);
	return row === undefined ? null : wholeMaterial(world, row.name, row.values);
}

/** Throws `asset_refused` for bytes that are not a drawable texture. */
export function requireTexture(bytes: Uint8Array, reference: string, path?: string): void {
	const pathOrNone = path === undefined ? {} : { path };
	const media = mediaTypeOf(bytes);
	const size = imageSize(bytes, media);
	if (size === null)
		throw new ApiError('asset_refused', `The asset "${reference}" (${media}) is not a readable picture.`, {
			fix: 'Upload a PNG, JPEG or WebP with POST /asset/upload and send its name or hash.',
			...pathOrNone,
		});
	if (Math.max(size.width, size.height) > MAX_TEXTURE_PIXELS)
		throw new ApiError(
			'asset_refused',
			`The texture "${reference}" has ${size.width} x ${size.height} pixels; at most ${MAX_TEXTURE_PIXELS} x ${MAX_TEXTURE_PIXELS} can be drawn.`,
			{ fix: 'Upload a smaller picture and send its name or hash.', ...pathOrNone },
		);
}

/**
 * Throws `asset_missing` or `asset_refused` unless each picture that a material names by its hash can be drawn. `path`
 * leads to the material.
 */
export function requireTexturesOf(world: World, values: MaterialValues, path = ''): void {
	for (const field of PICTURE_FIELDS) {
		const hash = values[field];
		if (hash === undefined) continue;
		const bytes = world.assets.find(hash);
		if (bytes === undefined)
			throw new ApiError(
				'asset_missing',
				`The material uses the asset "${hash}", which this engine does not have.`,
				{
					fix: 'Upload it with POST /asset/upload, then send the call again.',
					path: `${path}${field}`,
				},
			);
		requireTexture(bytes, hash, `${path}${field}`);
	}
}

/** Returns a warning if a picture of a material is currently not drawn. */
export function textureWarnings(world: World, values: MaterialValues): string[] {
	const refusal = refusalOf(() => requireTexturesOf(world, values));
	return refusal === null ? [] : [`it is drawn without its ${refusal.path}: ${refusal.message}`];
}
