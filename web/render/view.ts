/**
 * The view: asks the engine for frames, draws them, takes pictures, answers picks, and hands the pointer to the tools.
 * Owns: the person's camera, and what the picture has come to between two frames. The same on a Worker and on the main
 * thread. Never: changes the world; draws while nothing changes or while the tab is hidden.
 */

import { Box3, type Ray, Vector2, Vector3 } from 'three/webgpu';
import type {
	CaptureResult,
	EngineToView,
	Frame,
	FrameBlocks,
	FramePost,
	ViewToEngine,
} from '../frames/frames.ts';
import { AssetPort } from './asset-port.ts';
import { type Drawing, endPicture, NoGraphicsError } from './backend.ts';
import { Blows } from './blows.ts';
import { boxesOf } from './boxes.ts';
import { Cameras, focusOf, framedFor, opening } from './cameras.ts';
import { Device, type Renderer } from './device.ts';
import { type BlendFrom, matchRows, Playhead, POSE_STRIDE } from './interpolate.ts';
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
import { Orbit } from './orbit.ts';
import { rowOf, Selection } from './selection.ts';
import { Editor, type Scene } from './tools/editor.ts';
import { Sight } from './tools/sight.ts';
import { type Moment, placeOf, Watched } from './watched.ts';

/** Pixels of a live picture where a processor draws it, while something moves. */
const REDUCED_PIXELS = 300_000;
const REPORT_MS = 500;
/** Milliseconds that the page waits for the models of another world. */
const MODELS_MS = 3000;

type Capture = Extract<EngineToView, { type: 'capture' }>;

/** Properties of the last drawn picture. */
type LastPicture = Pick<Extract<ViewEvent, { type: 'drawn' }>, 'draw_calls' | 'complete'>;

export class View {
	readonly #port: MessagePort;
	readonly #send: (message: ViewToHost) => void;
	readonly #device: Device;
	readonly #blows = new Blows();
	readonly #loop: Loop;
	readonly #received = new KnownWorld();
	readonly #selection = new Selection();
	readonly #orbit = new Orbit();
	readonly #cameras = new Cameras();
	readonly #playhead = new Playhead();
	readonly #assets = new AssetPort((message) => this.#post(message));
	readonly #watched = new Watched((event) => this.#emit(event));
	readonly #editor = new Editor(this.#selection, (event) => this.#emit(event));

	#world: string;
	#width: number;
	#height: number;
	#dpr: number;
	#visible = true;
	/** Entity that the camera follows. */
	#followed: number | null = null;
	#disposed = false;

	#quality = new LiveQuality(false);
	/** Settings of post-processing that `#quality` was last asked about, and what it left of them. */
	#limited: { readonly given: FramePost; readonly left: FramePost } | null = null;

	#before: { readonly tick: number; readonly blend: BlendFrom } | null = null;
	/** The blend that the buffers hold, or -1 when they are out of date. */
	#filled = -1;
	#lastDraw = 0;
	/** World and line that the page was told of last. */
	#last = { world: '', line: -1 };
	/** World and line of the newest picture without all its models, and the time of the first such picture (ms). */
	#first = { world: '', line: -1, at: 0 };
	#lookLate: ReturnType<typeof setTimeout> | undefined;
	#captures: Promise<void> = Promise.resolve();
	#report = { since: 0, pictures: 0, submit: 0 };
	/** Reports the last pictures of a view that then stands still. */
	#reportLater: ReturnType<typeof setTimeout> | undefined;

	/** Starts at once. `send` takes what the page is to know. */
	constructor(
		canvas: OffscreenCanvas | HTMLCanvasElement,
		port: MessagePort,
		options: ViewOptions,
		send: (message: ViewToHost) => void,
	) {
		this.#port = port;
		this.#send = send;
		this.#world = options.world;
		this.#width = Math.max(1, options.width);
		this.#height = Math.max(1, options.height);
		this.#dpr = Math.max(0.5, options.dpr);
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
		port.onmessage = (event: MessageEvent<EngineToView>) => this.#onMessage(event.data);
	}

	/** Does what the page asks. */
	handle(message: Exclude<HostToView, { type: 'start' }>): void {
		switch (message.type) {
			case 'resize':
				this.#width = Math.max(1, message.width);
				this.#height = Math.max(1, message.height);
				this.#dpr = Math.max(0.5, message.dpr);
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
			case 'zones':
				this.#editor.setZones(message.zones);
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
				const place = scene === null ? null : this.#editor.landing([x, y], box, step, scene);
				this.#loop.change();
				this.#send({ type: 'landed', number: message.number, place: place?.toArray() ?? null });
				return;
			}
			case 'world':
				if (message.world === this.#world) return;
				this.#world = message.world;
				this.#editor.leave();
				this.#loop.wake();
				return;
			case 'focus':
				this.#focus(message.id);
				this.#loop.change();
				return;
			case 'follow':
				this.#followed = message.id;
				if (message.id === null) {
					this.#orbit.stopFollowing();
					this.#cameraMoved('person');
				}
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
				clearTimeout(this.#reportLater);
				clearTimeout(this.#lookLate);
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
		else if (message.type === 'capture') this.#captures = this.#captures.then(() => this.#capture(message));
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

	/** Takes in a frame: what changed, what to blend from. */
	#take(frame: Frame): void {
		// Asked before the world was switched, or without what another world's frame took away.
		const taken = frame.world === this.#world ? this.#received.take(frame) : null;
		if (taken === null) {
			this.#loop.answer();
			return;
		}
		const { shown, before, changed, events } = taken;
		if (this.#editor.taken()) this.#previewed();
		if (changed.has('hud')) this.#emit({ type: 'hud', elements: shown.blocks.hud });
		this.#sound(taken);
		this.#watched.happened(shown.world, shown.tick, events);
		const other =
			before === null || changed.size > 0 || shown.tick !== before.tick || shown.playing !== before.playing;
		this.#loop.answer();
		if (this.#orbit.follow(shown.world, shown.blocks.camera)) {
			this.#cameraMoved('world');
			this.#loop.change();
		}
		if (!other) return;
		this.#blendFrom(before, shown, changed.has('rows'));
		this.#filled = -1;
		if (changed.has('post')) this.#quality.restart();
		this.#device.now?.stage.setFrame(this.#live(shown.blocks), changed, events);
		this.#loop.change();
	}

	/** Tells the page what is heard. */
	#sound({ shown, changed, events }: Taken): void {
		const { world, tick, blocks } = shown;
		const once = [
			...events.filter(({ kind }) => kind === 'sound_played'),
			...this.#blows.take(blocks.feedback, tick),
		];
		const other = changed.has('sound');
		if (!other && once.length === 0) return;
		this.#emit({ type: 'sound', world, tick, sounds: other ? blocks.sound : null, events: once });
	}

	/** Sets the start from which the picture moves until it has come to `shown`. */
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
		if (shown !== null) stage.setFrame(this.#live(shown.blocks), new Set(keysOf(shown.blocks)));
		this.#post({ type: 'gpu', info: drawing.info });
		this.#emit({ type: 'gpu', info: drawing.info, reduced: drawing.software });
		this.#loop.restart(drawing.software);
	}

	/** The blocks of a frame as the live picture shows them: without effects that the device is too slow for. */
	#live(blocks: FrameBlocks): FrameBlocks {
		if (this.#limited?.given !== blocks.post)
			this.#limited = { given: blocks.post, left: this.#quality.limited(blocks.post) };
		const { left } = this.#limited;
		return left === blocks.post ? blocks : { ...blocks, post: left };
	}

	/** Takes the time of a picture, and leaves out more if the device is too slow. */
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
		this.#goAlong(moment);
		const { shaken } = shown.blocks.camera;
		const camera = { ...framedFor(this.#orbit.at(this.#filled), this.#aspect), shaken };
		const lens = this.#cameras.set(camera, this.#aspect);
		this.#watched.drawn(moment, lens, this.#width, this.#height);
		stage.prepare(camera, lens, this.#width, this.#height, 'color');
		outline.screen.value.set(this.#width, this.#height);
		const sight = new Sight(lens, this.#cameras, this.#width, this.#height);
		const rings = this.#watched.marks(moment, sight, now);
		marks.show([...rings, ...this.#editor.marks({ sight, blocks: shown.blocks })], this.#width, this.#height);
		const settings = this.#live(shown.blocks).post;
		const complete = stage.complete && post.has(settings);
		if (!post.has(settings)) void post.load().then(() => this.#loop.change());
		const { x: width, y: height } = drawing.renderer.getSize(new Vector2());
		const smooth = !drawing.software;
		post.draw(stage, lens, settings, { target: null, width, height, smooth, focus: focusOf(camera) });
		const calls = drawing.renderer.info.render.drawCalls;
		endPicture(drawing.renderer);
		this.#tellShown(shown, complete, now);
		this.#reportPicture(shown, performance.now() - now, { draw_calls: calls, complete }, now);
		await drawing.finished();
		if (settings.enabled) this.#measured(performance.now() - now);
	}

	/** Tells the page that it sees another world: once, with all its models, or without them when they are late. */
	#tellShown({ world, line }: Shown, complete: boolean, now: number): void {
		const isSame = (one: { readonly world: string; readonly line: number }) =>
			one.world === world && one.line === line;
		if (isSame(this.#last)) return;
		if (!complete) {
			if (!isSame(this.#first)) {
				this.#first = { world, line, at: now };
				clearTimeout(this.#lookLate);
				this.#lookLate = setTimeout(() => this.#loop.change(), MODELS_MS);
			}
			if (now - this.#first.at < MODELS_MS) return;
		}
		this.#last = { world, line };
		this.#emit({ type: 'shows', world, line });
	}

	/** Fills in where everything is at this moment between two frames. */
	#fill({ stage }: Renderer, shown: Shown, now: number): void {
		// What is dragged is not on its way from the frame before.
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

	/** Sizes the drawing buffer; small while moving where a processor draws. */
	#resize(drawing: Drawing, quality: 'live' | 'full'): void {
		const { reduced } = this.#loop;
		const dpr = reduced ? 1 : this.#dpr;
		const limit = Number(drawing.info.capabilities.max_texture_dimension_2d);
		const pixels = this.#width * this.#height * dpr * dpr;
		const shrink = quality === 'live' && reduced ? Math.min(1, Math.sqrt(REDUCED_PIXELS / pixels)) : 1;
		const width = Math.min(limit, Math.max(1, Math.round(this.#width * dpr * shrink)));
		const height = Math.min(limit, Math.max(1, Math.round(this.#height * dpr * shrink)));
		const size = drawing.renderer.getSize(new Vector2());
		if (size.x !== width || size.y !== height) drawing.renderer.setSize(width, height, false);
	}

	/** Width over height. */
	get #aspect(): number {
		return this.#width / this.#height;
	}

	/** Tells the page of its pictures now and then, and of the last one always. */
	#reportPicture(shown: Shown, submit: number, last: LastPicture, now: number): void {
		const report = this.#report;
		report.pictures++;
		report.submit += submit;
		clearTimeout(this.#reportLater);
		const tell = (when: number): void => {
			this.#emit({
				type: 'drawn',
				world: shown.world,
				tick: shown.tick,
				count: shown.blocks.rows.ids.length,
				pictures: report.pictures,
				submit_ms: report.submit / report.pictures,
				...last,
			});
			this.#report = { since: when, pictures: 0, submit: 0 };
		};
		const wait = REPORT_MS - (now - report.since);
		if (wait <= 0) tell(now);
		else this.#reportLater = setTimeout(() => tell(performance.now()), wait);
	}

	// Picking, tools and the camera.

	/** Hands the pointer to the tools, and what they leave to the camera or to picking. */
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
				const taken = scene !== null && editor.release(message.click, scene);
				this.#previewed();
				if (taken || !message.click) return;
				const hit = (scene === null ? null : editor.signAt([x, y], scene)) ?? this.#pick(x, y);
				this.#emit({ type: 'selected', entities: hit === null ? [] : [hit], adds: message.shift });
				return;
			}
			case 'hover':
				if (scene !== null && editor.hover([x, y], scene)) this.#loop.change();
		}
	}

	/** Something is shown elsewhere than before, whether or not the world has it there. */
	#previewed(): void {
		this.#filled = -1;
		this.#loop.change();
	}

	#moveCamera(move: CameraMove): void {
		this.#orbit.move(move, this.#height / opening(this.#aspect));
		this.#cameraMoved('person');
		this.#loop.change();
	}

	/** The picture as the tools see it; null while there is none. */
	get #scene(): Scene | null {
		const stage = this.#device.now?.stage;
		const blocks = this.#shown?.blocks;
		if (stage === undefined || blocks === undefined) return null;
		const lens = this.#cameras.set(framedFor(this.#orbit.camera, this.#aspect), this.#aspect);
		return { stage, blocks, sight: new Sight(lens, this.#cameras, this.#width, this.#height) };
	}

	#pick(x: number, y: number): EntityRef | null {
		const stage = this.#device.now?.stage;
		const rows = this.#shown?.blocks.rows;
		if (stage === undefined || rows === undefined) return null;
		return this.#selection.pick(this.#ray(x, y), stage, rows);
	}

	/** The ray under a point of the picture (CSS pixels). */
	#ray(x: number, y: number): Ray {
		const lens = this.#cameras.set(framedFor(this.#orbit.camera, this.#aspect), this.#aspect);
		return this.#cameras.ray(lens, (x / this.#width) * 2 - 1, 1 - (y / this.#height) * 2);
	}

	/** Returns the target at a point. Behind a unit the ground is taken to be at `height`. */
	#aim(x: number, y: number, height: number): Aim {
		const stage = this.#device.now?.stage;
		const rows = this.#shown?.blocks.rows;
		if (stage === undefined || rows === undefined) return { hit: null, point: null };
		const ray = this.#ray(x, y);
		const met = this.#selection.meet(ray, stage, rows);
		const hit = met === null ? null : { id: met.id, generation: met.generation };
		const row = met === null ? -1 : rowOf(met.id, rows);
		const onGround = met !== null && (row < 0 || rows.teams[row]! < 0);
		const { origin, direction } = ray;
		const away = onGround ? met.distance : (height - origin.y) / direction.y;
		if (!(away > 0 && away < Infinity)) return { hit, point: null };
		const point = ray.at(away, new Vector3());
		return { hit, point: [point.x, point.y, point.z] };
	}

	/** Keeps the followed entity in the middle. */
	#goAlong(moment: Moment): void {
		const place = this.#followed === null ? null : placeOf(moment, this.#followed);
		if (place === null) return;
		const { target } = this.#orbit.camera;
		this.#orbit.followEntity(place);
		if (place.some((part, axis) => part !== target[axis])) this.#cameraMoved('person');
	}

	#focus(id: number): void {
		const shown = this.#shown;
		const solid = this.#device.now?.stage.solids().find((one) => one.id === id);
		const row = rowOf(id, shown?.blocks.rows ?? null);
		if (solid !== undefined) {
			const { least, most } = solid;
			const middle = (axis: 0 | 1 | 2): number => (least[axis] + most[axis]) / 2;
			// Ground is lain down: half of what is round it fills the picture.
			const size = Math.hypot(...least.map((part, axis) => most[axis]! - part)) / 4;
			this.#orbit.focus([middle(0), middle(1), middle(2)], size);
		} else if (row >= 0 && shown !== null) {
			const at = row * POSE_STRIDE;
			const poses = boxesOf(shown.blocks);
			const size = Math.hypot(poses[at + 7]!, poses[at + 8]!, poses[at + 9]!) / 2;
			this.#orbit.focus([poses[at]!, poses[at + 1]!, poses[at + 2]!], size);
		} else return;
		this.#cameraMoved('person');
	}

	#cameraMoved(by: 'person' | 'world'): void {
		const { eye, target } = this.#orbit.camera;
		this.#emit({ type: 'camera-moved', eye, target, by });
	}

	#emit(event: ViewEvent): void {
		this.#send({ type: 'event', event });
	}

	// Captures.

	async #capture({ id, request, blocks }: Capture): Promise<void> {
		let result: CaptureResult = {
			ok: false,
			error: 'The view was closed before the picture was taken. Send the call again.',
		};
		// A device lost on the way is replaced, and the picture taken once more.
		for (let attempt = 0; attempt < 2 && !this.#disposed; attempt++) {
			try {
				const { capturer, drawing } = await this.#device.ready;
				const lost = drawing.lost.then((reason) => {
					throw new Error(`The graphics device was lost: ${reason}`);
				});
				result = await Promise.race([capturer.take(request, blocks), lost]);
				break;
			} catch (error) {
				result = { ok: false, error: error instanceof Error ? error.message : String(error) };
				if (error instanceof NoGraphicsError) break;
			}
		}
		if (result.ok)
			this.#port.postMessage({ type: 'captured', id, result } satisfies ViewToEngine, [result.bytes.buffer]);
		else this.#post({ type: 'captured', id, result });
	}
}

function keysOf<T extends object>(record: T): (keyof T)[] {
	return Object.keys(record) as (keyof T)[];
}
