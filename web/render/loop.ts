/**
 * The view's loop: looks with each picture of the screen while something moves, and never at rest: then an answer or a change
 * begins it again.
 * Owns: the next look, and asking and drawing at the pacer's pace. Never: knows what is asked or drawn.
 */

import { Pacer } from './pacer.ts';

export interface LoopActions {
	/** Asks for a frame. */
	readonly ask: () => void;
	/** Draws a picture; resolves when the device is done with it. */
	readonly draw: (now: number, quality: 'live' | 'full') => Promise<void>;
	/** Returns true while the picture is between two frames. */
	readonly moving: () => boolean;
	/** Returns true if there is something to draw and the picture is visible. */
	readonly on: () => boolean;
}

export class Loop {
	readonly #actions: LoopActions;
	#pacer = new Pacer(false);
	#scheduled: number | null = null;
	#drawing = false;

	constructor(actions: LoopActions) {
		this.#actions = actions;
	}

	/** True if the picture is drawn small and seldom while something moves: a processor draws it. */
	get reduced(): boolean {
		return this.#pacer.reduced;
	}

	/** Restarts on another device. */
	restart(reduced: boolean): void {
		this.#drawing = false;
		this.#pacer = new Pacer(reduced);
		this.schedule();
	}

	/** Something that the picture shows has changed. */
	change(): void {
		this.#pacer.change(performance.now());
		this.schedule();
	}

	/** The last request is out of date (another world, a visible tab, another engine): asks again. */
	wake(): void {
		this.#pacer.answer();
		this.change();
	}

	/** A frame came. */
	answer(): void {
		this.#pacer.answer();
		this.schedule();
	}

	/** Arranges the next look, with the next picture of the screen; none at rest. */
	schedule(): void {
		if (!this.#actions.on() || this.#pacer.isIdle(this.#actions.moving())) this.stop();
		else this.#scheduled ??= requestAnimationFrame(() => this.#look());
	}

	/** Looks no more until the next `schedule`. */
	stop(): void {
		if (this.#scheduled !== null) cancelAnimationFrame(this.#scheduled);
		this.#scheduled = null;
	}

	#look(): void {
		this.#scheduled = null;
		if (!this.#actions.on()) return;
		const now = performance.now();
		const pacer = this.#pacer;
		if (pacer.mayAsk(now)) {
			pacer.ask(now);
			this.#actions.ask();
		}
		if (!this.#drawing) {
			const quality = pacer.draw(now, this.#actions.moving());
			if (quality !== 'nothing') this.#draw(now, quality);
		}
		this.schedule();
	}

	#draw(now: number, quality: 'live' | 'full'): void {
		const pacer = this.#pacer;
		pacer.begin(now, quality);
		this.#drawing = true;
		const done = (): void => {
			if (pacer === this.#pacer) this.#drawing = false;
		};
		this.#actions.draw(now, quality).then(
			() => {
				done();
				if (quality === 'live') pacer.cost(performance.now() - now);
			},
			// The device was lost meanwhile, which is reported to its owner.
			done,
		);
	}
}
