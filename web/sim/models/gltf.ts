/**
 * Models as their bytes say them: glTF 2.0, binary (GLB) or JSON with its buffers inside.
 * Owns: what is a model and what is refused, in one list of checks, which is why the file is long; nodes, and where things
 * are. A pure function of the bytes: what bodies are made of comes from here, the same everywhere. Never: decodes what is
 * compressed; draws.
 * https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
 */

import * as z from 'zod';
import { ApiError, catchRefusal, Refusal } from '../../../shared/contract/errors.ts';
import { imageSize } from '../../../shared/documents/image-size.ts';
import { mediaTypeOf } from '../../../shared/documents/media-type.ts';
import { fromBase64 } from '../core/base64.ts';
import { compressedIn, isReadable, meshoptOf, numbersOf, PARTS, WIDTH } from './accessors.ts';
import { DRAWN_EXTENSIONS, hasSun, INSTANCES, pictureOf, texturesOf } from './drawing.ts';
import { IDENTITY, type Matrix, multiply, placed } from './matrix.ts';

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

export const GLB_MAGIC = 0x46546c67;
export const JSON_CHUNK = 0x4e4f534a;
export const BINARY_CHUNK = 0x004e4942;
const TRIANGLES = 4;

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
type Primitive = GltfDocument['meshes'][number]['primitives'][number];
type Animation = GltfDocument['animations'][number];

export interface Gltf {
	readonly json: GltfDocument;
	/** The bytes of each buffer; null for one that only stands for what is compressed elsewhere. */
	readonly buffers: readonly (Uint8Array | null)[];
	/** Accessors whose numbers are compressed. */
	readonly compressed: ReadonlySet<number>;
}

/** A mesh where it stands in the model. */
export interface Placed {
	readonly mesh: number;
	readonly skin: number | undefined;
	readonly node: number;
	readonly matrix: Matrix;
}

const SEND_ONE = 'Send a glTF 2.0 model as one GLB file. Blender and gltf-transform write such files.';

export function refuse(why: string, fix = SEND_ONE): never {
	throw new Refusal(why, fix);
}

/** Bytes never change. */
const known = new WeakMap<Uint8Array, Gltf | Refusal>();

/** The model that bytes are. `what` names it in the refusal: throws `asset_refused`. */
export function gltfOf(bytes: Uint8Array, what: string): Gltf {
	let read = known.get(bytes);
	if (read === undefined) {
		read = catchRefusal(
			() => checked(parsed(bytes)),
			(refusal) => refusal,
		);
		known.set(bytes, read);
	}
	return refusing(what, () => {
		if (read instanceof Refusal) throw read;
		return read;
	});
}

/** Runs `work`. `what` names the model in its refusal: throws `asset_refused`. */
export function refusing<T>(what: string, work: () => T): T {
	return catchRefusal(work, ({ message, fix }) => {
		throw new ApiError('asset_refused', `${what} is not a usable model: ${message}.`, { fix });
	});
}

/** Returns true if bytes begin like a model. */
export function isModel(bytes: Uint8Array): boolean {
	return mediaTypeOf(bytes).startsWith('model/');
}

function parsed(bytes: Uint8Array): Gltf {
	const [text, binary] = chunksOf(bytes);
	const json = documentOf(text);
	return {
		json,
		buffers: json.buffers.map(({ uri, byteLength }, i) => bufferOf(i, uri, byteLength, binary)),
		compressed: compressedIn(json),
	};
}

/** The document that JSON is. */
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

/** The JSON, and the binary chunk if there is one. */
export function chunksOf(bytes: Uint8Array): [Uint8Array, Uint8Array | null] {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (bytes.length < 12 || view.getUint32(0, true) !== GLB_MAGIC) return [bytes, null];
	if (view.getUint32(4, true) !== 2) refuse('its GLB version is not 2');
	if (view.getUint32(8, true) > bytes.length) refuse('it is cut off');
	const chunk = (from: number, kind: number): Uint8Array | null => {
		if (from + 8 > bytes.length) return null;
		const end = from + 8 + view.getUint32(from, true);
		if (end > bytes.length) refuse('it is cut off');
		return view.getUint32(from + 4, true) === kind ? bytes.subarray(from + 8, end) : null;
	};
	const json = chunk(12, JSON_CHUNK) ?? refuse('it has no JSON');
	return [json, chunk(20 + json.length, BINARY_CHUNK)];
}

function bufferOf(
	index: number,
	uri: string | undefined,
	length: number,
	binary: Uint8Array | null,
): Uint8Array | null {
	if (uri === undefined && (index > 0 || binary === null)) return null;
	const bytes = uri === undefined ? binary! : dataOf(uri, `buffer ${index}`);
	if (bytes.length < length) refuse(`buffer ${index} has only ${bytes.length} of ${length} bytes`);
	return bytes;
}

/** The bytes of a data: address. */
function dataOf(uri: string, what: string): Uint8Array {
	if (!uri.startsWith('data:'))
		refuse(
			`${what} is in another file, "${uri.slice(0, 200)}"`,
			'Put the .gltf and its files in the data folder and send its path, or send one GLB file.',
		);
	const comma = uri.indexOf(',');
	if (!uri.slice(0, comma).endsWith(';base64')) refuse(`${what} is a data: URL without base64`);
	try {
		return fromBase64(uri.slice(comma + 1));
	} catch {
		return refuse(`${what} is not base64`);
	}
}

function checked(gltf: Gltf): Gltf {
	const { json, buffers } = gltf;
	if (json.extensionsRequired.includes('KHR_lights_punctual') && hasSun(json))
		refuse('it requires directional lights of KHR_lights_punctual, which this engine cannot draw');
	const strange = json.extensionsRequired.find((one) => !DRAWN_EXTENSIONS.includes(one));
	if (strange !== undefined)
		refuse(
			`it requires ${strange}, which this engine cannot draw`,
			`Export the model as one GLB file, without ${strange} or with it as an optional extension.`,
		);
	const within = (index: number | undefined, { length }: readonly unknown[], what: string): void => {
		if (index !== undefined && index >= length)
			refuse(`it refers to ${what} ${index}, but has only ${length}`);
	};
	json.bufferViews.forEach((view, i) => {
		within(view.buffer, buffers, 'buffer');
		const packed = meshoptOf(view);
		const { buffer, byteOffset, byteLength } = packed ?? view;
		within(buffer, buffers, 'buffer');
		const held = buffers[buffer];
		if (held == null) refuse(`buffer ${buffer} has no bytes`);
		if (byteOffset + byteLength > held.length) refuse(`buffer view ${i} extends beyond its buffer`);
		if (packed !== undefined && packed.count * packed.byteStride !== view.byteLength)
			refuse(`the byteLength of buffer view ${i} does not match its compressed content`);
	});
	json.accessors.forEach((accessor, i) => {
		const { byteOffset, count, sparse } = accessor;
		const own = PARTS[accessor.type] * WIDTH[accessor.componentType];
		const inView = (index: number, from: number, items: number, each: number, stride?: number): void => {
			within(index, json.bufferViews, 'buffer view');
			const end = from + (items - 1) * (stride ?? each) + each;
			if (end > json.bufferViews[index]!.byteLength) refuse(`accessor ${i} extends beyond its buffer view`);
		};
		if (accessor.bufferView !== undefined)
			inView(accessor.bufferView, byteOffset, count, own, json.bufferViews[accessor.bufferView]?.byteStride);
		if (sparse === undefined) return;
		const { indices, values } = sparse;
		if (sparse.count > count) refuse(`accessor ${i} replaces ${sparse.count} items, but has only ${count}`);
		inView(indices.bufferView, indices.byteOffset, sparse.count, WIDTH[indices.componentType]);
		inView(values.bufferView, values.byteOffset, sparse.count, own);
	});
	const unpacked = json.bufferViews.reduce(
		(sum, view) => (meshoptOf(view) === undefined ? sum : sum + view.byteLength),
		0,
	);
	if (unpacked > MAX_IN_MODEL.unpacked)
		refuse(`it has ${unpacked} bytes when unpacked; the limit is ${MAX_IN_MODEL.unpacked}`);
	const numbers = json.accessors.reduce((sum, { count, type }) => sum + count * PARTS[type], 0);
	if (numbers > MAX_IN_MODEL.numbers)
		refuse(`its accessors have ${numbers} numbers; the limit is ${MAX_IN_MODEL.numbers}`);
	if (json.scenes.length === 0) refuse('it has no scene');
	for (const { nodes } of json.scenes) for (const node of nodes) within(node, json.nodes, 'node');
	within(json.scene ?? 0, json.scenes, 'scene');
	for (const node of json.nodes) {
		for (const child of node.children) within(child, json.nodes, 'node');
		within(node.mesh, json.meshes, 'mesh');
		within(node.skin, json.skins, 'skin');
		within(node.camera, json.cameras, 'camera');
		const { lights = [] } = json.extensions.KHR_lights_punctual ?? {};
		within(node.extensions.KHR_lights_punctual?.light, lights, 'light');
		if (Object.hasOwn(node.extensions, INSTANCES))
			refuse(`it uses ${INSTANCES}, which this engine does not support; spawn several entities instead`);
	}
	const lights = json.nodes.filter(({ extensions }) => extensions.KHR_lights_punctual !== undefined).length;
	if (lights > MAX_IN_MODEL.lights) refuse(`it has ${lights} lights; the limit is ${MAX_IN_MODEL.lights}`);
	for (const { joints, inverseBindMatrices } of json.skins) {
		for (const joint of joints) within(joint, json.nodes, 'node');
		within(inverseBindMatrices, json.accessors, 'accessor');
		const held = json.accessors[inverseBindMatrices ?? -1];
		if (held !== undefined && (held.type !== 'MAT4' || held.count < joints.length))
			refuse('a skin has fewer matrices than joints');
	}
	for (const { channels, samplers } of json.animations) {
		for (const { sampler, target } of channels) {
			within(sampler, samplers, 'sampler');
			within(target.node, json.nodes, 'node');
		}
		for (const { input, output } of samplers) {
			within(input, json.accessors, 'accessor');
			within(output, json.accessors, 'accessor');
		}
	}
	checkTrees(gltf);
	const greatest = greatestOf(gltf);
	for (const { primitives } of json.meshes)
		for (const primitive of primitives) checkPrimitive(gltf, primitive, greatest);
	for (const { mesh, skin } of json.nodes)
		if (mesh !== undefined && skin !== undefined)
			checkSkin(json.meshes[mesh]!.primitives, json.skins[skin]!.joints.length, greatest);
	const timed = new Set<number>();
	for (const animation of json.animations) checkAnimation(gltf, animation, timed);
	for (const { source, extensions } of json.textures)
		for (const image of [source, extensions.EXT_texture_webp?.source]) within(image, json.images, 'picture');
	const drawn = new Set<number>();
	for (const material of json.materials)
		for (const index of texturesOf(material)) {
			within(index, json.textures, 'texture');
			const picture = pictureOf(json.textures[index]!);
			if (picture !== undefined) drawn.add(picture);
		}
	const pixels = [...drawn].reduce((sum, image) => sum + pixelsOf(gltf, image), 0);
	if (pixels > MAX_IN_MODEL.pixels)
		refuse(`its pictures have ${pixels} pixels in total; the limit is ${MAX_IN_MODEL.pixels}`);
	checkAmount(gltf, placedMeshes(gltf));
	return gltf;
}

/** Refuses nodes that hang on themselves or on two others, in scenes that are not shown too: all of them are read to be drawn. */
function checkTrees({ json: { nodes } }: Gltf): void {
	const above = new Map<number, number>();
	nodes.forEach(({ children }, node) => {
		for (const child of children) {
			if (above.has(child)) refuse(`node ${child} has more than one parent`);
			above.set(child, node);
		}
	});
	const sound = new Set<number>();
	nodes.forEach((_, node) => {
		const way = new Set<number>();
		for (let at: number | undefined = node; at !== undefined && !sound.has(at); at = above.get(at)) {
			if (way.has(at)) refuse(`node ${at} is its own ancestor`);
			way.add(at);
		}
		for (const passed of way) sound.add(passed);
	});
}

/** The greatest number of an accessor; -1 when it cannot be read. */
type Greatest = (index: number) => number;

/** Each accessor is read once, however many things name it. */
function greatestOf(gltf: Gltf): Greatest {
	const found = new Map<number, number>();
	return (index) => {
		let greatest = found.get(index);
		if (greatest === undefined) {
			greatest = -1;
			if (isReadable(gltf, index))
				for (const number of numbersOf(gltf, index)) if (number > greatest) greatest = number;
			found.set(index, greatest);
		}
		return greatest;
	};
}

function checkSkin(primitives: readonly Primitive[], joints: number, greatest: Greatest): void {
	for (const { attributes } of primitives)
		for (const [what, index] of Object.entries(attributes))
			if (what.startsWith('JOINTS_') && greatest(index) >= joints)
				refuse(`a vertex refers to joint ${greatest(index)}, but the skin has only ${joints}`);
}

/** Accessor type of each path of a node; other paths are not supported, and nothing moves along them. */
const MOVED = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3' } as const;

/** Numbers that do not fit their times are read without end. */
function checkAnimation(gltf: Gltf, { channels, samplers }: Animation, timed: Set<number>): void {
	const { accessors } = gltf.json;
	for (const { input, output, interpolation } of samplers) {
		const [times, values] = [accessors[input]!, accessors[output]!];
		if (times.type !== 'SCALAR' || times.componentType !== 5126)
			refuse('the times of a clip are not 32-bit floats');
		const each = interpolation === 'CUBICSPLINE' ? 3 : 1;
		if (values.count === 0 || values.count % (times.count * each) !== 0)
			refuse(`a clip has ${values.count} values for ${times.count} times`);
		if (!timed.has(input)) checkTimes(gltf, input);
		timed.add(input);
	}
	for (const { sampler, target } of channels) {
		const type = Object.hasOwn(MOVED, target.path) ? MOVED[target.path as keyof typeof MOVED] : null;
		if (type === null) continue;
		const { input, output, interpolation } = samplers[sampler]!;
		const [times, values] = [accessors[input]!, accessors[output]!];
		if (values.type !== type)
			refuse(`the ${target.path} of a node is animated with ${values.type} instead of ${type}`);
		if (values.count !== times.count * (interpolation === 'CUBICSPLINE' ? 3 : 1))
			refuse(`a clip has ${values.count} values for ${times.count} times`);
	}
}

function checkTimes(gltf: Gltf, index: number): void {
	const times = isReadable(gltf, index) ? numbersOf(gltf, index) : (gltf.json.accessors[index]!.max ?? []);
	for (const time of times)
		if (!(time >= 0 && time <= MAX_IN_MODEL.seconds))
			refuse(`a time of a clip is ${time}; it must be from 0 to ${MAX_IN_MODEL.seconds} s`);
}

function checkPrimitive(
	gltf: Gltf,
	{ attributes, indices, targets, mode, material }: Primitive,
	greatest: Greatest,
): void {
	const { accessors, materials } = gltf.json;
	if (material !== undefined && material >= materials.length)
		refuse(`it refers to material ${material}, but has only ${materials.length}`);
	const place = accessors[attributes.POSITION ?? -1];
	if (place === undefined) refuse('a mesh has no positions');
	if (place.type !== 'VEC3') refuse('positions are not three numbers each');
	for (const map of [attributes, ...targets])
		for (const [what, index] of Object.entries(map)) {
			const accessor =
				accessors[index] ?? refuse(`it refers to accessor ${index}, but has only ${accessors.length}`);
			if (accessor.count !== place.count)
				refuse(`${what} of a mesh has ${accessor.count} entries, but there are ${place.count} positions`);
		}
	if (indices === undefined) return;
	const index =
		accessors[indices] ?? refuse(`it refers to accessor ${indices}, but has only ${accessors.length}`);
	if (index.type !== 'SCALAR' || ![5121, 5123, 5125].includes(index.componentType))
		refuse('the indices of a mesh are not whole numbers');
	if (mode === TRIANGLES && index.count % 3 !== 0) refuse('the last triangle of a mesh is cut off');
	if (greatest(indices) >= place.count)
		refuse(`a triangle refers to vertex ${greatest(indices)}, but the mesh has only ${place.count}`);
}

/** Pixels of a picture that is drawn. */
function pixelsOf({ json, buffers }: Gltf, index: number): number {
	const { bufferView, uri } = json.images[index]!;
	const view = json.bufferViews[bufferView ?? -1];
	if (bufferView !== undefined && view === undefined)
		refuse(`it refers to buffer view ${bufferView}, but has only ${json.bufferViews.length}`);
	if (view === undefined && uri === undefined) refuse(`picture ${index} has no bytes`);
	const bytes =
		view === undefined
			? dataOf(uri!, `picture ${index}`)
			: buffers[view.buffer]!.subarray(view.byteOffset, view.byteOffset + view.byteLength);
	const size = imageSize(bytes, mediaTypeOf(bytes));
	if (size === null) refuse(`picture ${index} is not a PNG, JPEG or WebP`);
	if (Math.max(size.width, size.height) > MAX_IN_MODEL.picture)
		refuse(
			`picture ${index} has ${size.width} x ${size.height} pixels; the limit is ${MAX_IN_MODEL.picture} x ${MAX_IN_MODEL.picture}`,
		);
	return size.width * size.height;
}

function checkAmount({ json }: Gltf, placed: readonly Placed[]): void {
	let [vertices, indices, primitives] = [0, 0, 0];
	for (const { mesh } of placed)
		for (const primitive of json.meshes[mesh]!.primitives) {
			primitives++;
			const { count } = json.accessors[primitive.attributes.POSITION!]!;
			vertices += count;
			indices += json.accessors[primitive.indices ?? -1]?.count ?? count;
		}
	if (primitives === 0) refuse('it has nothing to draw');
	for (const [what, count] of Object.entries({ vertices, indices, primitives })) {
		const most = MAX_IN_MODEL[what as 'vertices'];
		if (count > most) refuse(`it has ${count} ${what}; the limit is ${most}`);
	}
}

/** Returns the pose at rest, in the model, of each node that is shown. Refuses one that the scene names twice. */
export function restMatrices(gltf: Gltf): ReadonlyMap<number, Matrix> {
	const found = new Map<number, Matrix>();
	const walk = (index: number, above: Matrix, depth: number): void => {
		if (found.has(index)) refuse(`node ${index} occurs twice in the scene`);
		if (depth > MAX_IN_MODEL.depth)
			refuse(`its nodes are nested more than ${MAX_IN_MODEL.depth} levels deep`);
		const node = gltf.json.nodes[index]!;
		const matrix = multiply(above, node.matrix ?? placed(node));
		found.set(index, matrix);
		for (const child of node.children) walk(child, matrix, depth + 1);
	};
	for (const root of gltf.json.scenes[gltf.json.scene ?? 0]!.nodes) walk(root, IDENTITY, 0);
	return found;
}

/** Every mesh that a model shows, with where it stands at rest: that of a skin is where its joints are. */
export function placedMeshes(gltf: Gltf): Placed[] {
	const { json } = gltf;
	const rest = restMatrices(gltf);
	const found: Placed[] = [];
	for (const [node, own] of rest) {
		const { mesh, skin } = json.nodes[node]!;
		if (mesh === undefined) continue;
		found.push({ mesh, skin, node, matrix: skin === undefined ? own : bound(gltf, skin, rest) });
	}
	return found;
}

/** Returns the matrix that a skin's joints, at rest, apply to its vertices, by its first joint. */
function bound(gltf: Gltf, index: number, rest: ReadonlyMap<number, Matrix>): Matrix {
	const { joints, inverseBindMatrices } = gltf.json.skins[index]!;
	const joint = rest.get(joints[0]!) ?? IDENTITY;
	if (inverseBindMatrices === undefined || !isReadable(gltf, inverseBindMatrices)) return joint;
	return multiply(joint, numbersOf(gltf, inverseBindMatrices, 1));
}
