/**
 * Quads of a fixed size on screen, in one draw. A buffer has the numbers of each quad, which a material reads as attributes.
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
import { powerAbove } from './rows-mesh.ts';

/** Attributes in the order of their numbers, and the number of numbers of each. */
export type QuadLayout = Readonly<Record<string, number>>;

export class ScreenQuads {
	readonly mesh: Mesh<InstancedBufferGeometry, Material>;
	/** Numbers of one quad. */
	readonly stride: number;
	readonly #layout: QuadLayout;
	#buffer: InstancedInterleavedBuffer;

	constructor(material: Material, layout: QuadLayout, renderOrder: number) {
		this.#layout = layout;
		this.stride = Object.values(layout).reduce((sum, size) => sum + size, 0);
		this.#buffer = this.#bufferOf(new Float32Array(0));
		this.mesh = new Mesh(new InstancedBufferGeometry(), material);
		this.mesh.frustumCulled = false;
		this.mesh.matrixAutoUpdate = false;
		this.mesh.renderOrder = renderOrder;
		this.reserve(16);
	}

	/** All numbers; `reserve` may replace the array. */
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
		const data = new Float32Array(powerAbove(count) * this.stride);
		data.set(this.data);
		this.#buffer = this.#bufferOf(data);
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
	send(count: number): void {
		this.#buffer.clearUpdateRanges();
		this.#buffer.addUpdateRange(0, count * this.stride);
		this.#buffer.needsUpdate = true;
	}

	dispose(): void {
		this.mesh.geometry.dispose();
	}

	#bufferOf(data: Float32Array): InstancedInterleavedBuffer {
		return new InstancedInterleavedBuffer(data, this.stride);
	}
}
