/**
 * A common budget of callers without a session, on a server with sign-in.
 * Owns: their rate, and how many of their calls the engine has or that wait for it.
 * Never: delivers a call.
 */

import { ApiError } from '../shared/contract/errors.ts';

export interface AnonymousLimits {
	/** Calls that they may make in a second. */
	readonly anonymousRate: number;
	/** Calls of theirs that the engine may have together. */
	readonly anonymousRunning: number;
	/** Calls of theirs that may wait beside those. */
	readonly anonymousWaiting: number;
}

/** Seconds of the rate that a burst may use at once. */
const BURST_SECONDS = 2;

export class AnonymousBudget {
	readonly #limits: AnonymousLimits;
	readonly #now: () => number;
	#remaining: number;
	#at: number;
	#runningCount = 0;
	#waitingCount = 0;

	/** `now` gives milliseconds on a steady clock. */
	constructor(limits: AnonymousLimits, now: () => number) {
		this.#limits = limits;
		this.#now = now;
		this.#remaining = limits.anonymousRate * BURST_SECONDS;
		this.#at = now();
	}

	/** Lets one more call wait. Throws `too_many_calls`. */
	enter(): void {
		const { anonymousRate: rate, anonymousWaiting, anonymousRunning } = this.#limits;
		const now = this.#now();
		this.#remaining = Math.min(rate * BURST_SECONDS, this.#remaining + ((now - this.#at) / 1000) * rate);
		this.#at = now;
		if (this.#remaining < 1) throw tooMany(`made more than ${rate} calls a second`);
		const most = anonymousWaiting + anonymousRunning;
		if (this.#runningCount + this.#waitingCount >= most) throw tooMany(`have ${most} unanswered calls`);
		this.#remaining--;
		this.#waitingCount++;
	}

	/** Hands one that waits to the engine; false if that has enough of them. */
	start(): boolean {
		if (this.#runningCount >= this.#limits.anonymousRunning) return false;
		this.#waitingCount--;
		this.#runningCount++;
		return true;
	}

	/** Ends a call that has entered. `started`: the engine had it. */
	leave(started: boolean): void {
		if (started) this.#runningCount--;
		else this.#waitingCount--;
	}
}

function tooMany(what: string): ApiError {
	return new ApiError('too_many_calls', `The callers without a session ${what}, which is their limit.`, {
		fix: 'Wait for the time in Retry-After and send the call again, or sign in: an agent has limits of its own.',
		headers: { 'retry-after': '1' },
	});
}
