/**
 * A page with the view and a stand-in for the engine, driven by tests through `window.trial`.
 * Owns: the stand-in: it answers frames at 60 ticks a second while playing, and asks for captures.
 */

import type {
	BlockName,
	BlockVersions,
	CaptureRequest,
	CaptureResult,
	EngineToView,
	FrameBlocks,
	FrameCamera,
	ShownElement,
	ViewToEngine,
} from '../../../../web/frames/frames.ts';
import {
	type EntityRef,
	startView,
	type ViewEvent,
	type ViewHandle,
} from '../../../../web/render/view-host.ts';
import { arena, blocksOf, cameraOf, pile, shapes, swarm, type TestScene } from './scenes.ts';

const query = new URLSearchParams(location.search);

export class Trial {
	readonly events: ViewEvent[] = [];
	/** Frames that the view asked for so far. */
	asked = 0;
	playing = false;
	view: ViewHandle;
	#scene: TestScene = arena();
	#layout = 1;
	#tick = 0;
	#started = 0;
	#revision = 1;
	#hud = 1;
	#elements: readonly ShownElement[] = [];
	#camera: FrameCamera = cameraOf(this.#scene, 1);
	readonly #port: MessagePort;
	readonly #captures = new Map<number, (result: CaptureResult) => void>();
	#number = 0;

	constructor(canvas: HTMLCanvasElement) {
		const { port1, port2 } = new MessageChannel();
		this.#port = port1;
		port1.onmessage = (event: MessageEvent<ViewToEngine>) => this.#hear(event.data);
		this.view = startView({
			canvas,
			enginePort: port2,
			forceWebGL: query.has('webgl'),
			onThisThread: query.has('here'),
			onEvent: (event) => this.events.push(event),
		});
		addEventListener('resize', () => this.view.resize(innerWidth, innerHeight, devicePixelRatio));
	}

	/** Shows one of the scenes from tick 0, paused. */
	show(name: 'arena' | 'shapes' | 'pile' | 'swarm' | 'empty', count = 10_000): void {
		this.#scene =
			name === 'arena'
				? arena()
				: name === 'shapes'
					? shapes()
					: name === 'pile'
						? pile()
						: swarm(name === 'empty' ? 0 : count);
		this.#layout++;
		this.#tick = 0;
		this.playing = false;
		this.#camera = cameraOf(this.#scene, ++this.#revision);
	}

	play(): void {
		this.playing = true;
		this.#started = performance.now() - (this.#tick * 1000) / 60;
	}

	/** Writes one text over the picture, or none if it is empty. */
	write(text: string, x = 0.5, y = 0.1): void {
		this.#hud++;
		const fixed = {
			type: 'text',
			id: 'text-1',
			until: null,
			size: 24,
			color: 'white',
			anchor: 'top',
		} as const;
		this.#elements = text === '' ? [] : [{ ...fixed, text, x, y }];
	}

	/** Shows elements over the picture. */
	overlay(elements: readonly ShownElement[]): void {
		this.#hud++;
		this.#elements = elements;
	}

	look(
		eye: [number, number, number],
		target: [number, number, number],
		more: Partial<FrameCamera> = {},
	): void {
		this.#camera = { ...cameraOf(this.#scene, ++this.#revision), eye, target, ...more };
	}

	/** Takes a picture as the engine does; the PNG comes back as base64. */
	async capture(request: CaptureRequest): Promise<{ png?: string; error?: string; ms: number }> {
		const began = performance.now();
		const id = ++this.#number;
		const blocks = blocksOf(this.#scene, this.#now(), this.#camera, this.#elements);
		const result = await new Promise<CaptureResult>((resolve) => {
			this.#captures.set(id, resolve);
			this.#port.postMessage({ type: 'capture', id, request, blocks } satisfies EngineToView);
		});
		const ms = performance.now() - began;
		if (!result.ok) return { error: result.error, ms };
		let text = '';
		for (const byte of result.bytes) text += String.fromCharCode(byte);
		return { png: btoa(text), ms };
	}

	pick(x: number, y: number): Promise<EntityRef | null> {
		return this.view.pick(x, y);
	}

	#now(): number {
		if (this.playing) this.#tick = Math.floor(((performance.now() - this.#started) * 60) / 1000);
		return this.#tick;
	}

	#hear(message: ViewToEngine): void {
		if (message.type === 'captured') {
			this.#captures.get(message.id)?.(message.result);
			this.#captures.delete(message.id);
		} else if (message.type === 'frame') {
			this.asked++;
			const tick = this.#now();
			const moved = this.#layout * 1e6 + tick;
			const versions: BlockVersions = {
				rows: this.#layout,
				poses: this.#scene.move === undefined ? this.#layout : moved,
				health: this.#layout,
				dead: this.#layout,
				camera: this.#camera.revision,
				hud: this.#hud,
				models: 0,
				animations: 0,
				materials: this.#layout,
				lights: 0,
				sky: 0,
				fog: 0,
				terrains: 0,
				waters: 0,
				decals: 0,
				post: 0,
				feedback: 0,
				foliage: 0,
				tick,
				particles: 0,
				sound: 0,
				navmesh: 0,
				paths: 0,
			};
			const all = Object.entries(blocksOf(this.#scene, tick, this.#camera, this.#elements));
			const news = all.filter(([name]) => !isCurrent(message.known, name, versions));
			const blocks: Partial<FrameBlocks> = Object.fromEntries(news);
			const frame = {
				world: 'main',
				line: 1,
				tick,
				playing: this.playing,
				speed: 1,
				versions,
				blocks,
				events: [],
			};
			this.#port.postMessage({ type: 'frame', frame } satisfies EngineToView);
		}
	}
}

function isCurrent(known: Partial<BlockVersions>, name: string, now: BlockVersions): boolean {
	return known[name as BlockName] === now[name as BlockName];
}

declare global {
	interface Window {
		trial: Trial;
	}
}

window.trial = new Trial(document.querySelector('canvas')!);
