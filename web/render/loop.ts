/**
 * The view's loop: looks with each picture of the screen while something moves, and seldom while the world is calm.
 * Owns: the next look, and asking and drawing at the pacer's pace. Never: knows what is asked or drawn.
 */

import { Pacer } from './pacer.ts';

/** Milliseconds after which an unanswered request for a frame is sent again. */
const OVERDUE_MS = 3000;

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
	#scheduled: { readonly kind: 'picture' | 'timer'; readonly handle: number } | null = null;
	#drawing = false;

	constructor(actions: LoopActions) {
		this.#actions = actions;
	}

	/** True if the picture is drawn small and seldom while something moves: a processor draws it. */
	get reduced(): boolean {
		return this.#pacer.reduced;
	}

	/** Begins anew on another device. */
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

	/** The world is no longer expected to be calm: another world, a visible tab. */
	wake(): void {
		this.#pacer.wake();
		this.change();
	}

	/** A frame came; `still` when nothing in it is new and the world is paused. */
	answer(still: boolean): void {
		this.#pacer.answer(still);
		this.schedule();
	}

	/** Arranges the next look: with the next picture of the screen, or later when the world is calm. */
	schedule(): void {
		if (!this.#actions.on()) {
			this.stop();
			return;
		}
		const idle = this.#pacer.idle(this.#actions.moving());
		const wanted = idle ? 'timer' : 'picture';
		if (this.#scheduled !== null) {
			if (this.#scheduled.kind === wanted || this.#scheduled.kind === 'picture') return;
			this.stop();
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

	/** Looks no more until the next `schedule`. */
	stop(): void {
		if (this.#scheduled === null) return;
		if (this.#scheduled.kind === 'timer') clearTimeout(this.#scheduled.handle);
		else cancelAnimationFrame(this.#scheduled.handle);
		this.#scheduled = null;
	}

	#look(): void {
		if (!this.#actions.on()) return;
		const now = performance.now();
		const pacer = this.#pacer;
		if (pacer.mayAsk(now) || pacer.overdue(now, OVERDUE_MS)) {
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
