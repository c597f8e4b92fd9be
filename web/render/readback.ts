/**
 * Reads the pixels of a drawn target, row by row from the top.
 * Owns: the buffers of the transfer. They are kept between pictures, because creating them costs more than
 * reading.
 */

import { ExternalTexture, type RenderTarget } from 'three/webgpu';
import type { Drawing } from './backend.ts';
import { flipRows } from './channels.ts';

/** Alignment of rows in WebGPU copies (bytes). */
const ROW_ALIGNMENT = 256;

/** Memory on the device for a picture of one size. */
interface ReadbackTarget {
	readonly width: number;
	readonly height: number;
	/** Texture that receives a copy of the target. three.js does not expose the target's own texture. */
	readonly source: GPUTexture;
	readonly texture: ExternalTexture;
	readonly bytesPerRow: number;
	readonly buffer: GPUBuffer;
}

export class Readback {
	readonly #drawing: Drawing;
	#cached: ReadbackTarget | null = null;
	#pixels = new Uint8Array(0);

	constructor(drawing: Drawing) {
		this.#drawing = drawing;
	}

	/** Returns the pixels of an 8-bit RGBA target, valid until the next call. Only one call may run at a time. */
	async read(target: RenderTarget): Promise<Uint8Array<ArrayBuffer>> {
		const { renderer, device } = this.#drawing;
		const { width, height } = target;
		if (device !== null) return this.#copy(device, target);
		const bytes = await renderer.readRenderTargetPixelsAsync(target, 0, 0, width, height);
		const pixels = new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, width * height * 4);
		flipRows(width, height, pixels);
		return pixels;
	}

	async #copy(device: GPUDevice, target: RenderTarget): Promise<Uint8Array<ArrayBuffer>> {
		const { width, height } = target;
		const { source, texture, buffer, bytesPerRow } = this.#readbackTarget(device, width, height);
		this.#drawing.renderer.copyTextureToTexture(target.texture, texture);
		const encoder = device.createCommandEncoder();
		encoder.copyTextureToBuffer({ texture: source }, { buffer, bytesPerRow }, [width, height]);
		device.queue.submit([encoder.finish()]);
		await buffer.mapAsync(GPUMapMode.READ);
		const rowBytes = width * 4;
		if (this.#pixels.length !== rowBytes * height) this.#pixels = new Uint8Array(rowBytes * height);
		const mapped = new Uint8Array(buffer.getMappedRange());
		if (rowBytes === bytesPerRow) this.#pixels.set(mapped);
		else
			for (let y = 0; y < height; y++)
				this.#pixels.set(mapped.subarray(y * bytesPerRow, y * bytesPerRow + rowBytes), y * rowBytes);
		buffer.unmap();
		return this.#pixels;
	}

	#readbackTarget(device: GPUDevice, width: number, height: number): ReadbackTarget {
		const cached = this.#cached;
		if (cached?.width === width && cached.height === height) return cached;
		this.dispose();
		const source = device.createTexture({
			size: [width, height],
			format: 'rgba8unorm',
			usage: GPUTextureUsage.COPY_DST | GPUTextureUsage.COPY_SRC,
		});
		const texture = new ExternalTexture(source);
		texture.generateMipmaps = false;
		const bytesPerRow = Math.ceil((width * 4) / ROW_ALIGNMENT) * ROW_ALIGNMENT;
		const buffer = device.createBuffer({
			size: bytesPerRow * height,
			usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
		});
		this.#cached = { width, height, source, texture, bytesPerRow, buffer };
		return this.#cached;
	}

	dispose(): void {
		if (this.#cached === null) return;
		this.#cached.texture.dispose();
		this.#cached.source.destroy();
		this.#cached.buffer.destroy();
		this.#cached = null;
	}
}
