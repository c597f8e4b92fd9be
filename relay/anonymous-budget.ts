/**
 * Budget that all callers without a session share, on a server with sign-in.
 * Owns: their rate, and the numbers of their waiting and running calls.
 * Never: delivers a call.
 */

import { ApiError } from '../shared/contract/errors.ts';

export interface AnonymousLimits {
	/** Maximum calls per second. */
	readonly anonymousRate: number;
	/** Maximum calls that the engine runs together. */
	readonly anonymousRunning: number;
	/** Maximum calls that wait for the engine. */
	readonly anonymousWaiting: number;
}

/** A burst may use the calls of this many seconds together. */
const BURST_SECONDS = 2;

export class AnonymousBudget {
	readonly #limits: AnonymousLimits;
	readonly #now: () => number;
	/** Number of calls that are allowed now. It grows by `anonymousRate` a second. */
	#remaining: number;
	#refilledAt: number;
	#runningCount = 0;
	#waitingCount = 0;

	/** `now` returns milliseconds of a steady clock. */
	constructor(limits: AnonymousLimits, now: () => number) {
		this.#limits = limits;
		this.#now = now;
		this.#remaining = limits.anonymousRate * BURST_SECONDS;
		this.#refilledAt = now();
	}

	/** Adds a waiting call. Throws `too_many_calls` if the budget is used up. */
	enter(): void {
		const { anonymousRate: rate, anonymousWaiting, anonymousRunning } = this.#limits;
		const now = this.#now();
		this.#remaining = Math.min(
			rate * BURST_SECONDS,
			this.#remaining + ((now - this.#refilledAt) / 1000) * rate,
		);
		this.#refilledAt = now;
		if (this.#remaining < 1) throw tooMany(`made more than ${rate} calls a second`);
		const maxUnanswered = anonymousWaiting + anonymousRunning;
		if (this.#runningCount + this.#waitingCount >= maxUnanswered)
			throw tooMany(`have ${maxUnanswered} unanswered calls`);
		this.#remaining--;
		this.#waitingCount++;
	}

	/** Moves a waiting call to the running ones. Returns false if the maximum is running already. */
	start(): boolean {
		if (this.#runningCount >= this.#limits.anonymousRunning) return false;
		this.#waitingCount--;
		this.#runningCount++;
		return true;
	}

	/** Removes a call. `started`: it was running. */
	leave(started: boolean): void {
		if (started) this.#runningCount--;
		else this.#waitingCount--;
	}
}

function tooMany(excess: string): ApiError {
	return new ApiError('too_many_calls', `The callers without a session ${excess}, which is their limit.`, {
		fix: 'Wait for the time in Retry-After and send the call again, or sign in: an agent has limits of its own.',
		headers: { 'retry-after': '1' },
	});
}
