/**
 * Models as their bytes say them: glTF 2.0, binary (GLB) or JSON with its buffers inside.
 * Owns: what is a model and what is refused; nodes, numbers of accessors, and where things stand. A pure function of the
 * bytes: what bodies are made of comes from here, the same everywhere. Never: decodes what is compressed; draws.
 * https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
 */

import * as z from 'zod';
import { ApiError } from '../../../shared/contract/errors.ts';
import { imageSize } from '../../../shared/documents/image-size.ts';
import { mediaTypeOf } from '../../../shared/documents/media-type.ts';
import { fromBase64 } from '../core/base64.ts';
import { IDENTITY, type Matrix, multiply, placed } from './matrix.ts';

/** Most of each in one model. */
export const MOST_IN_MODEL = {
	/** Of all primitives together. */
	vertices: 2_000_000,
	indices: 6_000_000,
	nodes: 10_000,
	/** Draws. */
	primitives: 2000,
	joints: 512,
	clips: 256,
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

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const TRIANGLES = 4;

/** What three.js's loader understands of what a model may require. */
const UNDERSTOOD = [
	'EXT_meshopt_compression',
	'EXT_texture_webp',
	'KHR_draco_mesh_compression',
	'KHR_lights_punctual',
	'KHR_materials_anisotropy',
	'KHR_materials_clearcoat',
	'KHR_materials_dispersion',
	'KHR_materials_emissive_strength',
	'KHR_materials_ior',
	'KHR_materials_iridescence',
	'KHR_materials_sheen',
	'KHR_materials_specular',
	'KHR_materials_transmission',
	'KHR_materials_unlit',
	'KHR_materials_volume',
	'KHR_mesh_quantization',
	'KHR_texture_transform',
];

/** Many of a mesh in one node. */
const INSTANCES = 'EXT_mesh_gpu_instancing';

const at = z.int().min(0);
const size = z.int().min(0);
const list = <T extends z.ZodType>(item: T, most: number = MOST_IN_MODEL.others) =>
	z.array(item).max(most).default([]);
const finite = z.number();
const name = z
	.string()
	.max(MOST_IN_MODEL.name)
	.refine((letters) => letters.isWellFormed(), 'half of a character')
	.optional();

const meshopt = z.looseObject({
	buffer: at,
	byteOffset: size.default(0),
	byteLength: size,
	byteStride: z.int().min(1).max(256),
	count: z.int().min(1).max(MOST_IN_MODEL.indices),
});

const extensions = z.record(z.string(), z.unknown()).default({});

const document = z.looseObject({
	asset: z.looseObject({ version: z.string().regex(/^2\.\d+$/, 'only version 2 is understood') }),
	extensionsRequired: list(z.string()),
	scene: at.optional(),
	scenes: list(z.looseObject({ nodes: list(at) })),
	nodes: list(
		z.looseObject({
			name,
			children: list(at),
			mesh: at.optional(),
			skin: at.optional(),
			extensions,
			matrix: z.array(finite).length(16).optional(),
			translation: z.array(finite).length(3).optional(),
			rotation: z.array(finite).length(4).optional(),
			scale: z.array(finite).length(3).optional(),
		}),
		MOST_IN_MODEL.nodes,
	),
	meshes: list(
		z.looseObject({
			name,
			primitives: z
				.array(
					z.looseObject({
						attributes: z.record(z.string(), at),
						indices: at.optional(),
						mode: z.int().min(0).max(6).default(TRIANGLES),
						targets: list(z.record(z.string(), at), 256),
						extensions,
					}),
				)
				.min(1)
				.max(MOST_IN_MODEL.primitives),
		}),
	),
	skins: list(
		z.looseObject({
			inverseBindMatrices: at.optional(),
			joints: z.array(at).min(1).max(MOST_IN_MODEL.joints),
		}),
	),
	animations: list(
		z.looseObject({
			name,
			channels: z
				.array(
					z.looseObject({ sampler: at, target: z.looseObject({ node: at.optional(), path: z.string() }) }),
				)
				.max(MOST_IN_MODEL.channels),
			samplers: z
				.array(
					z.looseObject({
						input: at,
						output: at,
						interpolation: z.enum(['LINEAR', 'STEP', 'CUBICSPLINE']).default('LINEAR'),
					}),
				)
				.max(MOST_IN_MODEL.channels),
		}),
		MOST_IN_MODEL.clips,
	),
	accessors: list(
		z.looseObject({
			bufferView: at.optional(),
			byteOffset: size.default(0),
			componentType: z.literal([5120, 5121, 5122, 5123, 5125, 5126]),
			normalized: z.boolean().default(false),
			count: z.int().min(1).max(MOST_IN_MODEL.indices),
			type: z.literal(['SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT2', 'MAT3', 'MAT4']),
			min: z.array(finite).optional(),
			max: z.array(finite).optional(),
			sparse: z.unknown().optional(),
		}),
	),
	bufferViews: list(
		z.looseObject({
			buffer: at,
			byteOffset: size.default(0),
			byteLength: z.int().min(1),
			byteStride: z.int().min(4).max(252).optional(),
			extensions: z.looseObject({ EXT_meshopt_compression: meshopt.optional() }).optional(),
		}),
	),
	buffers: list(z.looseObject({ byteLength: size, uri: z.string().optional() })),
	images: list(z.looseObject({ bufferView: at.optional(), uri: z.string().optional() })),
});

export type GltfDocument = z.output<typeof document>;
type Accessor = GltfDocument['accessors'][number];
type Primitive = GltfDocument['meshes'][number]['primitives'][number];
type Animation = GltfDocument['animations'][number];

export interface Gltf {
	readonly json: GltfDocument;
	/** The bytes of each buffer; null for one that only stands for what is compressed elsewhere. */
	readonly buffers: readonly (Uint8Array | null)[];
}

/** A mesh where it stands in the model. */
export interface Placed {
	readonly mesh: number;
	readonly skin: number | undefined;
	readonly node: number;
	readonly matrix: Matrix;
}

const PARTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 } as const;
const WIDTH = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 } as const;
/** What a whole number stands for where it is normalised. */
const WHOLE = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535, 5125: 4294967295, 5126: 1 } as const;

/** Why bytes are no model that can be used. */
class Refusal extends Error {}

function refuse(why: string): never {
	throw new Refusal(why);
}

/** Bytes never change. */
const known = new WeakMap<Uint8Array, Gltf | Refusal>();

/** The model that bytes are. `what` names it in the refusal: throws `asset_refused`. */
export function gltfOf(bytes: Uint8Array, what: string): Gltf {
	let read = known.get(bytes);
	if (read === undefined) {
		try {
			read = checked(parsed(bytes));
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			read = error;
		}
		known.set(bytes, read);
	}
	if (read instanceof Refusal)
		throw new ApiError('asset_refused', `${what} is no model that can be used: ${read.message}.`, {
			fix: 'Send a glTF 2.0 model as one GLB file, as Blender and gltf-transform write it.',
		});
	return read;
}

/** Whether bytes begin like a model. */
export function isModel(bytes: Uint8Array): boolean {
	return mediaTypeOf(bytes).startsWith('model/');
}

function parsed(bytes: Uint8Array): Gltf {
	const [text, binary] = chunksOf(bytes);
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
	const json = read.data;
	return {
		json,
		buffers: json.buffers.map(({ uri, byteLength }, i) => bufferOf(i, uri, byteLength, binary)),
	};
}

/** The JSON, and the binary chunk if there is one. */
function chunksOf(bytes: Uint8Array): [Uint8Array, Uint8Array | null] {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (bytes.length < 12 || view.getUint32(0, true) !== MAGIC) return [bytes, null];
	if (view.getUint32(4, true) !== 2) refuse('it is GLB of another version than 2');
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
	if (bytes.length < length) refuse(`buffer ${index} has ${bytes.length} bytes of ${length}`);
	return bytes;
}

/** The bytes of a data: address. */
function dataOf(uri: string, what: string): Uint8Array {
	const comma = uri.indexOf(',');
	if (!uri.startsWith('data:') || !uri.slice(0, comma).endsWith(';base64'))
		refuse(`${what} is in another file, "${uri.slice(0, 60)}"; a model is one file here`);
	try {
		return fromBase64(uri.slice(comma + 1));
	} catch {
		return refuse(`${what} is not base64`);
	}
}

function checked(gltf: Gltf): Gltf {
	const { json, buffers } = gltf;
	const strange = json.extensionsRequired.find((one) => !UNDERSTOOD.includes(one));
	if (strange !== undefined) refuse(`it requires ${strange}, which is not understood here`);
	const within = (index: number | undefined, { length }: readonly unknown[], what: string): void => {
		if (index !== undefined && index >= length) refuse(`it names ${what} ${index} of ${length}`);
	};
	json.bufferViews.forEach((view, i) => {
		within(view.buffer, buffers, 'buffer');
		const packed = view.extensions?.EXT_meshopt_compression;
		const { buffer, byteOffset, byteLength } = packed ?? view;
		within(buffer, buffers, 'buffer');
		const held = buffers[buffer];
		if (held == null) refuse(`buffer ${buffer} has no bytes`);
		if (byteOffset + byteLength > held.length) refuse(`buffer view ${i} reaches beyond its buffer`);
		if (packed !== undefined && packed.count * packed.byteStride !== view.byteLength)
			refuse(`buffer view ${i} does not hold what it says`);
	});
	json.accessors.forEach((accessor, i) => {
		within(accessor.bufferView, json.bufferViews, 'buffer view');
		if (accessor.bufferView === undefined) return;
		const view = json.bufferViews[accessor.bufferView]!;
		const own = PARTS[accessor.type] * WIDTH[accessor.componentType];
		const end = accessor.byteOffset + (accessor.count - 1) * (view.byteStride ?? own) + own;
		if (end > view.byteLength) refuse(`accessor ${i} reaches beyond its buffer view`);
	});
	const unpacked = json.bufferViews.reduce(
		(sum, { byteLength, extensions }) =>
			extensions?.EXT_meshopt_compression === undefined ? sum : sum + byteLength,
		0,
	);
	if (unpacked > MOST_IN_MODEL.unpacked)
		refuse(`it has ${unpacked} bytes when unpacked, at most ${MOST_IN_MODEL.unpacked} can be`);
	const numbers = json.accessors.reduce((sum, { count, type }) => sum + count * PARTS[type], 0);
	if (numbers > MOST_IN_MODEL.numbers)
		refuse(`its accessors have ${numbers} numbers, at most ${MOST_IN_MODEL.numbers} can be read`);
	if (json.scenes.length === 0) refuse('it has no scene');
	for (const { nodes } of json.scenes) for (const node of nodes) within(node, json.nodes, 'node');
	within(json.scene ?? 0, json.scenes, 'scene');
	for (const node of json.nodes) {
		for (const child of node.children) within(child, json.nodes, 'node');
		within(node.mesh, json.meshes, 'mesh');
		within(node.skin, json.skins, 'skin');
		if (Object.hasOwn(node.extensions, INSTANCES))
			refuse(`it has ${INSTANCES}, which is not understood here: spawn it as often instead`);
	}
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
	const pixels = json.images.reduce((sum, image) => sum + pixelsOf(gltf, image), 0);
	if (pixels > MOST_IN_MODEL.pixels)
		refuse(`its pictures have ${pixels} pixels together, at most ${MOST_IN_MODEL.pixels} can be drawn`);
	checkAmount(gltf, placedMeshes(gltf));
	return gltf;
}

/** Refuses nodes that hang on themselves or on two others, in scenes that are not shown too: all of them are read to be drawn. */
function checkTrees({ json: { nodes } }: Gltf): void {
	const above = new Map<number, number>();
	nodes.forEach(({ children }, node) => {
		for (const child of children) {
			if (above.has(child)) refuse(`node ${child} hangs on more than one other`);
			above.set(child, node);
		}
	});
	const sound = new Set<number>();
	nodes.forEach((_, node) => {
		const way = new Set<number>();
		for (let at: number | undefined = node; at !== undefined && !sound.has(at); at = above.get(at)) {
			if (way.has(at)) refuse(`node ${at} hangs on itself`);
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
			if (isReadable(gltf, gltf.json.accessors[index]!))
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
				refuse(`a vertex hangs on joint ${greatest(index)} of ${joints}`);
}

/** What each path of a node takes at a time; other paths are not understood, and nothing is moved along them. */
const MOVED = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3' } as const;

/** Numbers that do not fit their times are read without end. */
function checkAnimation(gltf: Gltf, { channels, samplers }: Animation, timed: Set<number>): void {
	const { accessors } = gltf.json;
	for (const { input, output, interpolation } of samplers) {
		const [times, values] = [accessors[input]!, accessors[output]!];
		if (times.type !== 'SCALAR' || times.componentType !== 5126)
			refuse('the times of a clip are not one number of 32 bits each');
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
			refuse(`the ${target.path} of a node is moved by ${values.type} and not ${type}`);
		if (values.count !== times.count * (interpolation === 'CUBICSPLINE' ? 3 : 1))
			refuse(`a clip has ${values.count} values for ${times.count} times`);
	}
}

function checkTimes(gltf: Gltf, index: number): void {
	const accessor = gltf.json.accessors[index]!;
	const times = isReadable(gltf, accessor) ? numbersOf(gltf, index) : (accessor.max ?? []);
	for (const time of times)
		if (!(time >= 0 && time <= MOST_IN_MODEL.seconds))
			refuse(`a time of a clip is ${time}; times are from 0 to ${MOST_IN_MODEL.seconds} s`);
}

function checkPrimitive(
	gltf: Gltf,
	{ attributes, indices, targets, mode }: Primitive,
	greatest: Greatest,
): void {
	const { accessors } = gltf.json;
	const place = accessors[attributes.POSITION ?? -1];
	if (place === undefined) refuse('a mesh has no positions');
	if (place.type !== 'VEC3') refuse('positions are not three numbers each');
	for (const map of [attributes, ...targets])
		for (const [what, index] of Object.entries(map)) {
			const accessor = accessors[index] ?? refuse(`it names accessor ${index} of ${accessors.length}`);
			if (accessor.count !== place.count)
				refuse(`${what} of a mesh has ${accessor.count} entries, its positions have ${place.count}`);
		}
	if (indices === undefined) return;
	const index = accessors[indices] ?? refuse(`it names accessor ${indices} of ${accessors.length}`);
	if (index.type !== 'SCALAR' || ![5121, 5123, 5125].includes(index.componentType))
		refuse('indices of a mesh are no whole numbers');
	if (mode === TRIANGLES && index.count % 3 !== 0) refuse('the last triangle of a mesh is cut off');
	if (greatest(indices) >= place.count) refuse(`a corner is vertex ${greatest(indices)} of ${place.count}`);
}

function pixelsOf({ json, buffers }: Gltf, { bufferView, uri }: GltfDocument['images'][number]): number {
	const view = json.bufferViews[bufferView ?? -1];
	if (bufferView !== undefined && view === undefined)
		refuse(`it names buffer view ${bufferView} of ${json.bufferViews.length}`);
	if (view === undefined && uri === undefined) refuse('a picture has no bytes');
	const bytes =
		view === undefined
			? dataOf(uri!, 'a picture')
			: buffers[view.buffer]!.subarray(view.byteOffset, view.byteOffset + view.byteLength);
	const size = imageSize(bytes, mediaTypeOf(bytes));
	if (size === null) refuse('a picture in it is no PNG, JPEG or WebP');
	if (Math.max(size.width, size.height) > MOST_IN_MODEL.picture)
		refuse(
			`a picture in it has ${size.width} x ${size.height} pixels; at most ${MOST_IN_MODEL.picture} x ${MOST_IN_MODEL.picture} can be drawn`,
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
	if (primitives === 0) refuse('nothing in it can be seen');
	for (const [what, count] of Object.entries({ vertices, indices, primitives })) {
		const most = MOST_IN_MODEL[what as 'vertices'];
		if (count > most) refuse(`it has ${count} ${what}, at most ${most} can be used`);
	}
}

/** Where each node that is shown stands at rest, in the model. Refuses one that the scene names twice. */
export function restMatrices(gltf: Gltf): ReadonlyMap<number, Matrix> {
	const found = new Map<number, Matrix>();
	const walk = (index: number, above: Matrix, depth: number): void => {
		if (found.has(index)) refuse(`node ${index} is shown twice`);
		if (depth > MOST_IN_MODEL.depth)
			refuse(`nodes stand in one another more than ${MOST_IN_MODEL.depth} deep`);
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

/** What a skin's joints, at rest, make of its vertices, as its first joint tells it. */
function bound(gltf: Gltf, index: number, rest: ReadonlyMap<number, Matrix>): Matrix {
	const { joints, inverseBindMatrices } = gltf.json.skins[index]!;
	const joint = rest.get(joints[0]!) ?? IDENTITY;
	const accessor = gltf.json.accessors[inverseBindMatrices ?? -1];
	if (accessor === undefined || !isReadable(gltf, accessor)) return joint;
	return multiply(joint, numbersOf(gltf, inverseBindMatrices!, 1));
}

/** Whether the numbers of an accessor stand in the bytes as they are. */
export function isReadable({ json }: Gltf, { bufferView, sparse }: Accessor): boolean {
	if (bufferView === undefined || sparse !== undefined) return false;
	return json.bufferViews[bufferView]!.extensions?.EXT_meshopt_compression === undefined;
}

/** The numbers of a readable accessor, one after the other: of all its items, or of the first of them. */
export function numbersOf(
	{ json, buffers }: Gltf,
	index: number,
	count = json.accessors[index]!.count,
): Float64Array {
	const { bufferView, byteOffset, componentType, type, normalized } = json.accessors[index]!;
	const view = json.bufferViews[bufferView!]!;
	const bytes = buffers[view.buffer]!;
	const data = new DataView(bytes.buffer, bytes.byteOffset + view.byteOffset, view.byteLength);
	const parts = PARTS[type];
	const width = WIDTH[componentType];
	const stride = view.byteStride ?? parts * width;
	const whole = normalized ? WHOLE[componentType] : 1;
	const read = (from: number): number => {
		switch (componentType) {
			case 5120:
				return data.getInt8(from);
			case 5121:
				return data.getUint8(from);
			case 5122:
				return data.getInt16(from, true);
			case 5123:
				return data.getUint16(from, true);
			case 5125:
				return data.getUint32(from, true);
			case 5126:
				return data.getFloat32(from, true);
		}
	};
	const out = new Float64Array(count * parts);
	for (let item = 0; item < count; item++)
		for (let part = 0; part < parts; part++)
			out[item * parts + part] = read(byteOffset + item * stride + part * width) / whole;
	return out;
}
