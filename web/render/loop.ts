/**
 * The view's loop. It runs with each animation frame while something moves. At rest it stops, until an answer or a change starts it
 * again.
 * Owns: the schedule, and the requests and pictures at the pacer's pace. Never: depends on their content.
 */

import { Pacer } from './pacer.ts';

export interface LoopActions {
	/** Requests a frame. */
	readonly ask: () => void;
	/** Draws a picture. Resolves when the device has drawn it. */
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

	/** True if the CPU draws, so that pictures are small and rare while something moves. */
	get reduced(): boolean {
		return this.#pacer.reduced;
	}

	/** Restarts on another device. */
	restart(reduced: boolean): void {
		this.#drawing = false;
		this.#pacer = new Pacer(reduced);
		this.schedule();
	}

	/** Reports a change of the picture's content. */
	change(): void {
		this.#pacer.change(performance.now());
		this.schedule();
	}

	/** Requests a frame again, because the last request is outdated (another world, a visible tab, another engine). */
	wake(): void {
		this.#pacer.answer();
		this.change();
	}

	/** Reports that a frame arrived. */
	answer(): void {
		this.#pacer.answer();
		this.schedule();
	}

	/** Schedules the next run with the next animation frame; stops at rest. */
	schedule(): void {
		if (!this.#actions.on() || this.#pacer.isIdle(this.#actions.moving())) this.stop();
		else this.#scheduled ??= requestAnimationFrame(() => this.#look());
	}

	/** Stops the loop until the next `schedule`. */
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
			// The device was lost meanwhile. Its owner gets a report of that.
			done,
		);
	}
}
