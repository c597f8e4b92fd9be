/**
 * Pace of asking the engine for frames and of drawing: as often as something changes, and almost never otherwise.
 * Owns: the pace. Never: reads a clock (times come in, in milliseconds) or sets a timer.
 */

/** Polls of an unchanged, paused world before the pace drops. */
const CALM_POLLS = 8;
/** Milliseconds between polls of a calm world: 4 a second. */
const CALM_MS = 250;
/** Milliseconds without a change after which a reduced picture is drawn once in full. */
const REST_MS = 350;
/** Shortest time from one reduced picture to the next: 12 a second. */
const REDUCED_MS = 83;

export class Pacer {
	/** True where drawing takes the processor's time: fewer, smaller pictures. */
	readonly reduced: boolean;
	#asked = -Infinity;
	#waiting = false;
	#calm = 0;
	#changed = -Infinity;
	#drawn = -Infinity;
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
		this.#asked = now;
		this.#waiting = true;
	}

	/** The answer came; `still` when nothing in it differs from the one before and the world is paused. */
	answer(still: boolean): void {
		this.#waiting = false;
		this.#calm = still ? this.#calm + 1 : 0;
	}

	/** The world is no longer expected to be calm (another world, a visible tab): ask at full pace again. */
	wake(): void {
		this.#calm = 0;
	}

	/** Returns true if no answer has come for `ms` milliseconds. */
	overdue(now: number, ms: number): boolean {
		return this.#waiting && now - this.#asked > ms;
	}

	/** Returns true if it is time to ask. */
	mayAsk(now: number): boolean {
		if (this.#waiting) return false;
		if (this.#calm >= CALM_POLLS) return now - this.#asked >= CALM_MS;
		return !this.reduced || now - this.#asked >= REDUCED_MS;
	}

	/**
	 * Decides what to draw now: nothing, a picture at the live quality, or one in full. `moving`: between two frames.
	 */
	draw(now: number, moving: boolean): 'nothing' | 'live' | 'full' {
		if (this.reduced) {
			// Half of the time at most goes into drawing: the rest is the engine's.
			if (now - this.#drawn < Math.max(REDUCED_MS, this.#cost * 2)) return 'nothing';
			if (this.#dirty || moving) return 'live';
			if (!this.#sharp && now - this.#changed >= REST_MS) return 'full';
			return 'nothing';
		}
		return this.#dirty || moving ? 'full' : 'nothing';
	}

	/** A picture was begun at `now`. */
	begin(now: number, quality: 'live' | 'full'): void {
		this.#drawn = now;
		this.#dirty = false;
		this.#sharp = quality === 'full';
	}

	/** The processor time of the last live picture, from its beginning until the GPU was done, in milliseconds. */
	cost(ms: number): void {
		this.#cost = ms;
	}

	/** Returns true if the next look may wait until the next calm poll: nothing moves and nothing is left to draw. */
	idle(moving: boolean): boolean {
		return this.#calm >= CALM_POLLS && !moving && !this.#dirty && (!this.reduced || this.#sharp);
	}

	/** Milliseconds until the next calm poll. */
	rest(now: number): number {
		return Math.max(1, this.#asked + CALM_MS - now);
	}
}
