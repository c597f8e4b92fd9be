/**
 * Tracks edits from the release of a drag until a frame contains them.
 * Owns: the decision when the picture shows the edited world again.
 */

export class EditTracker {
	/** Number of edits without an answer, in any world. A late answer still counts down. */
	#unanswered = 0;
	/**
	 * `idle`: nothing to wait for, or edits without an answer. `answered`: the next requested frame contains the edits.
	 * `requested`: that frame is under way.
	 */
	#state: 'idle' | 'answered' | 'requested' = 'idle';

	/** Counts a sent edit. */
	editSent(): void {
		this.#unanswered++;
		this.#state = 'idle';
	}

	/** Counts an answered edit. After the last one, the next requested frame contains the edits. */
	editAnswered(): void {
		this.#unanswered = Math.max(0, this.#unanswered - 1);
		if (this.#unanswered === 0) this.#state = 'answered';
	}

	/**
	 * Marks the requested frame as the one with the edits, if all edits are answered. Returns true if a frame is needed even
	 * without a change, as after a refused edit.
	 */
	requestFrame(): boolean {
		if (this.#state === 'answered') this.#state = 'requested';
		return this.#state === 'requested';
	}

	/** Ends the wait when a frame arrives. Returns true if it contains the edits. */
	receiveFrame(): boolean {
		if (this.#state !== 'requested') return false;
		this.#state = 'idle';
		return true;
	}

	/** Ends the wait for a frame, because another world is shown. */
	leaveWorld(): void {
		this.#state = 'idle';
	}
}
