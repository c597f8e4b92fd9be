/**
 * The document of a glTF 2.0 model.
 * Owns: the schema of the document, and the limits of a model.
 * https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
 */

import * as z from 'zod';
import { Refusal } from '../../../shared/contract/errors.ts';

/** Limits of one model. */
export const MAX_IN_MODEL = {
	/** Vertices of all primitives together. */
	vertices: 2_000_000,
	indices: 6_000_000,
	nodes: 10_000,
	/** Primitives, each of which is one draw call. */
	primitives: 2000,
	joints: 512,
	clips: 256,
	/** Nodes that are lights. */
	lights: 64,
	channels: 20_000,
	/** Width and height of a picture (pixels). */
	picture: 8192,
	/** Pixels of all pictures together. */
	pixels: 2 ** 28,
	/** Numbers of all accessors together. */
	numbers: 100_000_000,
	/** Bytes of all compressed views together, after decompression. */
	unpacked: 2 ** 28,
	/** Levels of nodes within nodes. */
	depth: 64,
	/** Entries of each list without a limit of its own. */
	others: 100_000,
	/** Characters of a name. */
	name: 1000,
	/** Duration of a clip. */
	seconds: 100_000,
} as const;

/** Mode of a primitive that consists of triangles. Lower modes are points and lines; higher modes are strips and fans. */
export const TRIANGLES = 4;

const index = z.int().min(0);
const size = z.int().min(0);
const list = <T extends z.ZodType>(item: T, max: number = MAX_IN_MODEL.others) =>
	z.array(item).max(max).default([]);
const finite = z.number();
const name = z
	.string()
	.max(MAX_IN_MODEL.name)
	.refine((letters) => letters.isWellFormed(), 'half of a character')
	.optional();

const meshopt = z.looseObject({
	buffer: index,
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
	/** Metres; unlimited if missing. */
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
	scene: index.optional(),
	scenes: list(z.looseObject({ nodes: list(index) })),
	nodes: list(
		z.looseObject({
			name,
			children: list(index),
			mesh: index.optional(),
			skin: index.optional(),
			camera: index.optional(),
			extensions: z
				.looseObject({ KHR_lights_punctual: z.looseObject({ light: index }).optional() })
				.default({}),
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
						attributes: z.record(z.string(), index),
						indices: index.optional(),
						material: index.optional(),
						mode: z.int().min(0).max(6).default(TRIANGLES),
						targets: list(z.record(z.string(), index), 256),
						extensions,
					}),
				)
				.min(1)
				.max(MAX_IN_MODEL.primitives),
		}),
	),
	skins: list(
		z.looseObject({
			inverseBindMatrices: index.optional(),
			joints: z.array(index).min(1).max(MAX_IN_MODEL.joints),
		}),
	),
	animations: list(
		z.looseObject({
			name,
			channels: z
				.array(
					z.looseObject({
						sampler: index,
						target: z.looseObject({ node: index.optional(), path: z.string() }),
					}),
				)
				.max(MAX_IN_MODEL.channels),
			samplers: z
				.array(
					z.looseObject({
						input: index,
						output: index,
						interpolation: z.enum(['LINEAR', 'STEP', 'CUBICSPLINE']).default('LINEAR'),
					}),
				)
				.max(MAX_IN_MODEL.channels),
		}),
		MAX_IN_MODEL.clips,
	),
	accessors: list(
		z.looseObject({
			bufferView: index.optional(),
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
						bufferView: index,
						byteOffset: size.default(0),
						componentType: z.literal([5121, 5123, 5125]),
					}),
					values: z.looseObject({ bufferView: index, byteOffset: size.default(0) }),
				})
				.optional(),
		}),
	),
	bufferViews: list(
		z.looseObject({
			buffer: index,
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
	images: list(z.looseObject({ bufferView: index.optional(), uri: z.string().optional() })),
	textures: list(
		z.looseObject({
			source: index.optional(),
			extensions: z
				.looseObject({ EXT_texture_webp: z.looseObject({ source: index }).optional() })
				.default({}),
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
	/** Bytes of each buffer; null for a placeholder, whose data is compressed in another buffer. */
	readonly buffers: readonly (Uint8Array | null)[];
	/** Accessors whose numbers are compressed. */
	readonly compressed: ReadonlySet<number>;
}

const DEFAULT_FIX = 'Send a glTF 2.0 model as one GLB file. Blender and gltf-transform write such files.';

/** Throws a Refusal of a model. */
export function refuse(reason: string, fix = DEFAULT_FIX): never {
	throw new Refusal(reason, fix);
}

/** Parses and checks the JSON of a model. Refuses invalid documents. */
export function parseGltfDocument(text: Uint8Array): GltfDocument {
	let json: unknown;
	try {
		json = JSON.parse(new TextDecoder().decode(text));
	} catch {
		refuse('its JSON cannot be read');
	}
	const parsed = document.safeParse(json);
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		refuse(`${issue!.path.join('.') || 'it'}: ${issue!.message}`);
	}
	return parsed.data;
}
