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
import type { BlockName, Channel, FrameBlocks, FrameRows } from '../../host/frames.ts';
import { segmentationColor } from '../channels.ts';
import { isBevelled, MANY, makeShape, type ShapeName, shapeOf } from '../geometries.ts';
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
}

/** The instances of one mesh. */
export class MeshBatch {
	readonly shape: ShapeName;
	readonly object: Mesh;
	/** Rows of the frame, in order; the first `count` are in use. */
	order: Uint32Array = new Uint32Array(0);
	count = 0;
	#buffers: InstanceBuffers;
	#many = false;
	#channel: Channel = 'color';
	readonly #materials: Materials;

	constructor(shape: ShapeName, materials: Materials) {
		this.shape = shape;
		this.#materials = materials;
		this.#buffers = makeBuffers(LEAST_CAPACITY);
		this.object = new Mesh(new InstancedBufferGeometry());
		this.object.name = shape;
		this.object.frustumCulled = false;
		this.object.castShadow = true;
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
	setRows(order: Uint32Array, rows: FrameRows): void {
		this.order = order;
		this.count = order.length;
		const many = this.count > MANY;
		if (this.count > this.#buffers.capacity || many !== this.#many) {
			if (this.count > this.#buffers.capacity) this.#buffers = makeBuffers(powerAbove(this.count));
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
			const [red, green, blue] = segmentationColor(rows.ids[row]!);
			code[index * 4] = red;
			code[index * 4 + 1] = green;
			code[index * 4 + 2] = blue;
			code[index * 4 + 3] = 255;
		}
		this.#buffers.paint.needsUpdate = true;
		this.#buffers.code.needsUpdate = true;
		(this.object.geometry as InstancedBufferGeometry).instanceCount = this.count;
		this.object.visible = this.count > 0;
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
		this.object.material = this.#materials.of(this.shape, isBevelled(this.shape, this.#many), channel);
	}

	dispose(): void {
		this.object.geometry.dispose();
	}

	#build(): void {
		this.object.geometry.dispose();
		const geometry = instanced(makeShape(this.shape, this.#many), this.#buffers.poses);
		geometry.setAttribute('paint', this.#buffers.paint);
		geometry.setAttribute('code', this.#buffers.code);
		this.object.geometry = geometry;
		this.setChannel(this.#channel);
	}
}

/** All entities of a frame. */
export class Meshes {
	readonly group = new Group();
	readonly batches = new Map<ShapeName, MeshBatch>();
	readonly #materials: Materials;
	#channel: Channel = 'color';

	constructor(materials: Materials) {
		this.#materials = materials;
	}

	/** Takes a frame; `changed` names the blocks that are not those of the frame before. */
	setFrame({ rows, dead }: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		if (changed.has('rows')) this.#setRows(rows);
		if (changed.has('rows') || changed.has('dead'))
			for (const batch of this.batches.values()) batch.setDead(dead);
	}

	/** Deals the rows out to one batch for each shape. */
	#setRows(rows: FrameRows): void {
		const shapes = rows.meshes.map(shapeOf);
		const counts = new Map<ShapeName, number>();
		for (const mesh of rows.mesh) {
			const shape = shapes[mesh] ?? 'stand-in';
			counts.set(shape, (counts.get(shape) ?? 0) + 1);
		}
		const orders = new Map<ShapeName, { order: Uint32Array; used: number }>();
		for (const [shape, count] of counts) orders.set(shape, { order: new Uint32Array(count), used: 0 });
		for (let row = 0; row < rows.mesh.length; row++) {
			const entry = orders.get(shapes[rows.mesh[row]!] ?? 'stand-in')!;
			entry.order[entry.used++] = row;
		}
		for (const shape of orders.keys()) {
			if (this.batches.has(shape)) continue;
			const batch = new MeshBatch(shape, this.#materials);
			batch.setChannel(this.#channel);
			this.batches.set(shape, batch);
			this.group.add(batch.object);
		}
		for (const [shape, batch] of this.batches) {
			batch.setRows(orders.get(shape)?.order ?? new Uint32Array(0), rows);
		}
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
		for (const batch of this.batches.values()) batch.dispose();
	}
}

/** A geometry drawn once for each pose in `poses`. */
export function instanced(shape: BufferGeometry, poses: InstancedInterleavedBuffer): InstancedBufferGeometry {
	const geometry = new InstancedBufferGeometry();
	geometry.setIndex(shape.index);
	geometry.setAttribute('position', shape.getAttribute('position'));
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

function makeBuffers(capacity: number): InstanceBuffers {
	return {
		capacity,
		poses: makePoses(capacity),
		paint: new InstancedBufferAttribute(new Uint8Array(capacity * 4).fill(255), 4, true),
		code: new InstancedBufferAttribute(new Uint8Array(capacity * 4), 4, true),
	};
}

/** The power of two at or above `count`. */
export function powerAbove(count: number): number {
	return 2 ** Math.ceil(Math.log2(Math.max(count, LEAST_CAPACITY)));
}
