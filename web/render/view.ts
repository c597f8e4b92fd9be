/**
 * The view: requests frames from the engine, draws them, takes pictures, answers picks, and passes the
 * pointer to the tools. It is the same in a Worker and on the main thread.
 * Owns: the moment between two frames that is shown. Never: changes the world, or draws the same picture again.
 */

import { Box3, Vector2, Vector3 } from 'three/webgpu';
import type { EngineToView, Frame, FrameBlocks, FramePost, ViewToEngine } from '../frames/frames.ts';
import { AssetPort } from './asset-port.ts';
import { type Drawing, endPicture } from './backend.ts';
import { HitSounds } from './blows.ts';
import { focusDistance } from './cameras.ts';
import { Captures } from './captures.ts';
import { Device, type Renderer } from './device.ts';
import { type BlendStart, matchRows, Playhead } from './interpolate.ts';
import { type FrameChange, KnownWorld, type ShownWorld } from './known-world.ts';
import { LiveQuality } from './live-quality.ts';
import { Loop } from './loop.ts';
import type {
	Aim,
	CameraMove,
	EntityRef,
	HostToView,
	ViewEvent,
	ViewOptions,
	ViewToHost,
} from './messages.ts';
import { PictureReports } from './picture-news.ts';
import { Selection } from './selection.ts';
import { Editor, type Scene } from './tools/editor.ts';
import { ViewCamera } from './view-camera.ts';
import { WatchReporter } from './watched.ts';

/** Maximum number of pixels of a moving live picture with software rendering. */
const REDUCED_PIXELS = 300_000;

export class View {
	readonly #port: MessagePort;
	readonly #send: (message: ViewToHost) => void;
	readonly #device: Device;
	readonly #hitSounds = new HitSounds();
	readonly #loop: Loop;
	readonly #known = new KnownWorld();
	readonly #selection = new Selection();
	readonly #camera: ViewCamera;
	readonly #playhead = new Playhead();
	readonly #assets = new AssetPort((message) => this.#post(message));
	readonly #reports = new PictureReports(
		(event) => this.#emit(event),
		() => this.#loop.reportChange(),
	);
	readonly #watched = new WatchReporter((event) => this.#emit(event));
	readonly #editor = new Editor(this.#selection, (event) => this.#emit(event));

	#world: string;
	#isVisible = true;
	#isDisposed = false;

	#quality = new LiveQuality(false);
	/** Settings of post-processing in the world, and the same settings within the limits of `#quality`. */
	#limitedPost: { readonly original: FramePost; readonly limited: FramePost } | null = null;

	#previous: { readonly tick: number; readonly blend: BlendStart } | null = null;
	/** Blend of the poses in the buffers, or -1 if they are out of date. */
	#filledBlend = -1;
	#lastDraw = 0;
	readonly #captures: Captures;

	/** Starts immediately. `send` sends messages to the page. */
	constructor(
		canvas: OffscreenCanvas | HTMLCanvasElement,
		port: MessagePort,
		options: ViewOptions,
		send: (message: ViewToHost) => void,
	) {
		this.#port = port;
		this.#send = send;
		this.#world = options.world;
		this.#camera = new ViewCamera(options, (event) => this.#emit(event));
		this.#loop = new Loop({
			requestFrame: () => this.#requestFrame(),
			draw: (now, quality) => this.#draw(now, quality),
			isMoving: () => this.#isMoving(),
			isActive: () => !this.#isDisposed && this.#isVisible && this.#device.renderer !== null,
		});
		this.#device = new Device(canvas, options.forceWebGL, this.#assets.requestBytes, {
			onOpened: (renderer) => this.#useRenderer(renderer),
			onLost: () => this.#loop.stop(),
			onUnavailable: (message) => this.#emit({ type: 'unavailable', message }),
		});
		this.#captures = new Captures(this.#device, port);
		port.onmessage = (event: MessageEvent<EngineToView>) => this.#onMessage(event.data);
	}

	/** Handles a message of the page. */
	handle(message: Exclude<HostToView, { type: 'start' }>): void {
		switch (message.type) {
			case 'resize':
				this.#camera.resize(message);
				this.#loop.reportChange();
				return;
			case 'visible':
				this.#isVisible = message.visible;
				this.#loop.wake();
				return;
			case 'camera':
				this.#moveCamera(message.move);
				return;
			case 'select':
				this.#selection.select(message.entities);
				this.#loop.reportChange();
				return;
			case 'tool':
				this.#editor.setSettings(message.settings);
				this.#redrawPreview();
				return;
			case 'signs':
				this.#editor.setSigns(message.signs);
				this.#loop.reportChange();
				return;
			case 'outlines':
				this.#editor.setOutlines(message.outlines);
				this.#loop.reportChange();
				return;
			case 'cancel':
				this.#editor.cancel();
				this.#redrawPreview();
				return;
			case 'settle':
				this.#editor.editAnswered();
				this.#loop.wake();
				return;
			case 'press':
			case 'drag':
			case 'release':
			case 'hover':
				this.#handlePointer(message);
				return;
			case 'land': {
				const { x, y, least, most, step } = message;
				const scene = this.#scene;
				const box = new Box3(new Vector3(...least), new Vector3(...most));
				const position = scene === null ? null : this.#editor.placeGhost([x, y], box, step, scene);
				this.#loop.reportChange();
				this.#send({ type: 'landed', number: message.number, position: position?.toArray() ?? null });
				return;
			}
			case 'world':
				if (message.world === this.#world) return;
				this.#world = message.world;
				this.#editor.leaveWorld();
				this.#loop.wake();
				return;
			case 'focus': {
				const stage = this.#device.renderer?.stage ?? null;
				this.#camera.focus(this.#selection.selected, stage, this.#shown?.blocks ?? null);
				this.#loop.reportChange();
				return;
			}
			case 'follow':
				this.#camera.follow(message.id);
				this.#loop.reportChange();
				return;
			case 'watch':
				this.#watched.watch(message.watching);
				this.#loop.reportChange();
				return;
			case 'order':
				this.#watched.setOrder(message.order, performance.now());
				this.#loop.reportChange();
				return;
			case 'aim': {
				const aim = this.#aim(message.x, message.y, message.height);
				this.#send({ type: 'aimed', number: message.number, aim });
				return;
			}
			case 'pick': {
				const hit = this.#pick(message.x, message.y);
				this.#send({ type: 'picked', number: message.number, hit });
				return;
			}
			case 'dispose':
				this.#isDisposed = true;
				this.#reports.stop();
				this.#captures.close();
				this.#loop.stop();
				this.#port.close();
				this.#device.dispose();
				return;
		}
	}

	get #shown(): ShownWorld | null {
		return this.#known.shown;
	}

	// The engine's side.

	#onMessage(message: EngineToView): void {
		if (message.type === 'frame') this.#receiveFrame(message.frame);
		else if (message.type === 'again') this.#loop.wake();
		else if (message.type === 'asset') this.#assets.resolveRequest(message.hash, message.bytes);
		else if (message.type === 'capture') this.#captures.take(message);
	}

	#post(message: ViewToEngine): void {
		this.#port.postMessage(message);
	}

	#requestFrame(): void {
		const isNeeded = this.#editor.requestFrame();
		this.#post({
			type: 'frame',
			world: this.#world,
			known: this.#known.versions(this.#world),
			...this.#known.state(this.#world),
			...(isNeeded ? { since: -1 } : {}),
		});
	}

	/** Takes a frame and passes its changes on. */
	#receiveFrame(frame: Frame): void {
		// A frame is useless if it belongs to another world, or omits blocks that the view no longer has.
		const change = frame.world === this.#world ? this.#known.addFrame(frame) : null;
		if (change === null) {
			this.#loop.answer();
			return;
		}
		const { shown, previous, changed, events } = change;
		if (this.#editor.receiveFrame()) this.#redrawPreview();
		if (changed.has('hud')) this.#emit({ type: 'hud', elements: shown.blocks.hud });
		this.#sendSounds(change);
		this.#watched.reportEvents(shown.world, shown.tick, events);
		const isNewMoment = shown.tick !== previous?.tick || shown.playing !== previous.playing;
		this.#loop.answer();
		if (this.#camera.receiveFrame(shown.world, shown.blocks)) this.#loop.reportChange();
		if (!isNewMoment && changed.size === 0) return;
		this.#setBlendStart(previous, shown, changed.has('rows'));
		this.#filledBlend = -1;
		if (changed.has('post')) this.#quality.restart();
		this.#device.renderer?.stage.setFrame(this.#limitBlocks(shown.blocks), changed, events);
		this.#loop.reportChange();
	}

	/** Sends sounds to the page. */
	#sendSounds({ shown, changed, events }: FrameChange): void {
		const { world, tick, blocks } = shown;
		const newEvents = [
			...events.filter(({ kind }) => kind === 'sound_played'),
			...this.#hitSounds.takeEvents(blocks.feedback, tick),
		];
		const hasChanged = changed.has('sound');
		if (!hasChanged && newEvents.length === 0) return;
		this.#emit({ type: 'sound', world, tick, sounds: hasChanged ? blocks.sound : null, events: newEvents });
	}

	/** Sets the frame from which the picture moves to `shown`. */
	#setBlendStart(previous: ShownWorld | null, shown: ShownWorld, hasNewRows: boolean): void {
		if (previous !== null && shown.playing && shown.tick > previous.tick) {
			const { poses, rows } = previous.blocks;
			const previousRows = hasNewRows ? matchRows(rows, shown.blocks.rows) : null;
			this.#previous = { tick: previous.tick, blend: { poses, rows: previousRows } };
		} else if (previous === null || shown.tick !== previous.tick || !shown.playing || hasNewRows) {
			this.#previous = null;
		}
	}

	// The picture.

	#useRenderer({ drawing, resources, stage }: Renderer): void {
		const refresh = (): void => {
			stage.refresh();
			this.#filledBlend = -1;
			this.#loop.reportChange();
		};
		const reportUndecodable = (hash: string): void => this.#emit({ type: 'undecodable', hash });
		resources.textures.onUndecodable = reportUndecodable;
		resources.models.onUndecodable = reportUndecodable;
		resources.textures.onSettled = refresh;
		resources.models.onSettled = refresh;
		this.#filledBlend = -1;
		const shown = this.#shown;
		this.#quality = new LiveQuality(drawing.isSoftware);
		this.#limitedPost = null;
		if (shown !== null) {
			const all = Object.keys(shown.blocks) as (keyof FrameBlocks)[];
			stage.setFrame(this.#limitBlocks(shown.blocks), new Set(all));
		}
		this.#post({ type: 'gpu', info: drawing.info });
		this.#emit({ type: 'gpu', info: drawing.info, reduced: drawing.isSoftware });
		this.#loop.restart(drawing.isSoftware);
	}

	/** Returns the blocks of a frame without effects for which the device is too slow. */
	#limitBlocks(blocks: FrameBlocks): FrameBlocks {
		if (this.#limitedPost?.original !== blocks.post)
			this.#limitedPost = { original: blocks.post, limited: this.#quality.limit(blocks.post) };
		const { limited } = this.#limitedPost;
		return limited === blocks.post ? blocks : { ...blocks, post: limited };
	}

	/** Adds the time of a picture (ms), and omits effects if the device is too slow. */
	#addPictureTime(ms: number): void {
		if (!this.#quality.addPicture(ms)) return;
		this.#limitedPost = null;
		const shown = this.#shown;
		if (shown === null) return;
		this.#device.renderer?.stage.setFrame(this.#limitBlocks(shown.blocks), new Set(['post']));
		this.#loop.reportChange();
	}

	#isMoving(): boolean {
		if (this.#watched.isMarking(performance.now())) return true;
		return this.#previous !== null && this.#shown !== null && this.#playhead.tick < this.#shown.tick;
	}

	async #draw(now: number, quality: 'live' | 'full'): Promise<void> {
		const renderer = this.#device.renderer;
		const shown = this.#shown;
		if (renderer === null || shown === null) return;
		const { stage, outline, marks: marksMesh, drawing, post } = renderer;
		this.#setPoses(renderer, shown, now);
		this.#selection.draw(outline, stage.meshes, shown.blocks.rows);
		this.#resize(drawing, quality);
		const moment = { blocks: shown.blocks, start: this.#previous?.blend ?? null, blend: this.#filledBlend };
		this.#camera.moveAlong(moment);
		const camera = this.#camera.cameraAt(this.#filledBlend, shown.blocks.camera.shaken);
		const lens = this.#camera.lens(camera);
		const { width: viewWidth, height: viewHeight } = this.#camera;
		this.#watched.reportPositions(moment, lens, viewWidth, viewHeight);
		stage.prepare(camera, lens, viewWidth, viewHeight, 'color');
		outline.screen.value.set(viewWidth, viewHeight);
		const sight = this.#camera.sight(lens);
		const rings = this.#watched.marks(moment, sight, now);
		const marks = [...rings, ...this.#editor.marks({ sight, blocks: shown.blocks })];
		marksMesh.setMarks(marks, viewWidth, viewHeight);
		const settings = this.#limitBlocks(shown.blocks).post;
		const isComplete = stage.isComplete && post.has(settings);
		if (!post.has(settings)) void post.load().then(() => this.#loop.reportChange());
		const { x: width, y: height } = drawing.renderer.getSize(new Vector2());
		const isSmooth = !drawing.isSoftware;
		const focus = focusDistance(camera);
		post.draw(stage, lens, settings, { target: null, width, height, isSmooth, focus });
		const drawCalls = drawing.renderer.info.render.drawCalls;
		endPicture(drawing.renderer);
		const submitMs = performance.now() - now;
		await drawing.waitUntilDrawn();
		// A game begins with its first picture, which software rendering finishes seconds after its submission.
		const picture = { submitMs, draw_calls: drawCalls, complete: isComplete };
		if (!this.#isDisposed) this.#reports.addPicture(shown, picture, now);
		if (settings.enabled) this.#addPictureTime(performance.now() - now);
	}

	/** Sets the poses for this moment between two frames. */
	#setPoses({ stage }: Renderer, shown: ShownWorld, now: number): void {
		// During a preview the poses are shown as they are, without a blend.
		const previous = this.#editor.hasPreview ? null : this.#previous;
		let blend = 1;
		if (previous === null) this.#playhead.jumpTo(shown.tick);
		else {
			const seconds = Math.min((now - this.#lastDraw) / 1000, 0.25) * shown.speed;
			blend = this.#playhead.advance(previous.tick, shown.tick, shown.playing, seconds);
		}
		this.#lastDraw = now;
		if (blend === this.#filledBlend) return;
		const poses = this.#editor.shownPoses(shown.blocks.rows, shown.blocks.poses);
		stage.setPoses(previous?.blend ?? null, poses, blend, shown.tick - this.#playhead.tick);
		this.#filledBlend = blend;
	}

	/** Sets the size of the drawing buffer. With software rendering it is small during movement. */
	#resize(drawing: Drawing, quality: 'live' | 'full'): void {
		const { isReduced } = this.#loop;
		const { width: viewWidth, height: viewHeight } = this.#camera;
		const dpr = isReduced ? 1 : this.#camera.dpr;
		const limit = Number(drawing.info.capabilities.max_texture_dimension_2d);
		const pixels = viewWidth * viewHeight * dpr * dpr;
		const factor = quality === 'live' && isReduced ? Math.min(1, Math.sqrt(REDUCED_PIXELS / pixels)) : 1;
		const width = Math.min(limit, Math.max(1, Math.round(viewWidth * dpr * factor)));
		const height = Math.min(limit, Math.max(1, Math.round(viewHeight * dpr * factor)));
		const size = drawing.renderer.getSize(new Vector2());
		if (size.x !== width || size.y !== height) drawing.renderer.setSize(width, height, false);
	}

	// Picking, tools and the camera.

	/** Passes the pointer to the tools, and unused events to the camera or to picking. */
	#handlePointer(message: Extract<HostToView, { type: 'press' | 'drag' | 'release' | 'hover' }>): void {
		const { x, y } = message;
		const scene = this.#scene;
		const editor = this.#editor;
		switch (message.type) {
			case 'press':
				if (scene !== null && editor.press([x, y], message.shift, scene)) this.#loop.reportChange();
				return;
			case 'drag':
				if (scene !== null && editor.drag([x, y], scene)) this.#redrawPreview();
				else this.#moveCamera(message.move);
				return;
			case 'release': {
				const isTaken = scene !== null && editor.release(message.click, scene);
				this.#redrawPreview();
				if (isTaken || !message.click) return;
				const hit = (scene === null ? null : editor.signAt([x, y], scene)) ?? this.#pick(x, y);
				this.#emit({ type: 'selected', entities: hit === null ? [] : [hit], isAdding: message.shift });
				return;
			}
			case 'hover':
				if (scene !== null && editor.hover([x, y], scene)) this.#loop.reportChange();
		}
	}

	/** Draws again with new poses, because the preview has changed. */
	#redrawPreview(): void {
		this.#filledBlend = -1;
		this.#loop.reportChange();
	}

	#moveCamera(move: CameraMove): void {
		this.#camera.move(move);
		this.#loop.reportChange();
	}

	/** Scene for the tools; null before the first picture. */
	get #scene(): Scene | null {
		const stage = this.#device.renderer?.stage;
		const blocks = this.#shown?.blocks;
		if (stage === undefined || blocks === undefined) return null;
		return { stage, blocks, sight: this.#camera.sight() };
	}

	#pick(x: number, y: number): EntityRef | null {
		const stage = this.#device.renderer?.stage;
		const rows = this.#shown?.blocks.rows;
		if (stage === undefined || rows === undefined) return null;
		return this.#selection.pick(this.#camera.ray(x, y), stage, rows);
	}

	/** Returns the target at a point. The point behind a unit is at `height` (m). */
	#aim(x: number, y: number, height: number): Aim {
		const stage = this.#device.renderer?.stage;
		const rows = this.#shown?.blocks.rows;
		if (stage === undefined || rows === undefined) return { hit: null, point: null };
		return this.#selection.aimAt(this.#camera.ray(x, y), height, stage, rows);
	}

	#emit(event: ViewEvent): void {
		this.#send({ type: 'event', event });
	}
}
