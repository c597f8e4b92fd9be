/**
 * Look of a surface.
 * Owns: the fields of a material, which are the same in calls, spawn documents and the registry of named materials.
 */

import * as z from 'zod';
import { namesAsset } from '../contract/asset-mark.ts';
import { keyText, number, optional, text } from '../contract/values.ts';

/** Returns the schema of a share, 0 to 1. */
const share = (description: string) => number(description, { unit: 'share', min: 0, max: 1 });
const part = z.number().min(0).max(1);
const light = z.number().min(0).max(1000);
const repetitions = z.number().min(1e-3).max(1e4);

/** Cutoff of `mask` without a number. */
const DEFAULT_CUTOFF = 0.5;

export const ALPHA_MODES = ['opaque', 'blend', 'mask'] as const;
export type AlphaMode = (typeof ALPHA_MODES)[number];

/** Schema of an alpha mode: opaque, blend, or mask with the lowest visible alpha. */
const alphaMode = z
	.string()
	.overwrite((word) => word.replace(/\s+/g, '').toLowerCase())
	.regex(/^(?:opaque|blend|mask(?::(?:0(?:\.\d{1,9})?|\.\d{1,9}|1(?:\.0{1,9})?))?)$/)
	.describe(
		`opaque; blend: alpha makes it transparent; mask:CUTOFF: drawn if alpha is at least CUTOFF (0 to 1, default ${DEFAULT_CUTOFF})`,
	)
	.meta({ examples: ALPHA_MODES.map((mode) => (mode === 'mask' ? `mask:${DEFAULT_CUTOFF}` : mode)) });

/** Returns the mode and the cutoff of a stored alpha mode. */
export function alphaModeOf(stored: string): { readonly mode: AlphaMode; readonly cutoff: number } {
	const [mode, cutoff] = stored.split(':');
	return { mode: mode as AlphaMode, cutoff: cutoff === undefined ? DEFAULT_CUTOFF : Number(cutoff) };
}

/** Returns the schema of a picture on a surface. Worlds store its hash. */
const picture = (description: string) =>
	text(
		`${description}. SHA-256 of a PNG, JPEG or WebP asset of at most 8192 x 8192 pixels, or its name or path, which is stored as the SHA-256`,
		400,
	).meta(namesAsset('texture'));

/** Names of the fields that name a picture. */
export const PICTURE_FIELDS = ['texture', 'normal_texture', 'occlusion_texture'] as const;

const fields = {
	albedo: z
		.tuple([part, part, part, part])
		.describe('Base colour as sRGB red, green, blue and alpha [r, g, b, a], each 0 to 1; replaces `color`')
		.meta({ unit: 'share' }),
	metallic: share('Metalness: 0 paint, 1 metal'),
	roughness: share('Roughness: 0 mirror, 1 chalk'),
	emissive: z
		.tuple([light, light, light])
		.describe('Light it emits [r, g, b], linear, 1 is white; more glows with bloom')
		.meta({ unit: 'factor' }),
	alpha_mode: alphaMode,
	unlit: z
		.boolean()
		.describe('true: it shows its colour and `emissive` as they are, without light and shadow'),
	transmission: share(
		'Share of light that passes through it, coloured by albedo; roughness blurs what is behind. Metal transmits none',
	),
	texture: picture('Picture on the surface, multiplied with albedo'),
	normal_texture: picture(
		'Bumps of the surface, a normal map as glTF has it: red to the right, green up, blue outwards',
	),
	normal_scale: number('Height of the bumps of `normal_texture`; below 0 they are dents', {
		unit: 'factor',
		min: -10,
		max: 10,
	}),
	occlusion_texture: picture('Hollows of the surface: red is the share of indirect light that reaches it'),
	occlusion_strength: share('Strength of `occlusion_texture`'),
	repeat: z
		.tuple([repetitions, repetitions])
		.describe('Repetitions of the pictures over the shape [across, up]')
		.meta({ unit: 'times' }),
	tile: number(
		'Metres after which the pictures repeat on a shape, whatever its size: a wall and a floor of the same stone; replaces `repeat`. Models keep `repeat`',
		{ unit: 'm', min: 0.01, max: 1000 },
	),
};

/** Fields in requests. Null has the same effect as omitting a field. */
export const materialFields = {
	albedo: optional(fields.albedo),
	metallic: optional(fields.metallic),
	roughness: optional(fields.roughness),
	emissive: optional(fields.emissive),
	alpha_mode: optional(fields.alpha_mode),
	unlit: optional(fields.unlit),
	transmission: optional(fields.transmission),
	texture: optional(fields.texture),
	normal_texture: optional(fields.normal_texture),
	normal_scale: optional(fields.normal_scale),
	occlusion_texture: optional(fields.occlusion_texture),
	occlusion_strength: optional(fields.occlusion_strength),
	repeat: optional(fields.repeat),
	tile: optional(fields.tile),
};

type SentMaterial = z.output<z.ZodObject<typeof materialFields>>;

/** Fields of a material in a world. */
export const materialSchema = z.strictObject(fields).partial();

/** Values of a material. Missing values come from a named material or from the defaults. */
export type MaterialValues = Readonly<z.output<typeof materialSchema>>;

/** A material with all values. With `albedo` null, the surface has the colour of the entity. */
export type WholeMaterial = {
	readonly [K in keyof Required<MaterialValues>]: NonNullable<MaterialValues[K]> | null;
} & {
	readonly metallic: number;
	readonly roughness: number;
	readonly emissive: readonly [number, number, number];
	readonly alpha_mode: string;
	readonly unlit: boolean;
	readonly transmission: number;
	readonly normal_scale: number;
	readonly occlusion_strength: number;
	readonly repeat: readonly [number, number];
};

export const DEFAULT_MATERIAL: WholeMaterial = {
	albedo: null,
	metallic: 0,
	roughness: 0.5,
	emissive: [0, 0, 0],
	alpha_mode: 'opaque',
	unlit: false,
	transmission: 0,
	texture: null,
	normal_texture: null,
	normal_scale: 1,
	occlusion_texture: null,
	occlusion_strength: 1,
	repeat: [1, 1],
	tile: null,
};

/** Schema of a material in answers. */
export const wholeMaterial = z.strictObject({
	albedo: materialFields.albedo.unwrap().describe('Base colour [r, g, b, a]; null: the colour of the entity'),
	metallic: share('Metalness'),
	roughness: share('Roughness'),
	emissive: z.tuple([light, light, light]).describe('Light it emits [r, g, b]'),
	alpha_mode: z.string().describe('opaque, blend or mask:CUTOFF'),
	unlit: z.boolean().describe('true: no light and shadow on it'),
	transmission: share('Share of light that passes through it'),
	texture: z.string().nullable().describe('SHA-256 of the picture on it, or null'),
	normal_texture: z.string().nullable().describe('SHA-256 of the picture of its bumps, or null'),
	normal_scale: z.number().describe('Height of the bumps'),
	occlusion_texture: z.string().nullable().describe('SHA-256 of the picture of its occlusion, or null'),
	occlusion_strength: share('Strength of the occlusion'),
	repeat: z.tuple([repetitions, repetitions]).describe('Repetitions of the pictures [across, up]'),
	tile: z.number().nullable().describe('Metres after which the pictures repeat; null: by `repeat`'),
});

/** Schema of the name of a material. */
export const materialName = keyText('Name', 100);

/** Returns the values of a document without those that are null. */
export function materialValues(document: SentMaterial): MaterialValues {
	return Object.fromEntries(
		Object.keys(materialFields).flatMap((key) => {
			const value = document[key as keyof SentMaterial];
			return value == null ? [] : [[key, value]];
		}),
	);
}
