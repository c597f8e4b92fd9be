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
	readonly onOwn: () => void;
	/** Called when another tab owns the world. */
	readonly onVisit: () => void;
	/** Called when another tab claims the world. Must lead to a call of `reportReleased` or `reportDeclined`. */
	readonly onClaim: () => void;
	/** Called when another tab has taken the lock. */
	readonly onReplaced: () => void;
	/** Called with the reason when the owner declines a claim of this tab. */
	readonly onDeclined: (why: string) => void;
	/** Aborted when the page is left. The browser may keep such a page, so the lease must be released. */
	readonly pageEnd: AbortSignal;
}

export class OriginLease {
	readonly #options: OriginLeaseOptions;
	readonly #channel = new BroadcastChannel(CHANNEL);
	#isOwner = false;
	#isClaiming = false;
	/** Number of requests for the lock. */
	#requests = 0;

	constructor(options: OriginLeaseOptions) {
		this.#options = options;
		options.pageEnd.addEventListener('abort', () => this.#channel.close());
		this.#channel.onmessage = ({ data }: MessageEvent<LeaseMessage>) => this.#receive(data);
		void this.#waitForLock();
	}

	/** Claims the world for this tab. */
	claim(): void {
		this.#isClaiming = true;
		this.#post({ type: 'claim' });
	}

	/** Reports that the engine of this tab has released the lease. */
	reportReleased(): void {
		this.#post({ type: 'released' });
	}

	/** Reports that the engine of this tab keeps the world. */
	reportDeclined(why: string): void {
		this.#post({ type: 'declined', why });
	}

	#post(message: LeaseMessage): void {
		this.#channel.postMessage(message);
	}

	async #waitForLock(): Promise<void> {
		if (await this.#requestLock({ ifAvailable: true })) return;
		this.#options.onVisit();
		await this.#requestLock({ signal: this.#options.pageEnd });
	}

	#receive(message: LeaseMessage): void {
		if (message.type === 'claim') {
			if (this.#isOwner) this.#options.onClaim();
			return;
		}
		if (!this.#isClaiming) return;
		this.#isClaiming = false;
		if (message.type === 'declined') this.#options.onDeclined(message.why);
		// The owner has released the world. If another tab is first in the queue, it has not started an engine yet.
		else void this.#requestLock({ steal: true });
	}

	/** Requests the lock. Resolves to true if this tab gets it. It keeps the lock until the page ends or is left, or another tab steals it. */
	#requestLock(options: LockOptions): Promise<boolean> {
		const { pageEnd } = this.#options;
		const number = ++this.#requests;
		return new Promise((resolve, reject) => {
			let isMine = false;
			navigator.locks
				.request(LOCK, options, (lock) => {
					resolve(lock !== null);
					if (lock === null) return;
					isMine = true;
					this.#begin();
					return new Promise<void>((releaseLock) => {
						if (pageEnd.aborted) releaseLock();
						else pageEnd.addEventListener('abort', () => releaseLock());
					});
				})
				.catch((error: unknown) => {
					// A stolen lock rejects with an AbortError. There is no other report of it.
					const isStolen = isMine && error instanceof DOMException && error.name === 'AbortError';
					if (!isStolen) {
						if (!pageEnd.aborted) reject(error);
					} else if (number === this.#requests) this.#options.onReplaced();
				});
		});
	}

	/** Called when this tab gets the lock. It may happen twice, because a claim may steal the lock from this tab itself. */
	#begin(): void {
		if (this.#isOwner) return;
		this.#isOwner = true;
		this.#isClaiming = false;
		this.#options.onOwn();
	}
}
