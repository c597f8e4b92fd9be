/**
 * State of the shared camera: the camera of main, until a person turns it.
 * Owns: the turned camera, and the size of the pictures.
 */

import { computed, signal } from '@preact/signals';
import type { Vector } from '../entities/entity.ts';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import { type Camera, lookingAt, turned, zoomed } from './camera.ts';

/** Widths of pictures are multiples of this, so that a resize does not redraw for each pixel. */
const WIDTH_STEP = 80;
const MAX_WIDTH = 960;

export class SharedCamera {
	/** Camera that the person has turned; null for the camera of main. */
	readonly own = signal<Camera | null>(null);
	/** True if a person has turned it. */
	readonly isTurned = computed(() => this.own.value !== null);
	/** Width of a picture in device pixels; 0 while none is shown. */
	readonly width = signal(0);
	readonly #services: PanelServices;
	readonly #ofMain: () => Camera | undefined;

	/** `ofMain` returns the camera of main's picture. */
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

	/** Turns the camera for a drag by shares of a picture's height. */
	turn(right: number, down: number): void {
		this.#change((camera) => turned(camera, right, down));
	}

	zoom(factor: number): void {
		this.#change((camera) => zoomed(camera, factor));
	}

	/** Looks at a place of the world from a short distance. */
	lookAt(position: Vector): void {
		this.#change((camera) => lookingAt(camera, position));
	}

	/** Resets the camera to that of main. */
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
