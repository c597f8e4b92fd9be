/**
 * Takes pictures: draws a frame once into a target of its own, has it read back and encodes it.
 * Owns: the capture stage and its targets. Never: touches the visible canvas or waits for an animation frame.
 */

import { Color, NoColorSpace, RenderTarget, RGBAFormat, UnsignedByteType } from 'three/webgpu';
import type {
	BlockName,
	CaptureRequest,
	CaptureResult,
	FrameBlocks,
	ShownElement,
} from '../frames/frames.ts';
import { type Drawing, endPicture } from './backend.ts';
import { Cameras } from './cameras.ts';
import { clearBytes, isMarked, MARKS, type Mark, makeOpaque } from './channels.ts';
import { decodePicture } from './decode-picture.ts';
import type { GpuResources } from './gpu-resources.ts';
import { drawHud, type HudImages } from './hud.ts';
import { Post } from './post/post.ts';
import { Readback } from './readback.ts';
import { Stage } from './stage.ts';
import type { AssetBytes, Textures } from './textures.ts';

/** Samples a pixel in the color channel; the others must not be averaged. */
const SAMPLES = 4;
/** Quality of media types that lose detail, from 0 to 1. */
const LOSSY_QUALITY = 0.85;

/** Encodes a picture without a canvas. Few views need the encoder, so it is loaded when the first one does. */
async function encoded(width: number, height: number, rgba: Uint8Array): Promise<Uint8Array> {
	const { encodePng } = await import('./png.ts');
	return encodePng(width, height, rgba);
}

export class Capturer {
	readonly #drawing: Drawing;
	readonly #stage: Stage;
	readonly #assets: AssetBytes;
	readonly #textures: Textures;
	readonly #post: Post;
	readonly #readback: Readback;
	readonly #cameras = new Cameras();
	readonly #targets = new Map<number, RenderTarget>();
	readonly #before = new Color();

	constructor(drawing: Drawing, resources: GpuResources, assets: AssetBytes) {
		this.#drawing = drawing;
		this.#assets = assets;
		this.#textures = resources.textures;
		this.#stage = new Stage(resources);
		this.#readback = new Readback(drawing);
		this.#post = new Post(drawing.renderer, resources);
	}

	/** Draws a whole frame and answers it encoded, or why there is no picture. Rejects when the device is lost meanwhile. */
	async take(request: CaptureRequest, blocks: FrameBlocks): Promise<CaptureResult> {
		const { width, height, channel } = request;
		const limit = Number(this.#drawing.info.capabilities.max_texture_dimension_2d);
		if (!(width >= 1 && height >= 1 && width <= limit && height <= limit)) {
			return failed(
				`The picture would have ${width} x ${height} pixels. Width and height must be from 1 to ${limit}.`,
			);
		}
		this.#stage.setFrame(blocks, new Set(Object.keys(blocks) as BlockName[]));
		await this.#stage.ready();
		if (channel === 'color' && !this.#post.has(blocks.post)) await this.#post.load();
		const rgba = await this.#drawn(request, blocks);
		if (typeof rgba === 'string') return failed(rgba);
		if (channel !== 'color') return { ok: true, bytes: await encoded(width, height, rgba) };
		const hud = request.hud === false ? [] : blocks.hud;
		return { ok: true, ...(await this.#encodeColor(request, rgba, hud)) };
	}

	dispose(): void {
		for (const target of this.#targets.values()) target.dispose();
		this.#readback.dispose();
		this.#post.dispose();
		this.#stage.dispose();
	}

	/** The pixels, or why they are none of this picture: never by their colours, for a right picture may have one alone. */
	async #drawn(request: CaptureRequest, blocks: FrameBlocks): Promise<Uint8Array<ArrayBuffer> | string> {
		for (const mark of MARKS) {
			const heard = this.#drawing.listen();
			const [rgba, error] = await Promise.all([this.#pixels(request, blocks, mark), heard()]);
			if (error !== null) return `The GPU refused to draw the picture: ${error}`;
			if (!isMarked(rgba, mark)) return rgba;
		}
		return 'The GPU accepted the commands but drew nothing.';
	}

	/** All that is sent to the GPU is sent before this answers. */
	async #pixels(request: CaptureRequest, blocks: FrameBlocks, mark: Mark): Promise<Uint8Array<ArrayBuffer>> {
		return this.#readback.read(this.#draw(request, blocks, mark));
	}

	#draw(request: CaptureRequest, blocks: FrameBlocks, mark: Mark): RenderTarget {
		const { width, height, channel } = request;
		const { renderer } = this.#drawing;
		this.#stage.setPoses(null, blocks.poses, 1);
		const lens = this.#cameras.set(blocks.camera, width / height);
		this.#stage.prepare(blocks.camera, lens, width, height, channel);
		const target = this.#target(width, height, channel === 'color' ? SAMPLES : 0);
		renderer.getClearColor(this.#before);
		const alpha = renderer.getClearAlpha();
		const post = channel === 'color' ? blocks.post : { ...blocks.post, enabled: false };
		try {
			this.#clearWith(mark);
			renderer.setRenderTarget(target);
			renderer.clear();
			this.#clearWith(clearBytes(channel));
			this.#post.draw(this.#stage, lens, post, { target, width, height, smooth: true });
		} finally {
			renderer.setRenderTarget(null);
			renderer.setClearColor(this.#before, alpha);
			endPicture(renderer);
		}
		return target;
	}

	#clearWith([red, green, blue]: readonly [number, number, number]): void {
		this.#drawing.renderer.setClearColor(new Color(red / 255, green / 255, blue / 255), 1);
	}

	/** One target for each number of samples, resized as needed. */
	#target(width: number, height: number, samples: number): RenderTarget {
		let target = this.#targets.get(samples);
		if (target === undefined) {
			target = new RenderTarget(width, height, {
				format: RGBAFormat,
				type: UnsignedByteType,
				colorSpace: NoColorSpace,
				depthBuffer: true,
				samples,
			});
			this.#targets.set(samples, target);
		}
		target.setSize(width, height);
		return target;
	}

	/** The picture as a person sees it, with what is written over it. All of it is opaque. */
	async #encodeColor(
		{ width, height, type }: CaptureRequest,
		rgba: Uint8Array<ArrayBuffer>,
		elements: readonly ShownElement[],
	): Promise<{ readonly bytes: Uint8Array; readonly type: string }> {
		makeOpaque(rgba);
		const plain = async () => ({ bytes: await encoded(width, height, rgba), type: 'image/png' });
		if (typeof OffscreenCanvas === 'undefined') return plain();
		const canvas = new OffscreenCanvas(width, height);
		const context = canvas.getContext('2d', { willReadFrequently: true });
		if (context === null) return plain();
		// Of the same bytes: a copy of them costs as much as the encoding.
		const pixels = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.length);
		context.putImageData(new ImageData(pixels, width, height), 0, 0);
		const images = await this.#decoded(elements);
		drawHud(context, elements, width, height, images);
		for (const image of images.values()) image.close();
		const blob = await canvas.convertToBlob({ type: type ?? 'image/png', quality: LOSSY_QUALITY });
		return { bytes: new Uint8Array(await blob.arrayBuffer()), type: blob.type };
	}

	/** The pictures of elements. Those that are not there, or cannot be decoded, are left out: as in the page, an empty plate stands for them. */
	async #decoded(elements: readonly ShownElement[]): Promise<HudImages> {
		const hashes = new Set(elements.flatMap((element) => (element.type === 'image' ? [element.image] : [])));
		const { onUndecodable } = this.#textures;
		const images = [...hashes].map(async (hash) => {
			const bytes = await this.#assets(hash);
			const image = bytes === null ? null : await decodePicture(hash, bytes, onUndecodable);
			return image === null ? [] : [[hash, image] as const];
		});
		return new Map((await Promise.all(images)).flat());
	}
}

function failed(error: string): CaptureResult {
	return { ok: false, error };
}
