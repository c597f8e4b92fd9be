/**
 * Edits whose calls are under way, and the frame that has them.
 * Owns: when the picture shows the world again.
 */

export class Settling {
	/** Edits whose calls are under way. */
	#unanswered = 0;
	/** `answered`: the next frame that is asked for has what was let go. */
	#state: 'no' | 'answered' | 'asked' = 'no';

	/** An edit was sent. */
	begin(): void {
		this.#unanswered++;
		this.#state = 'no';
	}

	/** The world has answered to an edit. */
	answer(): void {
		this.#unanswered = Math.max(0, this.#unanswered - 1);
		if (this.#unanswered === 0) this.#state = 'answered';
	}

	/** A frame is asked for. True if it is needed even if nothing has changed: a refused edit changes nothing. */
	asked(): boolean {
		if (this.#state === 'answered') this.#state = 'asked';
		return this.#state === 'asked';
	}

	/** A frame has come. True if it has what was let go. */
	taken(): boolean {
		if (this.#state !== 'asked') return false;
		this.#state = 'no';
		return true;
	}

	/** Another world is shown. */
	stop(): void {
		this.#state = 'no';
	}
}
