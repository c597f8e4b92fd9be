/**
 * The document of a glTF 2.0 model.
 * Owns: its shape, and the limits of what it may have.
 * https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
 */

import * as z from 'zod';
import { Refusal } from '../../../shared/contract/errors.ts';

/** Most of each in one model. */
export const MAX_IN_MODEL = {
	/** Of all primitives together. */
	vertices: 2_000_000,
	indices: 6_000_000,
	nodes: 10_000,
	/** Draws. */
	primitives: 2000,
	joints: 512,
	clips: 256,
	/** Nodes that are lights. */
	lights: 64,
	channels: 20_000,
	/** Along each side of a picture, and in all pictures together (pixels). */
	picture: 8192,
	pixels: 2 ** 28,
	/** In all accessors together, and bytes in all that is packed. */
	numbers: 100_000_000,
	unpacked: 2 ** 28,
	/** Levels of nodes within nodes. */
	depth: 64,
	others: 100_000,
	/** Letters of a name. */
	name: 1000,
	/** Of a clip. */
	seconds: 100_000,
} as const;

export const TRIANGLES = 4;

const at = z.int().min(0);
const size = z.int().min(0);
const list = <T extends z.ZodType>(item: T, most: number = MAX_IN_MODEL.others) =>
	z.array(item).max(most).default([]);
const finite = z.number();
const name = z
	.string()
	.max(MAX_IN_MODEL.name)
	.refine((letters) => letters.isWellFormed(), 'half of a character')
	.optional();

const meshopt = z.looseObject({
	buffer: at,
	byteOffset: size.default(0),
	byteLength: size,
	byteStride: z.int().min(1).max(256),
	count: z.int().min(1).max(MAX_IN_MODEL.indices),
});

const extensions = z.record(z.string(), z.unknown()).default({});

const light = z.looseObject({
	type: z.enum(['directional', 'point', 'spot']),
	/** Linear. */
	color: z.array(finite).length(3).default([1, 1, 1]),
	/** Candela, or lux of a directional light. */
	intensity: z.number().min(0).default(1),
	/** Metres; without end if missing. */
	range: z.number().positive().optional(),
	spot: z
		.looseObject({
			outerConeAngle: z
				.number()
				.positive()
				.default(Math.PI / 4),
		})
		.default({ outerConeAngle: Math.PI / 4 }),
});

const object = z.record(z.string(), z.unknown());

const document = z.looseObject({
	asset: z.looseObject({ version: z.string().regex(/^2\.\d+$/, 'only version 2 is supported') }),
	extensionsUsed: list(z.string()),
	extensionsRequired: list(z.string()),
	extensions: z
		.looseObject({ KHR_lights_punctual: z.looseObject({ lights: list(light) }).optional() })
		.default({}),
	scene: at.optional(),
	scenes: list(z.looseObject({ nodes: list(at) })),
	nodes: list(
		z.looseObject({
			name,
			children: list(at),
			mesh: at.optional(),
			skin: at.optional(),
			camera: at.optional(),
			extensions: z.looseObject({ KHR_lights_punctual: z.looseObject({ light: at }).optional() }).default({}),
			matrix: z.array(finite).length(16).optional(),
			translation: z.array(finite).length(3).optional(),
			rotation: z.array(finite).length(4).optional(),
			scale: z.array(finite).length(3).optional(),
		}),
		MAX_IN_MODEL.nodes,
	),
	meshes: list(
		z.looseObject({
			name,
			primitives: z
				.array(
					z.looseObject({
						attributes: z.record(z.string(), at),
						indices: at.optional(),
						material: at.optional(),
						mode: z.int().min(0).max(6).default(TRIANGLES),
						targets: list(z.record(z.string(), at), 256),
						extensions,
					}),
				)
				.min(1)
				.max(MAX_IN_MODEL.primitives),
		}),
	),
	skins: list(
		z.looseObject({
			inverseBindMatrices: at.optional(),
			joints: z.array(at).min(1).max(MAX_IN_MODEL.joints),
		}),
	),
	animations: list(
		z.looseObject({
			name,
			channels: z
				.array(
					z.looseObject({ sampler: at, target: z.looseObject({ node: at.optional(), path: z.string() }) }),
				)
				.max(MAX_IN_MODEL.channels),
			samplers: z
				.array(
					z.looseObject({
						input: at,
						output: at,
						interpolation: z.enum(['LINEAR', 'STEP', 'CUBICSPLINE']).default('LINEAR'),
					}),
				)
				.max(MAX_IN_MODEL.channels),
		}),
		MAX_IN_MODEL.clips,
	),
	accessors: list(
		z.looseObject({
			bufferView: at.optional(),
			byteOffset: size.default(0),
			componentType: z.literal([5120, 5121, 5122, 5123, 5125, 5126]),
			normalized: z.boolean().default(false),
			count: z.int().min(1).max(MAX_IN_MODEL.indices),
			type: z.literal(['SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT2', 'MAT3', 'MAT4']),
			min: z.array(finite).optional(),
			max: z.array(finite).optional(),
			sparse: z
				.looseObject({
					count: z.int().min(1).max(MAX_IN_MODEL.indices),
					indices: z.looseObject({
						bufferView: at,
						byteOffset: size.default(0),
						componentType: z.literal([5121, 5123, 5125]),
					}),
					values: z.looseObject({ bufferView: at, byteOffset: size.default(0) }),
				})
				.optional(),
		}),
	),
	bufferViews: list(
		z.looseObject({
			buffer: at,
			byteOffset: size.default(0),
			byteLength: z.int().min(1),
			byteStride: z.int().min(4).max(252).optional(),
			extensions: z
				.looseObject({
					EXT_meshopt_compression: meshopt.optional(),
					KHR_meshopt_compression: meshopt.optional(),
				})
				.optional(),
		}),
	),
	buffers: list(z.looseObject({ byteLength: size, uri: z.string().optional() })),
	images: list(z.looseObject({ bufferView: at.optional(), uri: z.string().optional() })),
	textures: list(
		z.looseObject({
			source: at.optional(),
			extensions: z.looseObject({ EXT_texture_webp: z.looseObject({ source: at }).optional() }).default({}),
		}),
	),
	materials: list(
		z.looseObject({
			pbrMetallicRoughness: object.default({}),
			extensions: z.record(z.string(), object).default({}),
		}),
	),
	cameras: list(z.looseObject({})),
});

export type GltfDocument = z.output<typeof document>;
export type Primitive = GltfDocument['meshes'][number]['primitives'][number];
export type Animation = GltfDocument['animations'][number];

export interface Gltf {
	readonly json: GltfDocument;
	/** The bytes of each buffer; null for one that only stands for what is compressed elsewhere. */
	readonly buffers: readonly (Uint8Array | null)[];
	/** Accessors whose numbers are compressed. */
	readonly compressed: ReadonlySet<number>;
}

const SEND_ONE = 'Send a glTF 2.0 model as one GLB file. Blender and gltf-transform write such files.';

export function refuse(why: string, fix = SEND_ONE): never {
	throw new Refusal(why, fix);
}

/** Returns the document that JSON is. */
export function documentOf(text: Uint8Array): GltfDocument {
	let sent: unknown;
	try {
		sent = JSON.parse(new TextDecoder().decode(text));
	} catch {
		refuse('its JSON cannot be read');
	}
	const read = document.safeParse(sent);
	if (!read.success) {
		const [issue] = read.error.issues;
		refuse(`${issue!.path.join('.') || 'it'}: ${issue!.message}`);
	}
	return read.data;
}
