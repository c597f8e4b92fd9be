/**
 * Tracks edits from the release of a drag until a frame contains them.
 * Owns: the moment from which on the picture shows the world again.
 */

export class Settling {
	/** Number of edits without an answer. */
	#unanswered = 0;
	/** `answered`: the next requested frame contains the edits. */
	#state: 'no' | 'answered' | 'asked' = 'no';

	/** Called when an edit is sent. */
	begin(): void {
		this.#unanswered++;
		this.#state = 'no';
	}

	/** Called when the world has answered an edit. */
	answer(): void {
		this.#unanswered = Math.max(0, this.#unanswered - 1);
		if (this.#unanswered === 0) this.#state = 'answered';
	}

	/** Called when a frame is requested. Returns true if a frame is needed even without a change, as after a refused edit. */
	asked(): boolean {
		if (this.#state === 'answered') this.#state = 'asked';
		return this.#state === 'asked';
	}

	/** Called when a frame arrives. Returns true if it contains the edits. */
	taken(): boolean {
		if (this.#state !== 'asked') return false;
		this.#state = 'no';
		return true;
	}

	/** Forgets pending edits, because another world is shown. */
	stop(): void {
		this.#state = 'no';
	}
}
