/**
 * Checks of a model beyond the shape of its document.
 * Owns: the refusals and their reasons.
 */

import { imageSize } from '../../../shared/documents/image-size.ts';
import { mediaTypeOf } from '../../../shared/documents/media-type.ts';
import { BYTES_PER_NUMBER, isReadable, meshoptOf, NUMBERS_PER_ITEM, numbersOf } from './accessors.ts';
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

/**
 * Refuses a model that is inconsistent or exceeds a limit of the engine. Keep the order: later checks rely on earlier
 * ones.
 */
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
	const checkedTimes = new Set<number>();
	for (const animation of json.animations) checkAnimation(gltf, animation, checkedTimes);
	checkPictures(gltf);
	checkAmount(gltf, placedMeshes(gltf));
}

function checkExtensions(json: GltfDocument): void {
	if (json.extensionsRequired.includes('KHR_lights_punctual') && hasSun(json))
		refuse('it requires directional lights of KHR_lights_punctual, which this engine cannot draw');
	const unsupported = json.extensionsRequired.find((candidate) => !DRAWN_EXTENSIONS.includes(candidate));
	if (unsupported !== undefined)
		refuse(
			`it requires ${unsupported}, which this engine cannot draw`,
			`Export the model as one GLB file, without ${unsupported} or with it as an optional extension.`,
		);
}

/** Refuses an index beyond the end of the list that it refers to. `label`: name of an entry in the refusal. */
function requireIndex(index: number | undefined, { length }: readonly unknown[], label: string): void {
	if (index !== undefined && index >= length)
		refuse(`it refers to ${label} ${index}, but has only ${length}`);
}

function checkBufferViews({ json, buffers }: Gltf): void {
	json.bufferViews.forEach((view, i) => {
		requireIndex(view.buffer, buffers, 'buffer');
		const compression = meshoptOf(view);
		const { buffer, byteOffset, byteLength } = compression ?? view;
		requireIndex(buffer, buffers, 'buffer');
		const bytes = buffers[buffer];
		if (bytes == null) refuse(`buffer ${buffer} has no bytes`);
		if (byteOffset + byteLength > bytes.length) refuse(`buffer view ${i} extends beyond its buffer`);
		if (compression !== undefined && compression.count * compression.byteStride !== view.byteLength)
			refuse(`the byteLength of buffer view ${i} does not match its compressed content`);
	});
}

function checkAccessor(json: GltfDocument, i: number): void {
	const accessor = json.accessors[i]!;
	const { byteOffset, count, sparse } = accessor;
	const itemBytes = NUMBERS_PER_ITEM[accessor.type] * BYTES_PER_NUMBER[accessor.componentType];
	const requireInView = (view: number, from: number, items: number, bytes: number, stride = bytes): void => {
		requireIndex(view, json.bufferViews, 'buffer view');
		const end = from + (items - 1) * stride + bytes;
		if (end > json.bufferViews[view]!.byteLength) refuse(`accessor ${i} extends beyond its buffer view`);
	};
	if (accessor.bufferView !== undefined) {
		const stride = json.bufferViews[accessor.bufferView]?.byteStride;
		requireInView(accessor.bufferView, byteOffset, count, itemBytes, stride);
	}
	if (sparse === undefined) return;
	const { indices, values } = sparse;
	if (sparse.count > count) refuse(`accessor ${i} replaces ${sparse.count} items, but has only ${count}`);
	const indexBytes = BYTES_PER_NUMBER[indices.componentType];
	requireInView(indices.bufferView, indices.byteOffset, sparse.count, indexBytes);
	requireInView(values.bufferView, values.byteOffset, sparse.count, itemBytes);
}

function checkSizes(json: GltfDocument): void {
	const unpacked = json.bufferViews.reduce(
		(sum, view) => (meshoptOf(view) === undefined ? sum : sum + view.byteLength),
		0,
	);
	if (unpacked > MAX_IN_MODEL.unpacked)
		refuse(`it has ${unpacked} bytes when unpacked; the limit is ${MAX_IN_MODEL.unpacked}`);
	const numbers = json.accessors.reduce((sum, { count, type }) => sum + count * NUMBERS_PER_ITEM[type], 0);
	if (numbers > MAX_IN_MODEL.numbers)
		refuse(`its accessors have ${numbers} numbers; the limit is ${MAX_IN_MODEL.numbers}`);
	const lights = json.nodes.filter(({ extensions }) => extensions.KHR_lights_punctual !== undefined).length;
	if (lights > MAX_IN_MODEL.lights) refuse(`it has ${lights} lights; the limit is ${MAX_IN_MODEL.lights}`);
}

function checkScenes(json: GltfDocument): void {
	if (json.scenes.length === 0) refuse('it has no scene');
	for (const { nodes } of json.scenes) for (const node of nodes) requireIndex(node, json.nodes, 'node');
	requireIndex(json.scene ?? 0, json.scenes, 'scene');
	for (const node of json.nodes) {
		for (const child of node.children) requireIndex(child, json.nodes, 'node');
		requireIndex(node.mesh, json.meshes, 'mesh');
		requireIndex(node.skin, json.skins, 'skin');
		requireIndex(node.camera, json.cameras, 'camera');
		const { lights = [] } = json.extensions.KHR_lights_punctual ?? {};
		requireIndex(node.extensions.KHR_lights_punctual?.light, lights, 'light');
		if (Object.hasOwn(node.extensions, INSTANCES))
			refuse(`it uses ${INSTANCES}, which this engine does not support; spawn several entities instead`);
	}
}

function checkSkins(json: GltfDocument): void {
	for (const { joints, inverseBindMatrices } of json.skins) {
		for (const joint of joints) requireIndex(joint, json.nodes, 'node');
		requireIndex(inverseBindMatrices, json.accessors, 'accessor');
		const accessor = json.accessors[inverseBindMatrices ?? -1];
		if (accessor !== undefined && (accessor.type !== 'MAT4' || accessor.count < joints.length))
			refuse('a skin has fewer matrices than joints');
	}
}

function checkReferencesOfClips(json: GltfDocument): void {
	for (const { channels, samplers } of json.animations) {
		for (const { sampler, target } of channels) {
			requireIndex(sampler, samplers, 'sampler');
			requireIndex(target.node, json.nodes, 'node');
		}
		for (const { input, output } of samplers) {
			requireIndex(input, json.accessors, 'accessor');
			requireIndex(output, json.accessors, 'accessor');
		}
	}
}

function checkMeshes(gltf: Gltf): void {
	const { json } = gltf;
	const maxNumberOf = maxNumberReader(gltf);
	for (const { primitives } of json.meshes)
		for (const primitive of primitives) checkPrimitive(gltf, primitive, maxNumberOf);
	for (const { mesh, skin } of json.nodes)
		if (mesh !== undefined && skin !== undefined)
			checkSkin(json.meshes[mesh]!.primitives, json.skins[skin]!.joints.length, maxNumberOf);
}

function checkPictures(gltf: Gltf): void {
	const { json } = gltf;
	for (const { source, extensions } of json.textures)
		for (const image of [source, extensions.EXT_texture_webp?.source])
			requireIndex(image, json.images, 'picture');
	const drawn = new Set<number>();
	for (const material of json.materials)
		for (const index of texturesOf(material)) {
			requireIndex(index, json.textures, 'texture');
			const picture = pictureOf(json.textures[index]!);
			if (picture !== undefined) drawn.add(picture);
		}
	const pixels = [...drawn].reduce((sum, image) => sum + pixelsOf(gltf, image), 0);
	if (pixels > MAX_IN_MODEL.pixels)
		refuse(`its pictures have ${pixels} pixels in total; the limit is ${MAX_IN_MODEL.pixels}`);
}

/**
 * Refuses a node that is its own ancestor or has two parents. Checks hidden scenes too, because drawing reads all
 * nodes.
 */
function checkTrees({ json: { nodes } }: Gltf): void {
	const parents = new Map<number, number>();
	nodes.forEach(({ children }, node) => {
		for (const child of children) {
			if (parents.has(child)) refuse(`node ${child} has more than one parent`);
			parents.set(child, node);
		}
	});
	const checked = new Set<number>();
	nodes.forEach((_, node) => {
		const visited = new Set<number>();
		let ancestor: number | undefined = node;
		while (ancestor !== undefined && !checked.has(ancestor)) {
			if (visited.has(ancestor)) refuse(`node ${ancestor} is its own ancestor`);
			visited.add(ancestor);
			ancestor = parents.get(ancestor);
		}
		for (const visitedNode of visited) checked.add(visitedNode);
	});
}

/** Returns the largest number of an accessor; -1 if the accessor cannot be read. */
type MaxNumber = (index: number) => number;

/** Returns a reader of largest numbers. The reader reads each accessor once. */
function maxNumberReader(gltf: Gltf): MaxNumber {
	const maxima = new Map<number, number>();
	return (index) => {
		let max = maxima.get(index);
		if (max === undefined) {
			max = -1;
			if (isReadable(gltf, index))
				for (const number of numbersOf(gltf, index)) if (number > max) max = number;
			maxima.set(index, max);
		}
		return max;
	};
}

function checkSkin(primitives: readonly Primitive[], joints: number, maxNumberOf: MaxNumber): void {
	for (const { attributes } of primitives)
		for (const [attribute, index] of Object.entries(attributes))
			if (attribute.startsWith('JOINTS_') && maxNumberOf(index) >= joints)
				refuse(`a vertex refers to joint ${maxNumberOf(index)}, but the skin has only ${joints}`);
}

/** Accessor type of each property of a node that clips animate. Channels of other properties are ignored. */
const ANIMATED_TYPES = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3' } as const;

/** Refuses a clip whose values do not match its times. `checkedTimes`: accessors whose times are checked already. */
function checkAnimation(gltf: Gltf, { channels, samplers }: Animation, checkedTimes: Set<number>): void {
	const { accessors } = gltf.json;
	for (const { input, output, interpolation } of samplers) {
		const [times, values] = [accessors[input]!, accessors[output]!];
		if (times.type !== 'SCALAR' || times.componentType !== 5126)
			refuse('the times of a clip are not 32-bit floats');
		const valuesPerTime = interpolation === 'CUBICSPLINE' ? 3 : 1;
		if (values.count === 0 || values.count % (times.count * valuesPerTime) !== 0)
			refuse(`a clip has ${values.count} values for ${times.count} times`);
		if (!checkedTimes.has(input)) checkTimes(gltf, input);
		checkedTimes.add(input);
	}
	for (const { sampler, target } of channels) {
		const type = Object.hasOwn(ANIMATED_TYPES, target.path)
			? ANIMATED_TYPES[target.path as keyof typeof ANIMATED_TYPES]
			: null;
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
	maxNumberOf: MaxNumber,
): void {
	const { accessors, materials } = gltf.json;
	if (material !== undefined && material >= materials.length)
		refuse(`it refers to material ${material}, but has only ${materials.length}`);
	const positions = accessors[attributes.POSITION ?? -1];
	if (positions === undefined) refuse('a mesh has no positions');
	if (positions.type !== 'VEC3') refuse('positions are not three numbers each');
	for (const map of [attributes, ...targets])
		for (const [attribute, index] of Object.entries(map)) {
			const accessor =
				accessors[index] ?? refuse(`it refers to accessor ${index}, but has only ${accessors.length}`);
			if (accessor.count !== positions.count)
				refuse(
					`${attribute} of a mesh has ${accessor.count} entries, but there are ${positions.count} positions`,
				);
		}
	if (indices === undefined) return;
	const index =
		accessors[indices] ?? refuse(`it refers to accessor ${indices}, but has only ${accessors.length}`);
	if (index.type !== 'SCALAR' || ![5121, 5123, 5125].includes(index.componentType))
		refuse('the indices of a mesh are not whole numbers');
	if (mode === TRIANGLES && index.count % 3 !== 0) refuse('the last triangle of a mesh is cut off');
	if (maxNumberOf(indices) >= positions.count)
		refuse(`a triangle refers to vertex ${maxNumberOf(indices)}, but the mesh has only ${positions.count}`);
}

/** Returns the number of pixels of a picture. Refuses a picture without bytes, of another format, or too large. */
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
	for (const [name, count] of Object.entries({ vertices, indices, primitives })) {
		const max = MAX_IN_MODEL[name as 'vertices'];
		if (count > max) refuse(`it has ${count} ${name}; the limit is ${max}`);
	}
}
