/**
 * The view: asks the engine for frames at its own pace, draws them, takes pictures, answers picks.
 * Owns: the loop, the renderer's life (a lost device is replaced) and what is selected. The same on a Worker and on the
 * main thread. Never: changes the world; draws while nothing changes or while the tab is hidden.
 */

import { Vector2 } from 'three/webgpu';
import type { CaptureResult, EngineToView, Frame, FrameRows, ViewToEngine } from '../host/frames.ts';
import { type Drawing, endPicture, NoGraphicsError, startDrawing } from './backend.ts';
import { Cameras, framedFor, opening } from './cameras.ts';
import { Capturer } from './capture.ts';
import { type BlendFrom, matchRows, Playhead, POSE_STRIDE } from './interpolate.ts';
import { Kit } from './kit.ts';
import type { EntityRef, HostToView, ViewEvent, ViewOptions, ViewToHost } from './messages.ts';
import { Orbit } from './orbit.ts';
import { Pacer } from './pacer.ts';
import { Picker } from './pick.ts';
import { Stage } from './stage.ts';
import { Selection } from './sync/selection.ts';

/** Pixels of a live picture where a processor draws it, while something moves. */
const REDUCED_PIXELS = 300_000;
/** Losses of the device within `LOSS_MS` after which the view gives up. */
const MOST_LOSSES = 6;
const LOSS_MS = 60_000;
/** Milliseconds after which an unanswered request for a frame is sent again. */
const OVERDUE_MS = 3000;
const REPORT_MS = 500;

type Capture = Extract<EngineToView, { type: 'capture' }>;

/** Everything that lives and dies with one device. */
interface Workshop {
	readonly drawing: Drawing;
	readonly kit: Kit;
	readonly stage: Stage;
	readonly selection: Selection;
	readonly capturer: Capturer;
}

export class View {
	readonly #canvas: OffscreenCanvas | HTMLCanvasElement;
	readonly #port: MessagePort;
	readonly #send: (message: ViewToHost) => void;
	readonly #forceWebGL: boolean;
	readonly #orbit = new Orbit();
	readonly #cameras = new Cameras();
	readonly #picker = new Picker();
	readonly #playhead = new Playhead();
	#pacer = new Pacer(false);
	#workshop: Promise<Workshop>;
	#now: Workshop | null = null;
	#losses: number[] = [];

	#world: string;
	#width: number;
	#height: number;
	#dpr: number;
	#visible = true;
	#disposed = false;

	#frame: Frame | null = null;
	#rows: FrameRows | null = null;
	/** Number of what the page was told is written over the picture. */
	#hud = -1;
	#before: { readonly tick: number; readonly blend: BlendFrom } | null = null;
	/** The blend that the buffers hold, or -1 when they are out of date. */
	#filled = -1;
	#selected: EntityRef | null = null;

	#scheduled: { readonly kind: 'picture' | 'timer'; readonly handle: number } | null = null;
	#drawing = false;
	#lastDraw = 0;
	#captures: Promise<void> = Promise.resolve();
	#report = { since: 0, pictures: 0, submit: 0 };

	/** Starts at once. `send` takes what the page is to know. */
	constructor(
		canvas: OffscreenCanvas | HTMLCanvasElement,
		port: MessagePort,
		options: ViewOptions,
		send: (message: ViewToHost) => void,
	) {
		this.#canvas = canvas;
		this.#port = port;
		this.#send = send;
		this.#forceWebGL = options.forceWebGL;
		this.#world = options.world;
		this.#width = Math.max(1, options.width);
		this.#height = Math.max(1, options.height);
		this.#dpr = Math.max(0.5, options.dpr);
		this.#workshop = this.#open();
		this.#workshop.catch(told);
		port.onmessage = (event: MessageEvent<EngineToView>) => this.#hear(event.data);
	}

	/** Does what the page asks. */
	handle(message: Exclude<HostToView, { type: 'start' }>): void {
		const now = performance.now();
		switch (message.type) {
			case 'resize':
				this.#width = Math.max(1, message.width);
				this.#height = Math.max(1, message.height);
				this.#dpr = Math.max(0.5, message.dpr);
				this.#pacer.change(now);
				break;
			case 'visible':
				this.#visible = message.visible;
				this.#pacer.wake();
				this.#pacer.change(now);
				break;
			case 'camera':
				this.#orbit.move(message.move, this.#height / opening(this.#aspect));
				this.#pacer.change(now);
				this.#cameraMoved('person');
				break;
			case 'select':
				this.#select(message.id);
				this.#pacer.change(now);
				break;
			case 'world':
				if (message.world === this.#world) return;
				this.#world = message.world;
				this.#pacer.wake();
				this.#pacer.change(now);
				break;
			case 'focus':
				this.#focus(message.id);
				this.#pacer.change(now);
				break;
			case 'pick': {
				const hit = this.#pick(message.x, message.y);
				if (message.click) {
					this.#selected = hit;
					this.#pacer.change(now);
					this.#emit({ type: 'selected', entity: hit });
				}
				this.#send({ type: 'picked', number: message.number, hit });
				break;
			}
			case 'dispose':
				this.#dispose();
				return;
		}
		this.#schedule();
	}

	// The engine's side.

	#hear(message: EngineToView): void {
		if (message.type === 'frame') this.#take(message.frame);
		else this.#captures = this.#captures.then(() => this.#capture(message));
	}

	#post(message: ViewToEngine): void {
		this.#port.postMessage(message);
	}

	#ask(now: number): void {
		const known = this.#frame !== null && this.#frame.world === this.#world ? this.#frame.layout : -1;
		this.#pacer.ask(now);
		this.#post({ type: 'frame', world: this.#world, layout: known, hud: this.#hud });
	}

	/** Takes in a frame: what changed, what to blend from. */
	#take(frame: Frame): void {
		const now = performance.now();
		const last = this.#frame;
		const same = last !== null && last.world === frame.world;
		const rows = frame.rows ?? (same && last.layout === frame.layout ? this.#rows : null);
		if (frame.world !== this.#world || rows === null) {
			// Asked before the world was switched, or the engine thinks we know a layout that we do not.
			this.#pacer.answer(false);
			if (rows === null) this.#frame = null;
			this.#schedule();
			return;
		}
		if (frame.elements !== undefined) {
			this.#hud = frame.hud;
			this.#emit({ type: 'hud', elements: frame.elements });
		}
		const rowsChanged = rows !== this.#rows;
		const changed =
			!same ||
			rowsChanged ||
			frame.tick !== last.tick ||
			frame.playing !== last.playing ||
			!equalBytes(frame.poses, last.poses) ||
			!equalBytes(frame.health, last.health) ||
			!equalBytes(frame.flags, last.flags);
		this.#pacer.answer(!frame.playing && !changed);
		if (this.#orbit.follow(frame.world, frame.camera)) {
			this.#cameraMoved('world');
			this.#pacer.change(now);
		}
		if (changed) {
			if (same && frame.playing && frame.tick > last.tick) {
				const matched = rowsChanged && this.#rows !== null ? matchRows(this.#rows, rows) : null;
				this.#before = { tick: last.tick, blend: { poses: last.poses, rows: matched } };
			} else if (!same || frame.tick !== last.tick || !frame.playing || rowsChanged) {
				this.#before = null;
			}
			this.#frame = frame;
			this.#rows = rows;
			this.#filled = -1;
			this.#now?.stage.setFrame(frame, rows, rowsChanged);
			this.#pacer.change(now);
		}
		this.#schedule();
	}

	// The loop.

	/** Arranges the next look: with the next picture of the screen, or later when the world is calm. */
	#schedule(): void {
		if (this.#disposed || this.#now === null || !this.#visible) {
			this.#unschedule();
			return;
		}
		const idle = this.#pacer.idle(this.#moving());
		const wanted = idle ? 'timer' : 'picture';
		if (this.#scheduled !== null) {
			if (this.#scheduled.kind === wanted || this.#scheduled.kind === 'picture') return;
			this.#unschedule();
		}
		const look = (): void => {
			this.#scheduled = null;
			this.#look();
		};
		const handle = idle
			? (setTimeout(look, this.#pacer.rest(performance.now())) as unknown as number)
			: requestAnimationFrame(look);
		this.#scheduled = { kind: wanted, handle };
	}

	#unschedule(): void {
		if (this.#scheduled === null) return;
		if (this.#scheduled.kind === 'timer') clearTimeout(this.#scheduled.handle);
		else cancelAnimationFrame(this.#scheduled.handle);
		this.#scheduled = null;
	}

	#look(): void {
		if (this.#now === null) return;
		const now = performance.now();
		if (this.#pacer.mayAsk(now) || this.#pacer.overdue(now, OVERDUE_MS)) this.#ask(now);
		if (!this.#drawing) {
			const quality = this.#pacer.draw(now, this.#moving());
			if (quality !== 'nothing' && this.#frame !== null) this.#draw(this.#now, this.#frame, now, quality);
		}
		this.#schedule();
	}

	#moving(): boolean {
		return this.#before !== null && this.#frame !== null && this.#playhead.shown < this.#frame.tick;
	}

	#draw(workshop: Workshop, frame: Frame, now: number, quality: 'live' | 'full'): void {
		this.#pacer.begin(now, quality);
		const { stage, selection, drawing } = workshop;
		const before = this.#before;
		let blend = 1;
		if (before === null) this.#playhead.snap(frame.tick);
		else {
			const seconds = Math.min((now - this.#lastDraw) / 1000, 0.25);
			blend = this.#playhead.advance(before.tick, frame.tick, frame.playing, seconds);
		}
		this.#lastDraw = now;
		if (blend !== this.#filled) {
			stage.setPoses(before?.blend ?? null, frame.poses, blend);
			this.#filled = blend;
		}
		this.#outline(workshop);
		this.#resize(drawing, quality);
		const camera = framedFor(this.#orbit.camera, this.#aspect);
		const lens = this.#cameras.set(camera, this.#aspect);
		stage.prepare(camera, lens, this.#width, this.#height, 'color');
		selection.screen.value.set(this.#width, this.#height);
		drawing.renderer.render(stage.scene, lens);
		const calls = drawing.renderer.info.render.drawCalls;
		endPicture(drawing.renderer);
		this.#reportPicture(frame, performance.now() - now, calls, now);
		this.#drawing = true;
		drawing.finished().then(
			() => {
				this.#drawing = false;
				if (quality === 'live') this.#pacer.cost(performance.now() - now);
			},
			() => {
				// The device was lost on the way; `#open` is told of that by itself.
				this.#drawing = false;
			},
		);
	}

	/** Sizes the drawing buffer; small while moving where a processor draws. */
	#resize(drawing: Drawing, quality: 'live' | 'full'): void {
		const dpr = this.#pacer.reduced ? 1 : this.#dpr;
		const limit = Number(drawing.info.capabilities.max_texture_dimension_2d);
		const pixels = this.#width * this.#height * dpr * dpr;
		const shrink =
			quality === 'live' && this.#pacer.reduced ? Math.min(1, Math.sqrt(REDUCED_PIXELS / pixels)) : 1;
		const width = Math.min(limit, Math.max(1, Math.round(this.#width * dpr * shrink)));
		const height = Math.min(limit, Math.max(1, Math.round(this.#height * dpr * shrink)));
		const size = drawing.renderer.getSize(new Vector2());
		if (size.x !== width || size.y !== height) drawing.renderer.setSize(width, height, false);
	}

	/** Width over height. */
	get #aspect(): number {
		return this.#width / this.#height;
	}

	#reportPicture(frame: Frame, submit: number, calls: number, now: number): void {
		const report = this.#report;
		report.pictures++;
		report.submit += submit;
		if (now - report.since < REPORT_MS) return;
		this.#emit({
			type: 'drawn',
			world: frame.world,
			tick: frame.tick,
			count: frame.count,
			pictures: report.pictures,
			submit_ms: report.submit / report.pictures,
			draw_calls: calls,
		});
		this.#report = { since: now, pictures: 0, submit: 0 };
	}

	// Selection, picking, camera.

	#select(id: number | null): void {
		const row = id === null ? -1 : this.#rowOf(id);
		this.#selected = row < 0 || id === null ? null : { id, generation: this.#rows!.generations[row]! };
	}

	#rowOf(id: number): number {
		return this.#rows === null ? -1 : this.#rows.ids.indexOf(id);
	}

	#outline({ stage, selection }: Workshop): void {
		const row = this.#selected === null ? -1 : this.#rowOf(this.#selected.id);
		const current = row >= 0 && this.#rows!.generations[row] === this.#selected!.generation;
		const found = current ? stage.meshes.find(row) : null;
		if (found === null) selection.hide();
		else selection.show(found.batch.shape, found.batch.poses, found.index * POSE_STRIDE);
	}

	#pick(x: number, y: number): EntityRef | null {
		const stage = this.#now?.stage;
		if (stage === undefined || this.#rows === null) return null;
		const lens = this.#cameras.set(framedFor(this.#orbit.camera, this.#aspect), this.#aspect);
		const ray = this.#cameras.ray(lens, (x / this.#width) * 2 - 1, 1 - (y / this.#height) * 2);
		const hit = this.#picker.first(ray, stage.meshes.batches.values());
		if (hit === null) return null;
		return { id: this.#rows.ids[hit.row]!, generation: this.#rows.generations[hit.row]! };
	}

	#focus(id: number): void {
		const row = this.#rowOf(id);
		if (row < 0 || this.#frame === null) return;
		const at = row * POSE_STRIDE;
		const poses = this.#frame.poses;
		const size = Math.hypot(poses[at + 7]!, poses[at + 8]!, poses[at + 9]!) / 2;
		this.#orbit.focus([poses[at]!, poses[at + 1]!, poses[at + 2]!], size);
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

	async #capture({ id, request, frame }: Capture): Promise<void> {
		let result: CaptureResult = {
			ok: false,
			error: 'The view was closed before the picture was taken. Try again.',
		};
		// A device lost on the way is replaced, and the picture taken once more.
		for (let attempt = 0; attempt < 2 && !this.#disposed; attempt++) {
			try {
				const { capturer, drawing } = await this.#workshop;
				const lost = drawing.lost.then((reason) => {
					throw new Error(`The graphics device was lost: ${reason}`);
				});
				result = await Promise.race([capturer.take(request, frame), lost]);
				break;
			} catch (error) {
				result = { ok: false, error: error instanceof Error ? error.message : String(error) };
				if (error instanceof NoGraphicsError) break;
			}
		}
		if (result.ok)
			this.#port.postMessage({ type: 'captured', id, result } satisfies ViewToEngine, [result.png.buffer]);
		else this.#post({ type: 'captured', id, result });
	}

	// The device.

	async #open(): Promise<Workshop> {
		let workshop: Workshop;
		try {
			workshop = await this.#furnish();
		} catch (error) {
			const reason =
				error instanceof NoGraphicsError
					? error
					: new NoGraphicsError(`${error instanceof Error ? error.message : String(error)}.`);
			this.#emit({ type: 'unavailable', message: reason.message });
			throw reason;
		}
		const { drawing, stage } = workshop;
		if (this.#disposed) {
			close(workshop);
			return workshop;
		}
		this.#now = workshop;
		this.#drawing = false;
		this.#filled = -1;
		if (this.#frame !== null && this.#rows !== null) stage.setFrame(this.#frame, this.#rows, true);
		this.#pacer = new Pacer(drawing.software);
		void drawing.lost.then((reason) => this.#lose(workshop, reason));
		this.#post({ type: 'gpu', info: drawing.info });
		this.#emit({ type: 'gpu', info: drawing.info, reduced: drawing.software });
		this.#schedule();
		return workshop;
	}

	async #furnish(): Promise<Workshop> {
		const drawing = await startDrawing(this.#canvas, this.#forceWebGL);
		const kit = new Kit(drawing.software ? 1024 : 2048);
		const stage = new Stage(kit);
		const selection = new Selection();
		stage.scene.add(selection.group);
		return { drawing, kit, stage, selection, capturer: new Capturer(drawing, kit) };
	}

	/** Replaces a lost device, unless it is lost again and again. */
	#lose(workshop: Workshop, reason: string): void {
		if (this.#disposed || this.#now !== workshop) return;
		this.#now = null;
		this.#unschedule();
		const now = performance.now();
		this.#losses = this.#losses.filter((time) => now - time < LOSS_MS);
		this.#losses.push(now);
		if (this.#losses.length > MOST_LOSSES) {
			const error = new NoGraphicsError(
				`the graphics device was lost ${MOST_LOSSES} times in a minute (${reason}).`,
			);
			this.#workshop = Promise.reject(error);
			this.#workshop.catch(told);
			this.#emit({ type: 'unavailable', message: error.message });
			return;
		}
		this.#workshop = this.#open();
		this.#workshop.catch(told);
	}

	#dispose(): void {
		this.#disposed = true;
		this.#unschedule();
		this.#port.close();
		if (this.#now !== null) close(this.#now);
		this.#now = null;
	}
}

/** The page has been told already, and each capture hears of it by itself. */
function told(): void {}

function close(workshop: Workshop): void {
	workshop.capturer.dispose();
	workshop.stage.dispose();
	workshop.selection.dispose();
	workshop.kit.dispose();
	void workshop.drawing.renderer.dispose();
}

/** Whether two arrays hold the same bits. */
function equalBytes(a: Float32Array | Uint8Array, b: Float32Array | Uint8Array): boolean {
	if (a.byteLength !== b.byteLength) return false;
	const whole = a.byteLength & ~3;
	if ((a.byteOffset | b.byteOffset) % 4 === 0) {
		const left = new Uint32Array(a.buffer, a.byteOffset, whole / 4);
		const right = new Uint32Array(b.buffer, b.byteOffset, whole / 4);
		for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
	}
	const from = (a.byteOffset | b.byteOffset) % 4 === 0 ? whole : 0;
	const left = new Uint8Array(a.buffer, a.byteOffset, a.byteLength);
	const right = new Uint8Array(b.buffer, b.byteOffset, b.byteLength);
	for (let index = from; index < left.length; index++) if (left[index] !== right[index]) return false;
	return true;
}
