/**
 * Decides which tab of this browser owns the world if there is no relay: one at a time, the others wait in line.
 * Owns: a Web Lock, which decides which is next, and the channel on which a tab claims the world from its owner. The
 * journal's lease fences an owner that does not let go.
 * Never: starts or ends an engine.
 */

const LOCK = 'orrery-world';
const CHANNEL = 'orrery-world';

type LeaseMessage =
	| { readonly type: 'claim' }
	| { readonly type: 'released' }
	| { readonly type: 'declined'; readonly why: string };

export interface OriginLeaseOptions {
	/** This tab may start an engine. */
	readonly hold: () => void;
	/** Another tab holds the world. */
	readonly visit: () => void;
	/** Another tab claims the world: `released` or `declined` is called when that is decided. */
	readonly release: () => void;
	/** Another tab has the lock. */
	readonly replaced: () => void;
	/** The world does not move here, and why. */
	readonly declined: (why: string) => void;
	/** The page is left, and the browser may keep it: it releases everything. */
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

	/** Has the world move here, or says why it does not. */
	claim(): void {
		this.#claims = true;
		this.#post({ type: 'claim' });
	}

	/** The engine of this tab has released the lease. */
	released(): void {
		this.#post({ type: 'released' });
	}

	/** It continues. */
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
		// The owner has let go, and the first in line may be another tab: it has begun nothing yet.
		else void this.#request({ steal: true });
	}

	/** Requests the lock. Resolves with whether this tab has it; it holds the lock until it ends, is left, or another steals it. */
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
					// A lock that was stolen rejects with an AbortError: the only way to hear of it.
					const isStolen = isMine && error instanceof DOMException && error.name === 'AbortError';
					if (!isStolen) {
						if (!left.aborted) reject(error);
					} else if (number === this.#requests) this.#options.replaced();
				});
		});
	}

	/** The lock is this tab's. It may be so twice: a claim steals it from this tab itself if the line came to it meanwhile. */
	#begin(): void {
		if (this.#holds) return;
		this.#holds = true;
		this.#claims = false;
		this.#options.hold();
	}
}
