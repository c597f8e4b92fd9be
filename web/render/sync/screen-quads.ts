/**
 * Quads of a fixed size on screen, in one draw. A buffer contains the numbers of each quad. A material reads
 * them as attributes.
 * Owns: the mesh, its buffer and its growth. Never: knows the meaning of the numbers.
 */

import {
	BufferAttribute,
	InstancedBufferGeometry,
	InstancedInterleavedBuffer,
	InterleavedBufferAttribute,
	type Material,
	Mesh,
} from 'three/webgpu';
import { capacityOf } from './rows-mesh.ts';

/** Names of the attributes in their order in the buffer, each with its count of numbers. */
export type QuadLayout = Readonly<Record<string, number>>;

export class ScreenQuads {
	readonly mesh: Mesh<InstancedBufferGeometry, Material>;
	/** Count of numbers of one quad. */
	readonly stride: number;
	readonly #layout: QuadLayout;
	#buffer: InstancedInterleavedBuffer;

	constructor(material: Material, layout: QuadLayout, renderOrder: number) {
		this.#layout = layout;
		this.stride = Object.values(layout).reduce((sum, size) => sum + size, 0);
		this.#buffer = this.#createBuffer(new Float32Array(0));
		this.mesh = new Mesh(new InstancedBufferGeometry(), material);
		this.mesh.frustumCulled = false;
		this.mesh.matrixAutoUpdate = false;
		this.mesh.renderOrder = renderOrder;
		this.reserve(16);
	}

	/** Numbers of all quads. `reserve` may replace the array. */
	get data(): Float32Array {
		return this.#buffer.array as Float32Array;
	}

	/** Sets the number of quads that are drawn. */
	set count(count: number) {
		this.mesh.geometry.instanceCount = count;
	}

	/** Makes room for `count` quads and keeps the written numbers. */
	reserve(count: number): void {
		if (count * this.stride <= this.data.length) return;
		const data = new Float32Array(capacityOf(count) * this.stride);
		data.set(this.data);
		this.#buffer = this.#createBuffer(data);
		const geometry = new InstancedBufferGeometry();
		const corners = new Float32Array([-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0]);
		geometry.setAttribute('position', new BufferAttribute(corners, 3));
		geometry.setIndex([0, 1, 2, 0, 2, 3]);
		let offset = 0;
		for (const [name, size] of Object.entries(this.#layout)) {
			geometry.setAttribute(name, new InterleavedBufferAttribute(this.#buffer, size, offset));
			offset += size;
		}
		geometry.instanceCount = this.mesh.geometry.instanceCount;
		this.mesh.geometry.dispose();
		this.mesh.geometry = geometry;
	}

	/** Sends the numbers of the first `count` quads to the device before the next picture. */
	upload(count: number): void {
		this.#buffer.clearUpdateRanges();
		this.#buffer.addUpdateRange(0, count * this.stride);
		this.#buffer.needsUpdate = true;
	}

	dispose(): void {
		this.mesh.geometry.dispose();
	}

	#createBuffer(data: Float32Array): InstancedInterleavedBuffer {
		return new InstancedInterleavedBuffer(data, this.stride);
	}
}
