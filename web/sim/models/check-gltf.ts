/**
 * Checks of a model beyond the shape of its document.
 * Owns: what is refused, and why.
 */

import { imageSize } from '../../../shared/documents/image-size.ts';
import { mediaTypeOf } from '../../../shared/documents/media-type.ts';
import { isReadable, meshoptOf, numbersOf, PARTS, WIDTH } from './accessors.ts';
import { DRAWN_EXTENSIONS, hasSun, INSTANCES, pictureOf, texturesOf } from './drawing.ts';
import { dataOf } from './gltf-bytes.ts';
import {
	type Animation,
	type Gltf,
	type GltfDocument,
	MAX_IN_MODEL,
	type Primitive,
	refuse,
	TRIANGLES,
} from './gltf-document.ts';
import { type PlacedMesh, placedMeshes } from './placed-meshes.ts';

/** Refuses a model that is not whole, or has more than the engine takes. What is checked later relies on the checks before. */
export function checkGltf(gltf: Gltf): void {
	const { json } = gltf;
	checkExtensions(json);
	checkBufferViews(gltf);
	json.accessors.forEach((_, index) => {
		checkAccessor(json, index);
	});
	checkSizes(json);
	checkScenes(json);
	checkSkins(json);
	checkReferencesOfClips(json);
	checkTrees(gltf);
	checkMeshes(gltf);
	const timed = new Set<number>();
	for (const animation of json.animations) checkAnimation(gltf, animation, timed);
	checkPictures(gltf);
	checkAmount(gltf, placedMeshes(gltf));
}

function checkExtensions(json: GltfDocument): void {
	if (json.extensionsRequired.includes('KHR_lights_punctual') && hasSun(json))
		refuse('it requires directional lights of KHR_lights_punctual, which this engine cannot draw');
	const strange = json.extensionsRequired.find((candidate) => !DRAWN_EXTENSIONS.includes(candidate));
	if (strange !== undefined)
		refuse(
			`it requires ${strange}, which this engine cannot draw`,
			`Export the model as one GLB file, without ${strange} or with it as an optional extension.`,
		);
}

/** Refuses an index beyond the end of what it refers to. */
function within(index: number | undefined, { length }: readonly unknown[], what: string): void {
	if (index !== undefined && index >= length) refuse(`it refers to ${what} ${index}, but has only ${length}`);
}

function checkBufferViews({ json, buffers }: Gltf): void {
	json.bufferViews.forEach((view, i) => {
		within(view.buffer, buffers, 'buffer');
		const packed = meshoptOf(view);
		const { buffer, byteOffset, byteLength } = packed ?? view;
		within(buffer, buffers, 'buffer');
		const bytes = buffers[buffer];
		if (bytes == null) refuse(`buffer ${buffer} has no bytes`);
		if (byteOffset + byteLength > bytes.length) refuse(`buffer view ${i} extends beyond its buffer`);
		if (packed !== undefined && packed.count * packed.byteStride !== view.byteLength)
			refuse(`the byteLength of buffer view ${i} does not match its compressed content`);
	});
}

function checkAccessor(json: GltfDocument, i: number): void {
	const accessor = json.accessors[i]!;
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
}

function checkSizes(json: GltfDocument): void {
	const unpacked = json.bufferViews.reduce(
		(sum, view) => (meshoptOf(view) === undefined ? sum : sum + view.byteLength),
		0,
	);
	if (unpacked > MAX_IN_MODEL.unpacked)
		refuse(`it has ${unpacked} bytes when unpacked; the limit is ${MAX_IN_MODEL.unpacked}`);
	const numbers = json.accessors.reduce((sum, { count, type }) => sum + count * PARTS[type], 0);
	if (numbers > MAX_IN_MODEL.numbers)
		refuse(`its accessors have ${numbers} numbers; the limit is ${MAX_IN_MODEL.numbers}`);
	const lights = json.nodes.filter(({ extensions }) => extensions.KHR_lights_punctual !== undefined).length;
	if (lights > MAX_IN_MODEL.lights) refuse(`it has ${lights} lights; the limit is ${MAX_IN_MODEL.lights}`);
}

function checkScenes(json: GltfDocument): void {
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
}

function checkSkins(json: GltfDocument): void {
	for (const { joints, inverseBindMatrices } of json.skins) {
		for (const joint of joints) within(joint, json.nodes, 'node');
		within(inverseBindMatrices, json.accessors, 'accessor');
		const accessor = json.accessors[inverseBindMatrices ?? -1];
		if (accessor !== undefined && (accessor.type !== 'MAT4' || accessor.count < joints.length))
			refuse('a skin has fewer matrices than joints');
	}
}

function checkReferencesOfClips(json: GltfDocument): void {
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
}

function checkMeshes(gltf: Gltf): void {
	const { json } = gltf;
	const greatest = greatestOf(gltf);
	for (const { primitives } of json.meshes)
		for (const primitive of primitives) checkPrimitive(gltf, primitive, greatest);
	for (const { mesh, skin } of json.nodes)
		if (mesh !== undefined && skin !== undefined)
			checkSkin(json.meshes[mesh]!.primitives, json.skins[skin]!.joints.length, greatest);
}

function checkPictures(gltf: Gltf): void {
	const { json } = gltf;
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

function checkAmount({ json }: Gltf, placed: readonly PlacedMesh[]): void {
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
