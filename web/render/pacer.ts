/**
 * Pace of frame requests and of drawing: as often as something changes, and almost never otherwise.
 * Owns: the pace. Never: reads a clock (callers pass times in milliseconds) or sets a timer.
 */

/** Milliseconds without a change after which a reduced picture is drawn once in full. */
const REST_MS = 350;
/** Minimum time between two reduced pictures: 12 per second. */
const REDUCED_MS = 83;

export class Pacer {
	/** True if the CPU draws, so that pictures are fewer and smaller. */
	readonly isReduced: boolean;
	#requestedAt = -Infinity;
	#isWaiting = false;
	#changedAt = -Infinity;
	#drawnAt = -Infinity;
	#cost = 0;
	#isSharp = false;
	#isDirty = true;

	constructor(isReduced: boolean) {
		this.isReduced = isReduced;
	}

	/** Reports a change of the picture's content (a frame, the camera, the size, the selection). */
	noteChange(now: number): void {
		this.#isDirty = true;
		this.#isSharp = false;
		this.#changedAt = now;
	}

	/** Reports that a frame was requested. */
	noteRequest(now: number): void {
		this.#requestedAt = now;
		this.#isWaiting = true;
	}

	/** Reports that the answer came, or is no longer expected. */
	noteAnswer(): void {
		this.#isWaiting = false;
	}

	/** Returns true if it is time to request a frame. */
	canRequest(now: number): boolean {
		return !this.#isWaiting && (!this.isReduced || now - this.#requestedAt >= REDUCED_MS);
	}

	/**
	 * Decides what to draw: nothing, a picture at live quality, or one at full quality. `isMoving`: the picture
	 * is between two frames.
	 */
	chooseQuality(now: number, isMoving: boolean): 'nothing' | 'live' | 'full' {
		if (this.isReduced) {
			// Drawing may use at most half of the time, so that the engine gets the rest.
			if (now - this.#drawnAt < Math.max(REDUCED_MS, this.#cost * 2)) return 'nothing';
			if (this.#isDirty || isMoving) return 'live';
			if (!this.#isSharp && now - this.#changedAt >= REST_MS) return 'full';
			return 'nothing';
		}
		return this.#isDirty || isMoving ? 'full' : 'nothing';
	}

	/** Reports the start of a picture. */
	noteStart(now: number, quality: 'live' | 'full'): void {
		this.#drawnAt = now;
		this.#isDirty = false;
		this.#isSharp = quality === 'full';
	}

	/** Reports the time of the last live picture, from its start until it was drawn, in milliseconds. */
	noteCost(ms: number): void {
		this.#cost = ms;
	}

	/**
	 * Returns true if there is nothing to do before the next answer or change.
	 */
	isIdle(isMoving: boolean): boolean {
		return this.#isWaiting && !isMoving && !this.#isDirty && (!this.isReduced || this.#isSharp);
	}
}
