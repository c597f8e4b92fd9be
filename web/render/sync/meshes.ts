/**
 * The drawn entities: one instanced draw for each mesh, whatever the number of entities.
 * Owns: the instance buffers, which grow by powers of two, and how rows of a frame are dealt out to them.
 */

import {
	type BufferGeometry,
	DynamicDrawUsage,
	Group,
	InstancedBufferAttribute,
	InstancedBufferGeometry,
	InstancedInterleavedBuffer,
	InterleavedBufferAttribute,
	Mesh,
} from 'three/webgpu';
import type {
	BlockName,
	Channel,
	FrameBlocks,
	FrameMaterials,
	FrameRows,
	SurfaceKind,
} from '../../host/frames.ts';
import { segmentationColor } from '../channels.ts';
import { isBevelled, MANY, makeShape, type ShapeName, shapeOf } from '../geometries.ts';
import type { GpuResources } from '../gpu-resources.ts';
import { type BlendFrom, blendPoses, POSE_STRIDE } from '../interpolate.ts';
import type { Materials } from '../materials.ts';

const LEAST_CAPACITY = 16;

/** What the GPU knows of each instance. */
interface InstanceBuffers {
	readonly capacity: number;
	/** Ten floats an instance, as in a frame. */
	readonly poses: InstancedInterleavedBuffer;
	/** sRGB bytes and 255 for the living, 0 for the dead. */
	readonly paint: InstancedBufferAttribute;
	/** The bytes of the segmentation colour, and 255. */
	readonly code: InstancedBufferAttribute;
	/** `SURFACE_FLOATS` floats an instance: metallic, roughness, alpha, cutoff; emitted light; repeats. Null for paint alone. */
	readonly surface: InstancedInterleavedBuffer | null;
}

const SURFACE_FLOATS = 9;
/** Floats a row in `FrameMaterials.values`. */
const MATERIAL_FLOATS = 12;

/** The instances of one mesh and one kind of surface. */
export class MeshBatch {
	readonly shape: ShapeName;
	/** Null for paint alone. */
	readonly surface: SurfaceKind | null;
	readonly object: Mesh;
	/** Rows of the frame, in order; the first `count` are in use. */
	order: Uint32Array = new Uint32Array(0);
	count = 0;
	#buffers: InstanceBuffers;
	#many = false;
	#channel: Channel = 'color';
	readonly #materials: Materials;

	constructor(shape: ShapeName, surface: SurfaceKind | null, materials: Materials) {
		this.shape = shape;
		this.surface = surface;
		this.#materials = materials;
		this.#buffers = makeBuffers(LEAST_CAPACITY, surface !== null);
		this.object = new Mesh(new InstancedBufferGeometry());
		this.object.name = shape;
		this.object.frustumCulled = false;
		// What lets light through darkens nothing.
		this.object.castShadow = surface?.alpha !== 'blend';
		// Drawn after the plate and the patches on it, which it lets through.
		if (surface?.alpha === 'blend') this.object.renderOrder = 3;
		this.object.receiveShadow = true;
		this.object.matrixAutoUpdate = false;
		this.#build();
	}

	/** Poses as drawn, ten floats an instance. */
	get poses(): Float32Array {
		return this.#buffers.poses.array as Float32Array;
	}

	/** The buffers, for other draws over the same instances. */
	get buffers(): Pick<InstanceBuffers, 'poses' | 'capacity'> {
		return this.#buffers;
	}

	/** Takes the rows listed in `order`. */
	setRows(order: Uint32Array, rows: FrameRows, materials: FrameMaterials): void {
		this.order = order;
		this.count = order.length;
		const many = this.count > MANY;
		if (this.count > this.#buffers.capacity || many !== this.#many) {
			if (this.count > this.#buffers.capacity)
				this.#buffers = makeBuffers(powerAbove(this.count), this.surface !== null);
			this.#many = many;
			this.#build();
		}
		const paint = this.#buffers.paint.array as Uint8Array;
		const code = this.#buffers.code.array as Uint8Array;
		for (let index = 0; index < this.count; index++) {
			const row = order[index]!;
			paint[index * 4] = rows.colors[row * 3]!;
			paint[index * 4 + 1] = rows.colors[row * 3 + 1]!;
			paint[index * 4 + 2] = rows.colors[row * 3 + 2]!;
			if (this.#buffers.surface !== null) this.#setSurface(index, row, materials.values);
			const [red, green, blue] = segmentationColor(rows.ids[row]!);
			code[index * 4] = red;
			code[index * 4 + 1] = green;
			code[index * 4 + 2] = blue;
			code[index * 4 + 3] = 255;
		}
		this.#buffers.paint.needsUpdate = true;
		this.#buffers.code.needsUpdate = true;
		if (this.#buffers.surface !== null) this.#buffers.surface.needsUpdate = true;
		(this.object.geometry as InstancedBufferGeometry).instanceCount = this.count;
		this.object.visible = this.count > 0;
	}

	/** Takes what one instance's material says. */
	#setSurface(index: number, row: number, values: Float32Array): void {
		const at = row * MATERIAL_FLOATS;
		const paint = this.#buffers.paint.array as Uint8Array;
		if (values[at]! >= 0)
			for (let part = 0; part < 3; part++) paint[index * 4 + part] = Math.round(values[at + part]! * 255);
		const surface = this.#buffers.surface!.array as Float32Array;
		const to = index * SURFACE_FLOATS;
		surface[to] = values[at + 4]!;
		surface[to + 1] = values[at + 5]!;
		surface[to + 2] = values[at + 3]!;
		surface[to + 3] = values[at + 6]!;
		for (let part = 0; part < 5; part++) surface[to + 4 + part] = values[at + 7 + part]!;
	}

	/** Takes who is dead in a frame with the same rows. */
	setDead(dead: Uint8Array): void {
		const paint = this.#buffers.paint.array as Uint8Array;
		let changed = false;
		for (let index = 0; index < this.count; index++) {
			const living = dead[this.order[index]!] === 1 ? 0 : 255;
			if (paint[index * 4 + 3] === living) continue;
			paint[index * 4 + 3] = living;
			changed = true;
		}
		if (changed) this.#buffers.paint.needsUpdate = true;
	}

	/** Fills in the poses between two frames. */
	setPoses(before: BlendFrom | null, next: Float32Array, alpha: number): void {
		if (this.count === 0) return;
		blendPoses(this.poses, this.order, this.count, before, next, alpha);
		const { poses } = this.#buffers;
		poses.clearUpdateRanges();
		poses.addUpdateRange(0, this.count * POSE_STRIDE);
		poses.needsUpdate = true;
	}

	/** Draws this channel from now on. */
	setChannel(channel: Channel): void {
		this.#channel = channel;
		this.object.material = this.#materials.of(
			this.shape,
			isBevelled(this.shape, this.#many, this.#textured),
			this.surface,
			channel,
		);
	}

	/** Draws with the textures that are there now. */
	refresh(): void {
		this.setChannel(this.#channel);
	}

	get #textured(): boolean {
		return this.surface?.texture != null;
	}

	dispose(): void {
		this.object.geometry.dispose();
	}

	#build(): void {
		this.object.geometry.dispose();
		const geometry = instanced(makeShape(this.shape, this.#many, this.#textured), this.#buffers.poses);
		geometry.setAttribute('paint', this.#buffers.paint);
		geometry.setAttribute('code', this.#buffers.code);
		const { surface } = this.#buffers;
		if (surface !== null) {
			geometry.setAttribute('surface', new InterleavedBufferAttribute(surface, 4, 0));
			geometry.setAttribute('glow', new InterleavedBufferAttribute(surface, 3, 4));
			geometry.setAttribute('repeat', new InterleavedBufferAttribute(surface, 2, 7));
		}
		this.object.geometry = geometry;
		this.setChannel(this.#channel);
	}
}

/** Rows that go to one batch. */
interface Deal {
	readonly shape: ShapeName;
	readonly surface: SurfaceKind | null;
	count: number;
	used: number;
	order: Uint32Array;
}

/** All entities of a frame. */
export class Meshes {
	readonly group = new Group();
	/** By shape and kind of surface. */
	readonly batches = new Map<string, MeshBatch>();
	readonly #resources: GpuResources;
	#channel: Channel = 'color';

	constructor(resources: GpuResources) {
		this.#resources = resources;
	}

	/** Takes a frame; `changed` names the blocks that are not those of the frame before. */
	setFrame({ rows, dead, materials }: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		const others = changed.has('rows') || changed.has('materials');
		if (others) this.#setRows(rows, materials);
		if (others || changed.has('dead')) for (const batch of this.batches.values()) batch.setDead(dead);
	}

	/** Deals the rows out to one batch for each shape and kind of surface. */
	#setRows(rows: FrameRows, materials: FrameMaterials): void {
		const shapes = rows.meshes.map(shapeOf);
		const kinds: readonly (SurfaceKind | null)[] = [null, ...materials.kinds];
		const keyOf = (row: number): number =>
			rows.mesh[row]! * kinds.length + (materials.kind.length === 0 ? 0 : materials.kind[row]!);
		const deals = new Map<string, Deal>();
		/** By mesh and kind: several meshes may have one shape. */
		const dealt: (Deal | undefined)[] = [];
		for (let row = 0; row < rows.mesh.length; row++) {
			const number = keyOf(row);
			let deal = dealt[number];
			if (deal === undefined) {
				const shape = shapes[rows.mesh[row]!] ?? 'stand-in';
				const surface = kinds[number % kinds.length]!;
				const key = surface === null ? shape : `${shape} ${surface.alpha} ${surface.texture}`;
				deal = deals.get(key) ?? { shape, surface, count: 0, used: 0, order: new Uint32Array(0) };
				deals.set(key, deal);
				dealt[number] = deal;
			}
			deal.count++;
		}
		for (const deal of deals.values()) deal.order = new Uint32Array(deal.count);
		for (let row = 0; row < rows.mesh.length; row++) {
			const deal = dealt[keyOf(row)]!;
			deal.order[deal.used++] = row;
		}
		for (const [key, { shape, surface }] of deals) {
			if (this.batches.has(key)) continue;
			const batch = new MeshBatch(shape, surface, this.#resources.materials);
			batch.setChannel(this.#channel);
			this.batches.set(key, batch);
			this.group.add(batch.object);
		}
		for (const [key, batch] of this.batches) {
			const order = deals.get(key)?.order;
			if (order === undefined && batch.surface?.texture != null) this.#remove(key, batch);
			else batch.setRows(order ?? new Uint32Array(0), rows, materials);
		}
		const pictures = materials.kinds.flatMap(({ texture }) => (texture === null ? [] : [texture]));
		this.#resources.textures.use(this, new Set(pictures));
	}

	#remove(key: string, batch: MeshBatch): void {
		this.group.remove(batch.object);
		batch.dispose();
		this.batches.delete(key);
	}

	/** Draws with the textures that are there now. */
	refresh(): void {
		for (const batch of this.batches.values()) batch.refresh();
	}

	/** Fills in the poses between two frames. */
	setPoses(before: BlendFrom | null, next: Float32Array, alpha: number): void {
		for (const batch of this.batches.values()) batch.setPoses(before, next, alpha);
	}

	/** Draws this channel from now on. */
	setChannel(channel: Channel): void {
		if (channel === this.#channel) return;
		this.#channel = channel;
		for (const batch of this.batches.values()) batch.setChannel(channel);
	}

	/** Where a row is drawn, or null. */
	find(row: number): { readonly batch: MeshBatch; readonly index: number } | null {
		for (const batch of this.batches.values()) {
			let low = 0;
			let high = batch.count - 1;
			while (low <= high) {
				const middle = (low + high) >> 1;
				const value = batch.order[middle]!;
				if (value === row) return { batch, index: middle };
				if (value < row) low = middle + 1;
				else high = middle - 1;
			}
		}
		return null;
	}

	dispose(): void {
		this.#resources.textures.use(this, new Set());
		for (const batch of this.batches.values()) batch.dispose();
	}
}

/** A geometry drawn once for each pose in `poses`. */
export function instanced(shape: BufferGeometry, poses: InstancedInterleavedBuffer): InstancedBufferGeometry {
	const geometry = new InstancedBufferGeometry();
	geometry.setIndex(shape.index);
	geometry.setAttribute('position', shape.getAttribute('position'));
	const uv = shape.getAttribute('uv');
	if (uv !== undefined) geometry.setAttribute('uv', uv);
	const normal = shape.getAttribute('normal');
	if (normal !== undefined) geometry.setAttribute('normal', normal);
	geometry.setAttribute('posePlace', new InterleavedBufferAttribute(poses, 3, 0));
	geometry.setAttribute('poseTurn', new InterleavedBufferAttribute(poses, 4, 3));
	geometry.setAttribute('poseScale', new InterleavedBufferAttribute(poses, 3, 7));
	geometry.instanceCount = 0;
	return geometry;
}

/** Room for the poses of `capacity` instances. */
export function makePoses(capacity: number): InstancedInterleavedBuffer {
	const poses = new InstancedInterleavedBuffer(new Float32Array(capacity * POSE_STRIDE), POSE_STRIDE);
	poses.setUsage(DynamicDrawUsage);
	return poses;
}

function makeBuffers(capacity: number, surfaced: boolean): InstanceBuffers {
	return {
		capacity,
		poses: makePoses(capacity),
		paint: new InstancedBufferAttribute(new Uint8Array(capacity * 4).fill(255), 4, true),
		code: new InstancedBufferAttribute(new Uint8Array(capacity * 4), 4, true),
		surface: surfaced
			? new InstancedInterleavedBuffer(new Float32Array(capacity * SURFACE_FLOATS), SURFACE_FLOATS)
			: null,
	};
}

/** The power of two at or above `count`. */
export function powerAbove(count: number): number {
	return 2 ** Math.ceil(Math.log2(Math.max(count, LEAST_CAPACITY)));
}
