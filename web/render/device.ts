/**
 * The device that draws, with everything that lives and dies with it.
 * Owns: opening it, and replacing one that was lost, unless that happens again and again.
 */

import { reasonOf } from '../../shared/contract/reason.ts';
import { type Drawing, NoGraphicsError, startDrawing } from './backend.ts';
import { Capturer } from './capture.ts';
import { GpuResources } from './gpu-resources.ts';
import { Models } from './models.ts';
import { PixelRoom } from './pixel-room.ts';
import { Post } from './post/post.ts';
import { Stage } from './stage.ts';
import { Outline } from './sync/outline.ts';
import { type AssetBytes, Textures } from './textures.ts';
import { MarksMesh } from './tools/marks-mesh.ts';

/** Losses of the device within `LOSS_MS` after which it is given up. */
const MAX_LOSSES = 6;
const LOSS_MS = 60_000;

export interface Renderer {
	readonly drawing: Drawing;
	readonly resources: GpuResources;
	/** Of the live picture. */
	readonly stage: Stage;
	readonly outline: Outline;
	/** Shapes that the tools draw over the picture. */
	readonly marks: MarksMesh;
	readonly post: Post;
	readonly capturer: Capturer;
}

export interface DeviceEvents {
	/** A renderer is there: the first, or one in place of a lost one. */
	readonly opened: (renderer: Renderer) => void;
	/** The device was lost; another is on its way. */
	readonly lost: () => void;
	/** Nothing can be drawn; `message` is for people. */
	readonly unavailable: (message: string) => void;
}

export class Device {
	readonly #canvas: OffscreenCanvas | HTMLCanvasElement;
	readonly #forceWebGL: boolean;
	readonly #assets: AssetBytes;
	readonly #events: DeviceEvents;
	#opening: Promise<Renderer>;
	#now: Renderer | null = null;
	#losses: number[] = [];
	#disposed = false;

	/** Starts at once. */
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
		this.#opening.catch(ignoreReport);
	}

	/** Renderer in use; null before the first one is there, and while a lost one is replaced. */
	get now(): Renderer | null {
		return this.#now;
	}

	/** Resolves with the renderer once it is there. Rejects with a `NoGraphicsError` if none can be made. */
	get ready(): Promise<Renderer> {
		return this.#opening;
	}

	dispose(): void {
		this.#disposed = true;
		if (this.#now !== null) close(this.#now);
		this.#now = null;
	}

	async #open(): Promise<Renderer> {
		let renderer: Renderer;
		try {
			renderer = await createRenderer(this.#canvas, this.#forceWebGL, this.#assets);
		} catch (error) {
			const reason = error instanceof NoGraphicsError ? error : new NoGraphicsError(`${reasonOf(error)}.`);
			this.#events.unavailable(reason.message);
			throw reason;
		}
		if (this.#disposed) {
			close(renderer);
			return renderer;
		}
		this.#now = renderer;
		void renderer.drawing.lost.then((reason) => this.#lose(renderer, reason));
		this.#events.opened(renderer);
		return renderer;
	}

	#lose(renderer: Renderer, reason: string): void {
		if (this.#disposed || this.#now !== renderer) return;
		this.#now = null;
		this.#events.lost();
		const now = performance.now();
		this.#losses = this.#losses.filter((time) => now - time < LOSS_MS);
		this.#losses.push(now);
		if (this.#losses.length > MAX_LOSSES) {
			const error = new NoGraphicsError(
				`the graphics device was lost ${MAX_LOSSES} times in a minute (${reason}).`,
			);
			this.#opening = Promise.reject(error);
			this.#events.unavailable(error.message);
		} else this.#opening = this.#open();
		this.#opening.catch(ignoreReport);
	}
}

/** The page has been told already, and each capture hears of it by itself. */
function ignoreReport(): void {}

async function createRenderer(
	canvas: OffscreenCanvas | HTMLCanvasElement,
	forceWebGL: boolean,
	assets: AssetBytes,
): Promise<Renderer> {
	const drawing = await startDrawing(canvas, forceWebGL);
	const most = Number(drawing.info.capabilities.max_texture_dimension_2d);
	const room = new PixelRoom();
	const textures = new Textures(assets, most, room);
	const resources = new GpuResources(drawing.info.quality, textures, new Models(assets, room));
	const stage = new Stage(resources);
	const outline = new Outline();
	stage.lay(outline.group);
	const marks = new MarksMesh();
	stage.lay(marks.mesh);
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

function close({ capturer, post, stage, outline, marks, resources, drawing }: Renderer): void {
	capturer.dispose();
	post.dispose();
	stage.dispose();
	outline.dispose();
	marks.dispose();
	resources.dispose();
	void drawing.renderer.dispose();
}
