/**
 * The view: requests frames from the engine, draws them, takes pictures, answers picks, and passes the pointer to the
 * tools. It is the same in a Worker and on the main thread.
 * Owns: the moment between two frames that is shown. Never: changes the world, or draws a picture that would look the same.
 */

import { Box3, Vector2, Vector3 } from 'three/webgpu';
import type { EngineToView, Frame, FrameBlocks, FramePost, ViewToEngine } from '../frames/frames.ts';
import { AssetPort } from './asset-port.ts';
import { type Drawing, endPicture } from './backend.ts';
import { Blows } from './blows.ts';
import { focusOf } from './cameras.ts';
import { Captures } from './captures.ts';
import { Device, type Renderer } from './device.ts';
import { type BlendFrom, matchRows, Playhead } from './interpolate.ts';
import { KnownWorld, type Shown, type Taken } from './known-world.ts';
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
import { PictureNews } from './picture-news.ts';
import { Selection } from './selection.ts';
import { Editor, type Scene } from './tools/editor.ts';
import { ViewCamera } from './view-camera.ts';
import { Watched } from './watched.ts';

/** Maximum number of pixels of a moving live picture with software rendering. */
const REDUCED_PIXELS = 300_000;

export class View {
	readonly #port: MessagePort;
	readonly #send: (message: ViewToHost) => void;
	readonly #device: Device;
	readonly #blows = new Blows();
	readonly #loop: Loop;
	readonly #received = new KnownWorld();
	readonly #selection = new Selection();
	readonly #camera: ViewCamera;
	readonly #playhead = new Playhead();
	readonly #assets = new AssetPort((message) => this.#post(message));
	readonly #news = new PictureNews(
		(event) => this.#emit(event),
		() => this.#loop.change(),
	);
	readonly #watched = new Watched((event) => this.#emit(event));
	readonly #editor = new Editor(this.#selection, (event) => this.#emit(event));

	#world: string;
	#visible = true;
	#disposed = false;

	#quality = new LiveQuality(false);
	/** Settings of post-processing in the world, and the same settings after the limits of `#quality`. */
	#limited: { readonly given: FramePost; readonly left: FramePost } | null = null;

	#before: { readonly tick: number; readonly blend: BlendFrom } | null = null;
	/** Blend of the poses in the buffers, or -1 if they are out of date. */
	#filled = -1;
	#lastDraw = 0;
	readonly #captures: Captures;

	/** Starts at once. `send` sends messages to the page. */
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
			ask: () => this.#ask(),
			draw: (now, quality) => this.#draw(now, quality),
			moving: () => this.#moving(),
			on: () => !this.#disposed && this.#visible && this.#device.now !== null,
		});
		this.#device = new Device(canvas, options.forceWebGL, this.#assets.bytes, {
			opened: (renderer) => this.#opened(renderer),
			lost: () => this.#loop.stop(),
			unavailable: (message) => this.#emit({ type: 'unavailable', message }),
		});
		this.#captures = new Captures(this.#device, port);
		port.onmessage = (event: MessageEvent<EngineToView>) => this.#onMessage(event.data);
	}

	/** Handles a message of the page. */
	handle(message: Exclude<HostToView, { type: 'start' }>): void {
		switch (message.type) {
			case 'resize':
				this.#camera.resize(message);
				this.#loop.change();
				return;
			case 'visible':
				this.#visible = message.visible;
				this.#loop.wake();
				return;
			case 'camera':
				this.#moveCamera(message.move);
				return;
			case 'select':
				this.#selection.select(message.entities);
				this.#loop.change();
				return;
			case 'tool':
				this.#editor.set(message.settings);
				this.#previewed();
				return;
			case 'signs':
				this.#editor.setSigns(message.signs);
				this.#loop.change();
				return;
			case 'outlines':
				this.#editor.setOutlines(message.outlines);
				this.#loop.change();
				return;
			case 'cancel':
				this.#editor.cancel();
				this.#previewed();
				return;
			case 'settle':
				this.#editor.settle();
				this.#loop.wake();
				return;
			case 'press':
			case 'drag':
			case 'release':
			case 'hover':
				this.#point(message);
				return;
			case 'land': {
				const { x, y, least, most, step } = message;
				const scene = this.#scene;
				const box = new Box3(new Vector3(...least), new Vector3(...most));
				const position = scene === null ? null : this.#editor.landing([x, y], box, step, scene);
				this.#loop.change();
				this.#send({ type: 'landed', number: message.number, place: position?.toArray() ?? null });
				return;
			}
			case 'world':
				if (message.world === this.#world) return;
				this.#world = message.world;
				this.#editor.leave();
				this.#loop.wake();
				return;
			case 'focus':
				this.#camera.focus(
					this.#selection.selected,
					this.#device.now?.stage ?? null,
					this.#shown?.blocks ?? null,
				);
				this.#loop.change();
				return;
			case 'follow':
				this.#camera.follow(message.id);
				this.#loop.change();
				return;
			case 'watch':
				this.#watched.set(message.watching);
				this.#loop.change();
				return;
			case 'order':
				this.#watched.order(message.order, performance.now());
				this.#loop.change();
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
				this.#disposed = true;
				this.#news.stop();
				this.#captures.close();
				this.#loop.stop();
				this.#port.close();
				this.#device.dispose();
				return;
		}
	}

	get #shown(): Shown | null {
		return this.#received.shown;
	}

	// The engine's side.

	#onMessage(message: EngineToView): void {
		if (message.type === 'frame') this.#take(message.frame);
		else if (message.type === 'again') this.#loop.wake();
		else if (message.type === 'asset') this.#assets.take(message.hash, message.bytes);
		else if (message.type === 'capture') this.#captures.take(message);
	}

	#post(message: ViewToEngine): void {
		this.#port.postMessage(message);
	}

	#ask(): void {
		const isNeeded = this.#editor.asked();
		this.#post({
			type: 'frame',
			world: this.#world,
			known: this.#received.versions(this.#world),
			...this.#received.state(this.#world),
			...(isNeeded ? { since: -1 } : {}),
		});
	}

	/** Takes a frame and passes its changes on. */
	#take(frame: Frame): void {
		// The frame is useless if it belongs to another world, or lacks blocks that the view no longer has.
		const taken = frame.world === this.#world ? this.#received.take(frame) : null;
		if (taken === null) {
			this.#loop.answer();
			return;
		}
		const { shown, before, changed, events } = taken;
		if (this.#editor.taken()) this.#previewed();
		if (changed.has('hud')) this.#emit({ type: 'hud', elements: shown.blocks.hud });
		this.#sound(taken);
		this.#watched.reportEvents(shown.world, shown.tick, events);
		const hasChanged =
			before === null || changed.size > 0 || shown.tick !== before.tick || shown.playing !== before.playing;
		this.#loop.answer();
		if (this.#camera.takeFrame(shown.world, shown.blocks)) this.#loop.change();
		if (!hasChanged) return;
		this.#blendFrom(before, shown, changed.has('rows'));
		this.#filled = -1;
		if (changed.has('post')) this.#quality.restart();
		this.#device.now?.stage.setFrame(this.#live(shown.blocks), changed, events);
		this.#loop.change();
	}

	/** Sends sounds to the page. */
	#sound({ shown, changed, events }: Taken): void {
		const { world, tick, blocks } = shown;
		const once = [
			...events.filter(({ kind }) => kind === 'sound_played'),
			...this.#blows.take(blocks.feedback, tick),
		];
		const hasChanged = changed.has('sound');
		if (!hasChanged && once.length === 0) return;
		this.#emit({ type: 'sound', world, tick, sounds: hasChanged ? blocks.sound : null, events: once });
	}

	/** Sets the frame from which the picture moves to `shown`. */
	#blendFrom(before: Shown | null, shown: Shown, otherRows: boolean): void {
		if (before !== null && shown.playing && shown.tick > before.tick) {
			const { poses, rows } = before.blocks;
			const matched = otherRows ? matchRows(rows, shown.blocks.rows) : null;
			this.#before = { tick: before.tick, blend: { poses, rows: matched } };
		} else if (before === null || shown.tick !== before.tick || !shown.playing || otherRows) {
			this.#before = null;
		}
	}

	// The picture.

	#opened({ drawing, resources, stage }: Renderer): void {
		const came = (): void => {
			stage.refresh();
			this.#filled = -1;
			this.#loop.change();
		};
		const broken = (hash: string): void => this.#emit({ type: 'undecodable', hash });
		resources.textures.onUndecodable = broken;
		resources.models.onUndecodable = broken;
		resources.textures.onSettled = came;
		resources.models.onSettled = came;
		this.#filled = -1;
		const shown = this.#shown;
		this.#quality = new LiveQuality(drawing.software);
		this.#limited = null;
		if (shown !== null) {
			const all = Object.keys(shown.blocks) as (keyof FrameBlocks)[];
			stage.setFrame(this.#live(shown.blocks), new Set(all));
		}
		this.#post({ type: 'gpu', info: drawing.info });
		this.#emit({ type: 'gpu', info: drawing.info, reduced: drawing.software });
		this.#loop.restart(drawing.software);
	}

	/** Returns the blocks of a frame without effects for which the device is too slow. */
	#live(blocks: FrameBlocks): FrameBlocks {
		if (this.#limited?.given !== blocks.post)
			this.#limited = { given: blocks.post, left: this.#quality.limited(blocks.post) };
		const { left } = this.#limited;
		return left === blocks.post ? blocks : { ...blocks, post: left };
	}

	/** Takes the time of a picture, and drops effects if the device is too slow. */
	#measured(ms: number): void {
		if (!this.#quality.measured(ms)) return;
		this.#limited = null;
		const shown = this.#shown;
		if (shown === null) return;
		this.#device.now?.stage.setFrame(this.#live(shown.blocks), new Set(['post']));
		this.#loop.change();
	}

	#moving(): boolean {
		if (this.#watched.isMarking(performance.now())) return true;
		return this.#before !== null && this.#shown !== null && this.#playhead.shown < this.#shown.tick;
	}

	async #draw(now: number, quality: 'live' | 'full'): Promise<void> {
		const renderer = this.#device.now;
		const shown = this.#shown;
		if (renderer === null || shown === null) return;
		const { stage, outline, marks, drawing, post } = renderer;
		this.#fill(renderer, shown, now);
		this.#selection.draw(outline, stage.meshes, shown.blocks.rows);
		this.#resize(drawing, quality);
		const moment = { blocks: shown.blocks, before: this.#before?.blend ?? null, blend: this.#filled };
		this.#camera.goAlong(moment);
		const camera = this.#camera.framed(this.#filled, shown.blocks.camera.shaken);
		const lens = this.#camera.lens(camera);
		const { width: shownWidth, height: shownHeight } = this.#camera;
		this.#watched.reportPositions(moment, lens, shownWidth, shownHeight);
		stage.prepare(camera, lens, shownWidth, shownHeight, 'color');
		outline.screen.value.set(shownWidth, shownHeight);
		const sight = this.#camera.sight(lens);
		const rings = this.#watched.marks(moment, sight, now);
		marks.show([...rings, ...this.#editor.marks({ sight, blocks: shown.blocks })], shownWidth, shownHeight);
		const settings = this.#live(shown.blocks).post;
		const complete = stage.complete && post.has(settings);
		if (!post.has(settings)) void post.load().then(() => this.#loop.change());
		const { x: width, y: height } = drawing.renderer.getSize(new Vector2());
		const smooth = !drawing.software;
		post.draw(stage, lens, settings, { target: null, width, height, smooth, focus: focusOf(camera) });
		const calls = drawing.renderer.info.render.drawCalls;
		endPicture(drawing.renderer);
		const submit = performance.now() - now;
		await drawing.finished();
		// A game begins with its first picture, which software rendering finishes seconds after its submission.
		if (!this.#disposed) this.#news.drawn(shown, { submit, draw_calls: calls, complete }, now);
		if (settings.enabled) this.#measured(performance.now() - now);
	}

	/** Sets the poses for this moment between two frames. */
	#fill({ stage }: Renderer, shown: Shown, now: number): void {
		// During a preview the poses are shown as they are, without a blend.
		const before = this.#editor.previews ? null : this.#before;
		let blend = 1;
		if (before === null) this.#playhead.snap(shown.tick);
		else {
			const seconds = Math.min((now - this.#lastDraw) / 1000, 0.25) * shown.speed;
			blend = this.#playhead.advance(before.tick, shown.tick, shown.playing, seconds);
		}
		this.#lastDraw = now;
		if (blend === this.#filled) return;
		const poses = this.#editor.poses(shown.blocks.rows, shown.blocks.poses);
		stage.setPoses(before?.blend ?? null, poses, blend, shown.tick - this.#playhead.shown);
		this.#filled = blend;
	}

	/** Sizes the drawing buffer; with software rendering it is small during movement. */
	#resize(drawing: Drawing, quality: 'live' | 'full'): void {
		const { reduced } = this.#loop;
		const { width: wide, height: high } = this.#camera;
		const dpr = reduced ? 1 : this.#camera.dpr;
		const limit = Number(drawing.info.capabilities.max_texture_dimension_2d);
		const pixels = wide * high * dpr * dpr;
		const shrink = quality === 'live' && reduced ? Math.min(1, Math.sqrt(REDUCED_PIXELS / pixels)) : 1;
		const width = Math.min(limit, Math.max(1, Math.round(wide * dpr * shrink)));
		const height = Math.min(limit, Math.max(1, Math.round(high * dpr * shrink)));
		const size = drawing.renderer.getSize(new Vector2());
		if (size.x !== width || size.y !== height) drawing.renderer.setSize(width, height, false);
	}

	// Picking, tools and the camera.

	/** Passes the pointer to the tools, and unused events to the camera or to picking. */
	#point(message: Extract<HostToView, { type: 'press' | 'drag' | 'release' | 'hover' }>): void {
		const { x, y } = message;
		const scene = this.#scene;
		const editor = this.#editor;
		switch (message.type) {
			case 'press':
				if (scene !== null && editor.press([x, y], message.shift, scene)) this.#loop.change();
				return;
			case 'drag':
				if (scene !== null && editor.drag([x, y], scene)) this.#previewed();
				else this.#moveCamera(message.move);
				return;
			case 'release': {
				const isTaken = scene !== null && editor.release(message.click, scene);
				this.#previewed();
				if (isTaken || !message.click) return;
				const hit = (scene === null ? null : editor.signAt([x, y], scene)) ?? this.#pick(x, y);
				this.#emit({ type: 'selected', entities: hit === null ? [] : [hit], adds: message.shift });
				return;
			}
			case 'hover':
				if (scene !== null && editor.hover([x, y], scene)) this.#loop.change();
		}
	}

	/** Draws again with new poses, because the preview has changed. */
	#previewed(): void {
		this.#filled = -1;
		this.#loop.change();
	}

	#moveCamera(move: CameraMove): void {
		this.#camera.move(move);
		this.#loop.change();
	}

	/** The scene for the tools; null before the first picture. */
	get #scene(): Scene | null {
		const stage = this.#device.now?.stage;
		const blocks = this.#shown?.blocks;
		if (stage === undefined || blocks === undefined) return null;
		return { stage, blocks, sight: this.#camera.sight() };
	}

	#pick(x: number, y: number): EntityRef | null {
		const stage = this.#device.now?.stage;
		const rows = this.#shown?.blocks.rows;
		if (stage === undefined || rows === undefined) return null;
		return this.#selection.pick(this.#camera.ray(x, y), stage, rows);
	}

	/** Returns the target at a point. Ground behind a unit counts as at `height`. */
	#aim(x: number, y: number, height: number): Aim {
		const stage = this.#device.now?.stage;
		const rows = this.#shown?.blocks.rows;
		if (stage === undefined || rows === undefined) return { hit: null, point: null };
		return this.#selection.aim(this.#camera.ray(x, y), height, stage, rows);
	}

	#emit(event: ViewEvent): void {
		this.#send({ type: 'event', event });
	}
}
