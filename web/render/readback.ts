/**
 * Reads a drawn target back, row by row from the top.
 * Owns: the memory that pictures come through, kept from one to the next: making it anew costs more than the reading.
 */

import type { RenderTarget, Texture, WebGPURenderer } from 'three/webgpu';
import type { Drawing } from './backend.ts';
import { flipRows } from './channels.ts';

/** WebGPU has rows begin at multiples of this. */
const ROW_BYTES = 256;

/** The part of three's renderer that has no public name: the device, and what stands for a texture on it. */
interface WithDevice {
	readonly backend: {
		readonly device: GPUDevice;
		get(texture: Texture): { readonly texture: GPUTexture };
	};
}

export class Readback {
	readonly #drawing: Drawing;
	#buffer: GPUBuffer | null = null;
	#pixels = new Uint8Array(0);

	constructor(drawing: Drawing) {
		this.#drawing = drawing;
	}

	/** The pixels of a target of 8-bit RGBA, 4 bytes each, good until the next call. One call at a time. */
	async read(target: RenderTarget): Promise<Uint8Array<ArrayBuffer>> {
		const { renderer, info } = this.#drawing;
		const { width, height } = target;
		if (info.backend === 'webgpu') return this.#copy(renderer, target);
		const bytes = await renderer.readRenderTargetPixelsAsync(target, 0, 0, width, height);
		const pixels = new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, width * height * 4);
		flipRows(width, height, pixels);
		return pixels;
	}

	async #copy(renderer: WebGPURenderer, { texture, width, height }: RenderTarget) {
		const { backend } = renderer as unknown as WithDevice;
		const row = width * 4;
		const bytesPerRow = Math.ceil(row / ROW_BYTES) * ROW_BYTES;
		const buffer = this.#bufferOf(backend.device, bytesPerRow * height);
		const encoder = backend.device.createCommandEncoder();
		const from = { texture: backend.get(texture).texture };
		encoder.copyTextureToBuffer(from, { buffer, bytesPerRow }, [width, height]);
		backend.device.queue.submit([encoder.finish()]);
		await buffer.mapAsync(GPUMapMode.READ);
		if (this.#pixels.length !== row * height) this.#pixels = new Uint8Array(row * height);
		const mapped = new Uint8Array(buffer.getMappedRange());
		if (row === bytesPerRow) this.#pixels.set(mapped);
		else
			for (let y = 0; y < height; y++)
				this.#pixels.set(mapped.subarray(y * bytesPerRow, y * bytesPerRow + row), y * row);
		buffer.unmap();
		return this.#pixels;
	}

	#bufferOf(device: GPUDevice, size: number): GPUBuffer {
		if (this.#buffer?.size !== size) {
			this.#buffer?.destroy();
			this.#buffer = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
		}
		return this.#buffer!;
	}

	dispose(): void {
		this.#buffer?.destroy();
	}
}
