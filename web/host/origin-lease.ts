/**
 * Decides which tab of this browser owns the world if there is no relay. One tab owns it, and the others queue.
 * Owns: a Web Lock, whose queue decides the next owner, and the channel on which a tab claims the world. The journal's lease fences an
 * owner that does not release it.
 * Never: starts or ends an engine.
 */

const LOCK = 'orrery-world';
const CHANNEL = 'orrery-world';

type LeaseMessage =
	| { readonly type: 'claim' }
	| { readonly type: 'released' }
	| { readonly type: 'declined'; readonly why: string };

export interface OriginLeaseOptions {
	/** Called when this tab may start an engine. */
	readonly hold: () => void;
	/** Called when another tab owns the world. */
	readonly visit: () => void;
	/** Called when another tab claims the world. Must lead to a call of `released` or `declined`. */
	readonly release: () => void;
	/** Called when another tab has taken the lock. */
	readonly replaced: () => void;
	/** Called with the reason when the owner declines a claim of this tab. */
	readonly declined: (why: string) => void;
	/** Aborted when the page is left. The browser may keep such a page, so the lease must be released. */
	readonly left: AbortSignal;
}

export class OriginLease {
	readonly #options: OriginLeaseOptions;
	readonly #channel = new BroadcastChannel(CHANNEL);
	#holds = false;
	#claims = false;
	/** Number of requests for the lock. */
	#requests = 0;

	constructor(options: OriginLeaseOptions) {
		this.#options = options;
		options.left.addEventListener('abort', () => this.#channel.close());
		this.#channel.onmessage = ({ data }: MessageEvent<LeaseMessage>) => this.#hear(data);
		void this.#waitForLock();
	}

	/** Claims the world for this tab. */
	claim(): void {
		this.#claims = true;
		this.#post({ type: 'claim' });
	}

	/** Reports that the engine of this tab has released the lease. */
	released(): void {
		this.#post({ type: 'released' });
	}

	/** Reports that the engine of this tab keeps the world. */
	declined(why: string): void {
		this.#post({ type: 'declined', why });
	}

	#post(message: LeaseMessage): void {
		this.#channel.postMessage(message);
	}

	async #waitForLock(): Promise<void> {
		if (await this.#request({ ifAvailable: true })) return;
		this.#options.visit();
		await this.#request({ signal: this.#options.left });
	}

	#hear(message: LeaseMessage): void {
		if (message.type === 'claim') {
			if (this.#holds) this.#options.release();
			return;
		}
		if (!this.#claims) return;
		this.#claims = false;
		if (message.type === 'declined') this.#options.declined(message.why);
		// The owner has released the world. If another tab is first in the queue, it has not started an engine yet.
		else void this.#request({ steal: true });
	}

	/** Requests the lock. Resolves to true if this tab gets it. It keeps the lock until the page ends or is left, or another tab steals it. */
	#request(options: LockOptions): Promise<boolean> {
		const { left } = this.#options;
		const number = ++this.#requests;
		return new Promise((resolve, reject) => {
			let isMine = false;
			navigator.locks
				.request(LOCK, options, (lock) => {
					resolve(lock !== null);
					if (lock === null) return;
					isMine = true;
					this.#begin();
					return new Promise<void>((giveBack) => {
						if (left.aborted) giveBack();
						else left.addEventListener('abort', () => giveBack());
					});
				})
				.catch((error: unknown) => {
					// A stolen lock rejects with an AbortError. There is no other report of it.
					const isStolen = isMine && error instanceof DOMException && error.name === 'AbortError';
					if (!isStolen) {
						if (!left.aborted) reject(error);
					} else if (number === this.#requests) this.#options.replaced();
				});
		});
	}

	/** Called when this tab gets the lock. It may happen twice, because a claim may steal the lock from this tab itself. */
	#begin(): void {
		if (this.#holds) return;
		this.#holds = true;
		this.#claims = false;
		this.#options.hold();
	}
}
