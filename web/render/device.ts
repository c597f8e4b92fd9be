/**
 * The device that draws, and everything that depends on it.
 * Owns: opening it, and replacing a lost device, unless it is lost too often.
 */

import { reasonOf } from '../../shared/contract/reason.ts';
import { type Drawing, NoGraphicsError, startDrawing } from './backend.ts';
import { Capturer } from './capture.ts';
import { GpuResources } from './gpu-resources.ts';
import { Models } from './models.ts';
import { PixelBudget } from './pixel-room.ts';
import { Post } from './post/post.ts';
import { Stage } from './stage.ts';
import { Outline } from './sync/outline.ts';
import { type AssetBytes, Textures } from './textures.ts';
import { MarksMesh } from './tools/marks-mesh.ts';

/** Maximum number of losses of the device within `LOSS_MS`. After more, no new one is opened. */
const MAX_LOSSES = 6;
/** Period in which losses are counted (ms). */
const LOSS_MS = 60_000;

export interface Renderer {
	readonly drawing: Drawing;
	readonly resources: GpuResources;
	/** Stage of the live picture. */
	readonly stage: Stage;
	readonly outline: Outline;
	/** Shapes that the tools draw over the picture. */
	readonly marks: MarksMesh;
	readonly post: Post;
	readonly capturer: Capturer;
}

export interface DeviceEvents {
	/** Called with each new renderer: the first, and each replacement of a lost one. */
	readonly onOpened: (renderer: Renderer) => void;
	/** Called when the device was lost. Another one is being opened. */
	readonly onLost: () => void;
	/** Called with a message for the person if nothing can be drawn. */
	readonly onUnavailable: (message: string) => void;
}

export class Device {
	readonly #canvas: OffscreenCanvas | HTMLCanvasElement;
	readonly #forceWebGL: boolean;
	readonly #assets: AssetBytes;
	readonly #events: DeviceEvents;
	#opening: Promise<Renderer>;
	#renderer: Renderer | null = null;
	#losses: number[] = [];
	#isDisposed = false;

	/** Opens the device immediately. */
	constructor(
		canvas: OffscreenCanvas | HTMLCanvasElement,
		forceWebGL: boolean,
		assets: AssetBytes,
		events: DeviceEvents,
	) {
		this.#assets = assets;
		this.#canvas = canvas;
		this.#forceWebGL = forceWebGL;
		this.#events = events;
		this.#opening = this.#open();
		this.#opening.catch(ignoreReported);
	}

	/** Renderer in use; null before the first one, and while a lost one is replaced. */
	get renderer(): Renderer | null {
		return this.#renderer;
	}

	/** Resolves to the renderer. Rejects with a `NoGraphicsError` if none can be created. */
	get ready(): Promise<Renderer> {
		return this.#opening;
	}

	dispose(): void {
		this.#isDisposed = true;
		if (this.#renderer !== null) disposeRenderer(this.#renderer);
		this.#renderer = null;
	}

	async #open(): Promise<Renderer> {
		let renderer: Renderer;
		try {
			renderer = await createRenderer(this.#canvas, this.#forceWebGL, this.#assets);
		} catch (error) {
			const reason = error instanceof NoGraphicsError ? error : new NoGraphicsError(`${reasonOf(error)}.`);
			this.#events.onUnavailable(reason.message);
			throw reason;
		}
		if (this.#isDisposed) {
			disposeRenderer(renderer);
			return renderer;
		}
		this.#renderer = renderer;
		void renderer.drawing.loss.then((reason) => this.#lose(renderer, reason));
		this.#events.onOpened(renderer);
		return renderer;
	}

	#lose(renderer: Renderer, reason: string): void {
		if (this.#isDisposed || this.#renderer !== renderer) return;
		this.#renderer = null;
		this.#events.onLost();
		const now = performance.now();
		this.#losses = this.#losses.filter((time) => now - time < LOSS_MS);
		this.#losses.push(now);
		if (this.#losses.length > MAX_LOSSES) {
			const error = new NoGraphicsError(
				`the graphics device was lost ${MAX_LOSSES} times in a minute (${reason}).`,
			);
			this.#opening = Promise.reject(error);
			this.#events.onUnavailable(error.message);
		} else this.#opening = this.#open();
		this.#opening.catch(ignoreReported);
	}
}

/** Ignores an error that `onUnavailable` has already reported. Each capture gets it too. */
function ignoreReported(): void {}

async function createRenderer(
	canvas: OffscreenCanvas | HTMLCanvasElement,
	forceWebGL: boolean,
	assets: AssetBytes,
): Promise<Renderer> {
	const drawing = await startDrawing(canvas, forceWebGL);
	const maxTextureSize = Number(drawing.info.capabilities.max_texture_dimension_2d);
	const room = new PixelBudget();
	const textures = new Textures(assets, maxTextureSize, room);
	const resources = new GpuResources(drawing.info.quality, textures, new Models(assets, room));
	const stage = new Stage(resources);
	const outline = new Outline();
	stage.addSign(outline.group);
	const marks = new MarksMesh();
	stage.addSign(marks.mesh);
	const post = new Post(drawing.renderer, resources);
	return {
		drawing,
		resources,
		stage,
		outline,
		marks,
		post,
		capturer: new Capturer(drawing, resources, assets),
	};
}

function disposeRenderer({ capturer, post, stage, outline, marks, resources, drawing }: Renderer): void {
	capturer.dispose();
	post.dispose();
	stage.dispose();
	outline.dispose();
	marks.dispose();
	resources.dispose();
	void drawing.renderer.dispose();
}
