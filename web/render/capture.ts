/**
 * Takes pictures: draws a frame once into a separate target, reads it back and encodes it.
 * Owns: the capture stage and its targets. Never: touches the visible canvas or waits for an animation frame.
 */

import { Color, NoColorSpace, RenderTarget, RGBAFormat, UnsignedByteType } from 'three/webgpu';
import { DEFAULT_POSTPROCESS, PRESETS, type PresetName } from '../../shared/documents/postprocess.ts';
import type {
	Album,
	BlockName,
	CaptureRequest,
	CaptureResult,
	FrameBlocks,
	FramePost,
	PictureReport,
	SeenEntity,
	ShownElement,
} from '../frames/frames.ts';
import { drawLabels } from './annotate.ts';
import { type Drawing, endPicture } from './backend.ts';
import { boxesOf } from './boxes.ts';
import { Cameras, focusDistance } from './cameras.ts';
import { clearBytes, isMarked, MARKS, type Mark, makeOpaque } from './channels.ts';
import { decodePicture } from './decode-picture.ts';
import type { GpuResources } from './gpu-resources.ts';
import { drawHud, type HudImages } from './hud.ts';
import { Post } from './post/post.ts';
import { Readback } from './readback.ts';
import { coveredEntities, hiddenBy, seenEntities } from './report.ts';
import { Stage } from './stage.ts';
import type { AssetBytes, Textures } from './textures.ts';

/** Samples per pixel in the colour channel. Pixels of the other channels must not be averaged. */
const SAMPLES = 4;
/** Default quality of lossy media types, from 0 to 1. */
const LOSSY_QUALITY = 0.85;
/** Maximum number of entities in each list of a report. */
const MAX_REPORTED = 200;
/** Shake of a camera in a request: none. */
const NO_SHAKE = [0, 0] as const;

/** Picture to draw. `isCovered`: the plate hides entities below it in segmentation. */
type DrawnCapture = CaptureRequest & { readonly isCovered?: boolean };

/** A picture, or the reason why it failed. */
type TakenCapture =
	| { readonly bytes: Uint8Array; readonly type?: string; readonly report?: PictureReport }
	| string;

/** Encodes a picture without a canvas. The encoder is loaded at its first use, because few views need it. */
async function encodePixels(width: number, height: number, rgba: Uint8Array): Promise<Uint8Array> {
	const { encodePng } = await import('./png.ts');
	return encodePng(width, height, rgba);
}

/** Returns the settings of a preset, with the colour grading of the world if it has one. */
function presetOf(name: PresetName, world: FramePost): FramePost {
	const settings = { ...DEFAULT_POSTPROCESS, ...PRESETS[name] };
	if (!world.enabled) return settings;
	const { exposure, contrast, saturation, temperature } = world;
	return { ...settings, exposure, contrast, saturation, temperature };
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
	readonly #clearColor = new Color();

	constructor(drawing: Drawing, resources: GpuResources, assets: AssetBytes) {
		this.#drawing = drawing;
		this.#assets = assets;
		this.#textures = resources.textures;
		this.#stage = new Stage(resources);
		this.#readback = new Readback(drawing);
		this.#post = new Post(drawing.renderer, resources);
	}

	/**
	 * Draws a whole frame. Returns the encoded picture, or the reason why it failed. Rejects if the device is
	 * lost meanwhile.
	 */
	async take(request: CaptureRequest, frame: FrameBlocks): Promise<CaptureResult> {
		const blocks =
			request.preset === undefined ? frame : { ...frame, post: presetOf(request.preset, frame.post) };
		const { width, height, channel } = request;
		const limit = Number(this.#drawing.info.capabilities.max_texture_dimension_2d);
		if (!(width >= 1 && height >= 1 && width <= limit && height <= limit)) {
			return failure(
				`The picture would have ${width} x ${height} pixels. Width and height must be from 1 to ${limit}.`,
			);
		}
		this.#stage.setFrame(blocks, new Set(Object.keys(blocks) as BlockName[]));
		await this.#stage.ready();
		if (channel === 'color' && !this.#post.has(blocks.post)) await this.#post.load();
		if (request.cameras === undefined && request.report !== true) {
			const picture = await this.#takeOne(request, blocks);
			return typeof picture === 'string' ? failure(picture) : { ok: true, ...picture };
		}
		const cameras = request.cameras ?? [blocks.camera];
		const album: Album[number][] = [];
		for (const camera of cameras) {
			const shaken = request.cameras === undefined ? blocks.camera.shaken : NO_SHAKE;
			const picture = await this.#takeOne(request, {
				...blocks,
				camera: { ...blocks.camera, ...camera, shaken },
			});
			if (typeof picture === 'string') return failure(picture);
			const { bytes, type = 'image/png', report } = picture;
			const entry = { type, data: base64(bytes), size_bytes: bytes.length };
			album.push(report === undefined ? entry : { ...entry, report });
		}
		return { ok: true, bytes: new TextEncoder().encode(JSON.stringify(album)), type: 'application/json' };
	}

	/** Takes one picture of the stage's frame. */
	async #takeOne(request: CaptureRequest, blocks: FrameBlocks): Promise<TakenCapture> {
		const { width, height, channel } = request;
		const contents = request.report || request.annotate ? await this.#findContents(request, blocks) : null;
		if (typeof contents === 'string') return contents;
		const report = request.report && contents !== null ? { report: contents.report } : {};
		const rgba = await this.#drawPixels(request, blocks);
		if (typeof rgba === 'string') return rgba;
		if (channel !== 'color') return { bytes: await encodePixels(width, height, rgba), ...report };
		const hud = request.hud === false ? [] : blocks.hud;
		const labelledEntities = request.annotate && contents !== null ? contents.entities : [];
		return { ...(await this.#encodeColor(request, rgba, hud, labelledEntities)), ...report };
	}

	/** Returns the entities in a picture, or the reason why it failed. */
	async #findContents(
		request: CaptureRequest,
		blocks: FrameBlocks,
	): Promise<{ readonly entities: SeenEntity[]; readonly report: PictureReport } | string> {
		const { width, height } = request;
		const idPixels = await this.#drawPixels({ ...request, channel: 'segmentation', isCovered: true }, blocks);
		if (typeof idPixels === 'string') return idPixels;
		const entities = seenEntities(idPixels, width, height);
		const lens = this.#cameras.set(blocks.camera, width / height);
		const covered = request.report
			? coveredEntities(blocks.rows.ids, boxesOf(blocks), entities, lens, width, height)
			: [];
		const counts = { entity_count: entities.length, hidden_count: covered.length };
		const reported = entities.slice(0, MAX_REPORTED);
		if (covered.length === 0) return { entities, report: { entities: reported, hidden: [], ...counts } };
		// The pixels are copied, because the next picture is read into the same memory.
		const ids = idPixels.slice();
		const depths = await this.#drawPixels({ ...request, channel: 'depth' }, blocks);
		if (typeof depths === 'string') return depths;
		const hidden = covered.slice(0, MAX_REPORTED).map((covered) => hiddenBy(covered, ids, depths, width));
		return { entities, report: { entities: reported, hidden, ...counts } };
	}

	dispose(): void {
		for (const target of this.#targets.values()) target.dispose();
		this.#readback.dispose();
		this.#post.dispose();
		this.#stage.dispose();
	}

	/**
	 * Returns the pixels, or the reason why nothing was drawn. Uniform colours are no sign of a failure,
	 * because a correct picture may have only one colour. So the target is first filled with a mark.
	 */
	async #drawPixels(request: DrawnCapture, blocks: FrameBlocks): Promise<Uint8Array<ArrayBuffer> | string> {
		for (const mark of MARKS) {
			const endRecording = this.#drawing.recordErrors();
			const [rgba, error] = await Promise.all([this.#readPixels(request, blocks, mark), endRecording()]);
			if (error !== null) return `The GPU refused to draw the picture: ${error}`;
			if (!isMarked(rgba, mark)) return rgba;
		}
		return 'The GPU accepted the commands but drew nothing.';
	}

	/** Draws a picture and reads it back. All GPU commands are submitted before it returns the promise. */
	async #readPixels(
		request: DrawnCapture,
		blocks: FrameBlocks,
		mark: Mark,
	): Promise<Uint8Array<ArrayBuffer>> {
		return this.#readback.read(this.#draw(request, blocks, mark));
	}

	#draw(request: DrawnCapture, blocks: FrameBlocks, mark: Mark): RenderTarget {
		const { width, height, channel, isCovered = false } = request;
		const { renderer } = this.#drawing;
		this.#stage.setPoses(null, blocks.poses, 1);
		const lens = this.#cameras.set(blocks.camera, width / height);
		this.#stage.showSigns(request.hud !== false);
		this.#stage.prepare(blocks.camera, lens, width, height, channel, isCovered);
		const target = this.#target(width, height, channel === 'color' ? SAMPLES : 0);
		renderer.getClearColor(this.#clearColor);
		const alpha = renderer.getClearAlpha();
		const post = channel === 'color' ? blocks.post : { ...blocks.post, enabled: false };
		try {
			this.#clearWith(mark);
			renderer.setRenderTarget(target);
			renderer.clear();
			this.#clearWith(clearBytes(channel));
			this.#post.draw(this.#stage, lens, post, {
				target,
				width,
				height,
				isSmooth: true,
				focus: focusDistance(blocks.camera),
			});
		} finally {
			renderer.setRenderTarget(null);
			renderer.setClearColor(this.#clearColor, alpha);
			endPicture(renderer);
		}
		return target;
	}

	#clearWith([red, green, blue]: readonly [number, number, number]): void {
		this.#drawing.renderer.setClearColor(new Color(red / 255, green / 255, blue / 255), 1);
	}

	/** Returns the target for a number of samples, resized if needed. */
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

	/** Encodes a colour picture with the HUD and labels over it. All its pixels are opaque. */
	async #encodeColor(
		{ width, height, type, quality = LOSSY_QUALITY, names = {} }: CaptureRequest,
		rgba: Uint8Array<ArrayBuffer>,
		elements: readonly ShownElement[],
		labelledEntities: readonly SeenEntity[],
	): Promise<{ readonly bytes: Uint8Array; readonly type: string }> {
		makeOpaque(rgba);
		const plain = async () => ({ bytes: await encodePixels(width, height, rgba), type: 'image/png' });
		if (typeof OffscreenCanvas === 'undefined') return plain();
		const canvas = new OffscreenCanvas(width, height);
		const context = canvas.getContext('2d', { willReadFrequently: true });
		if (context === null) return plain();
		// The array shares the bytes, because a copy would cost as much as the encoding.
		const pixels = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.length);
		context.putImageData(new ImageData(pixels, width, height), 0, 0);
		const images = await this.#decodeImages(elements);
		drawHud(context, elements, width, height, images);
		for (const image of images.values()) image.close();
		if (labelledEntities.length > 0) drawLabels(context, labelledEntities, names, width, height);
		const blob = await canvas.convertToBlob({ type: type ?? 'image/png', quality });
		return { bytes: new Uint8Array(await blob.arrayBuffer()), type: blob.type };
	}

	/**
	 * Returns the pictures of HUD elements. Missing and broken pictures are omitted. As in the page, an empty
	 * plate replaces them.
	 */
	async #decodeImages(elements: readonly ShownElement[]): Promise<HudImages> {
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

/** Number of characters per call of `fromCharCode`, which gets them as arguments. */
const CHUNK_LENGTH = 8192;

function base64(bytes: Uint8Array): string {
	let text = '';
	for (let start = 0; start < bytes.length; start += CHUNK_LENGTH)
		text += String.fromCharCode(...bytes.subarray(start, start + CHUNK_LENGTH));
	return btoa(text);
}

function failure(error: string): CaptureResult {
	return { ok: false, error };
}
