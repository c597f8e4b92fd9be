/**
 * State of the camera from which worlds are compared: main's, until a person turns it.
 * Owns: who turned it, and the size of the pictures.
 */

import { computed, signal } from '@preact/signals';
import type { Vector } from '../entities/entity.ts';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import { type Camera, lookingAt, turned, zoomed } from './camera.ts';

/** Widths of pictures: multiples of this, so that a resize does not draw each pixel. */
const WIDTH_STEP = 80;
const MAX_WIDTH = 960;

export class SharedCamera {
	/** Camera of the person; null: main's. */
	readonly own = signal<Camera | null>(null);
	/** True if a person has turned it. */
	readonly isTurned = computed(() => this.own.value !== null);
	/** Device pixels of a picture's width; 0 while none is shown. */
	readonly width = signal(0);
	readonly #services: PanelServices;
	readonly #ofMain: () => Camera | undefined;

	/** `ofMain`: the camera that the picture of main was taken from. */
	constructor(services: PanelServices, ofMain: () => Camera | undefined) {
		this.#services = services;
		this.#ofMain = ofMain;
	}

	/** Returns the camera for the next pictures; null if main's cannot be read. */
	async now(): Promise<Camera | null> {
		if (this.own.peek() !== null) return this.own.peek();
		const read = await ask(this.#services, 'GET', '/camera', { on: 'panels' });
		return read.ok ? (read.body as unknown as Camera) : null;
	}

	/** Turns it for a drag by shares of a picture's height. */
	turn(right: number, down: number): void {
		this.#change((camera) => turned(camera, right, down));
	}

	zoom(factor: number): void {
		this.#change((camera) => zoomed(camera, factor));
	}

	/** Looks at a place of the world from near by. */
	lookAt(position: Vector): void {
		this.#change((camera) => lookingAt(camera, position));
	}

	/** Looks as the camera of main does. */
	lookAsMain(): void {
		this.own.value = null;
	}

	/** Sets the width of a picture on the page, in device pixels. */
	resize(pixels: number): void {
		this.width.value = Math.min(MAX_WIDTH, Math.ceil(pixels / WIDTH_STEP) * WIDTH_STEP);
	}

	#change(change: (camera: Camera) => Camera): void {
		const now = this.own.value ?? this.#ofMain();
		if (now !== undefined) this.own.value = change(now);
	}
}
