/**
 * Pace of asking the engine for frames and of drawing: as often as something changes, and almost never otherwise.
 * Owns: the pace. Never: reads a clock (times come in, in milliseconds) or sets a timer.
 */

/** Milliseconds without a change after which a reduced picture is drawn once in full. */
const REST_MS = 350;
/** Shortest time from one reduced picture to the next: 12 a second. */
const REDUCED_MS = 83;

export class Pacer {
	/** True where drawing takes the processor's time: fewer, smaller pictures. */
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

	/** Something that the picture shows has changed (a frame, the camera, the size, the selection). */
	change(now: number): void {
		this.#dirty = true;
		this.#sharp = false;
		this.#changed = now;
	}

	/** A frame was asked for. */
	ask(now: number): void {
		this.#askedAt = now;
		this.#isWaiting = true;
	}

	/** The answer came, or is no longer waited for. */
	answer(): void {
		this.#isWaiting = false;
	}

	/** Returns true if it is time to ask. */
	mayAsk(now: number): boolean {
		return !this.#isWaiting && (!this.reduced || now - this.#askedAt >= REDUCED_MS);
	}

	/**
	 * Decides what to draw now: nothing, a picture at the live quality, or one in full. `moving`: between two frames.
	 */
	draw(now: number, moving: boolean): 'nothing' | 'live' | 'full' {
		if (this.reduced) {
			// Half of the time at most goes into drawing: the rest is the engine's.
			if (now - this.#drawnAt < Math.max(REDUCED_MS, this.#cost * 2)) return 'nothing';
			if (this.#dirty || moving) return 'live';
			if (!this.#sharp && now - this.#changed >= REST_MS) return 'full';
			return 'nothing';
		}
		return this.#dirty || moving ? 'full' : 'nothing';
	}

	/** A picture was begun at `now`. */
	begin(now: number, quality: 'live' | 'full'): void {
		this.#drawnAt = now;
		this.#dirty = false;
		this.#sharp = quality === 'full';
	}

	/** The processor time of the last live picture, from its beginning until the GPU was done, in milliseconds. */
	cost(ms: number): void {
		this.#cost = ms;
	}

	/**
	 * Returns true if there is nothing to do before the next answer or change: nothing moves and nothing is left to
	 * draw.
	 */
	isIdle(moving: boolean): boolean {
		return this.#isWaiting && !moving && !this.#dirty && (!this.reduced || this.#sharp);
	}
}
