/**
 * The view's loop. It runs with each animation frame while something moves. At rest it stops. An answer or a
 * change starts it again.
 * Owns: the schedule, and the requests and pictures at the pacer's pace. Never: depends on their content.
 */

import { Pacer } from './pacer.ts';

export interface LoopActions {
	/** Requests a frame. */
	readonly requestFrame: () => void;
	/** Draws a picture. Resolves when the device has drawn it. */
	readonly draw: (now: number, quality: 'live' | 'full') => Promise<void>;
	/** Returns true while the picture is between two frames. */
	readonly isMoving: () => boolean;
	/** Returns true if there is something to draw and the picture is visible. */
	readonly isActive: () => boolean;
}

export class Loop {
	readonly #actions: LoopActions;
	#pacer = new Pacer(false);
	#scheduled: number | null = null;
	#isDrawing = false;

	constructor(actions: LoopActions) {
		this.#actions = actions;
	}

	/** True if the CPU draws, so that pictures are small and rare while something moves. */
	get isReduced(): boolean {
		return this.#pacer.isReduced;
	}

	/** Restarts on another device. */
	restart(isReduced: boolean): void {
		this.#isDrawing = false;
		this.#pacer = new Pacer(isReduced);
		this.schedule();
	}

	/** Reports a change of the picture's content. */
	reportChange(): void {
		this.#pacer.noteChange(performance.now());
		this.schedule();
	}

	/**
	 * Requests a frame again, because the last request is outdated (another world, a visible tab, another
	 * engine).
	 */
	wake(): void {
		this.#pacer.noteAnswer();
		this.reportChange();
	}

	/** Reports that a frame arrived. */
	answer(): void {
		this.#pacer.noteAnswer();
		this.schedule();
	}

	/** Schedules the next run with the next animation frame; stops at rest. */
	schedule(): void {
		if (!this.#actions.isActive() || this.#pacer.isIdle(this.#actions.isMoving())) this.stop();
		else this.#scheduled ??= requestAnimationFrame(() => this.#run());
	}

	/** Stops the loop until the next `schedule`. */
	stop(): void {
		if (this.#scheduled !== null) cancelAnimationFrame(this.#scheduled);
		this.#scheduled = null;
	}

	#run(): void {
		this.#scheduled = null;
		if (!this.#actions.isActive()) return;
		const now = performance.now();
		const pacer = this.#pacer;
		if (pacer.canRequest(now)) {
			pacer.noteRequest(now);
			this.#actions.requestFrame();
		}
		if (!this.#isDrawing) {
			const quality = pacer.chooseQuality(now, this.#actions.isMoving());
			if (quality !== 'nothing') this.#draw(now, quality);
		}
		this.schedule();
	}

	#draw(now: number, quality: 'live' | 'full'): void {
		const pacer = this.#pacer;
		pacer.noteStart(now, quality);
		this.#isDrawing = true;
		const endDrawing = (): void => {
			if (pacer === this.#pacer) this.#isDrawing = false;
		};
		this.#actions.draw(now, quality).then(
			() => {
				endDrawing();
				if (quality === 'live') pacer.noteCost(performance.now() - now);
			},
			// The device was lost meanwhile. `Device` reports this.
			endDrawing,
		);
	}
}
