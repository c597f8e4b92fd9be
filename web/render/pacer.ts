/**
 * Pace of requesting frames from the engine and of drawing: as often as something changes, and almost never otherwise.
 * Owns: the pace. Never: reads a clock (callers pass times in milliseconds) or sets a timer.
 */

/** Milliseconds without a change after which a reduced picture is drawn once in full. */
const REST_MS = 350;
/** Minimum time between two reduced pictures: 12 per second. */
const REDUCED_MS = 83;

export class Pacer {
	/** True if the CPU draws, so that pictures are fewer and smaller. */
	readonly reduced: boolean;
	#askedAt = -Infinity;
	#isWaiting = false;
	#changed = -Infinity;
	#drawnAt = -Infinity;
	#cost = 0;
	#sharp = false;
	#dirty = true;

	constructor(reduced: boolean) {
		this.reduced = reduced;
	}

	/** Reports a change of the picture's content (a frame, the camera, the size, the selection). */
	change(now: number): void {
		this.#dirty = true;
		this.#sharp = false;
		this.#changed = now;
	}

	/** Reports that a frame was requested. */
	ask(now: number): void {
		this.#askedAt = now;
		this.#isWaiting = true;
	}

	/** Reports that the answer came, or is no longer expected. */
	answer(): void {
		this.#isWaiting = false;
	}

	/** Returns true if it is time to request a frame. */
	mayAsk(now: number): boolean {
		return !this.#isWaiting && (!this.reduced || now - this.#askedAt >= REDUCED_MS);
	}

	/**
	 * Decides what to draw: nothing, a picture at live quality, or one at full quality. `moving`: the picture is between two frames.
	 */
	draw(now: number, moving: boolean): 'nothing' | 'live' | 'full' {
		if (this.reduced) {
			// Drawing may use at most half of the time, so that the engine gets the rest.
			if (now - this.#drawnAt < Math.max(REDUCED_MS, this.#cost * 2)) return 'nothing';
			if (this.#dirty || moving) return 'live';
			if (!this.#sharp && now - this.#changed >= REST_MS) return 'full';
			return 'nothing';
		}
		return this.#dirty || moving ? 'full' : 'nothing';
	}

	/** Reports the start of a picture. */
	begin(now: number, quality: 'live' | 'full'): void {
		this.#drawnAt = now;
		this.#dirty = false;
		this.#sharp = quality === 'full';
	}

	/** Reports the time of the last live picture, from its start until it was drawn, in milliseconds. */
	cost(ms: number): void {
		this.#cost = ms;
	}

	/**
	 * Returns true if there is nothing to do before the next answer or change.
	 */
	isIdle(moving: boolean): boolean {
		return this.#isWaiting && !moving && !this.#dirty && (!this.reduced || this.#sharp);
	}
}
