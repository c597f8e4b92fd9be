/**
 * A snapshot as bytes of something heavy, for all that continue from that state: taken once, and only when the bytes
 * are needed.
 * Owns: the bytes, and in which form they are kept. Beyond some room, those not used for longest are deflated.
 */

import { deflateSync, inflateSync } from 'fflate';
import { BoundedCache } from './bounded-cache.ts';

const MIB = 2 ** 20;

/** Snapshots whose bytes are kept as they are; all others are deflated. */
export const plainSnapshots = new BoundedCache<LazySnapshot>(256 * MIB, (snapshot) => snapshot.pack());

export class LazySnapshot {
	/** Takes the bytes; null once the source has moved on. */
	#take: (() => Uint8Array) | null;
	#plain: Uint8Array | null = null;
	#packed: Uint8Array | null = null;
	#length = 0;
	#users = 0;

	/**
	 * `take` is asked at most once for all that share it, and only while its source is in this state: until `settle`.
	 */
	constructor(take: () => Uint8Array) {
		this.#take = take;
	}

	/** Returns a snapshot that is there as bytes already. */
	static of(bytes: Uint8Array): LazySnapshot {
		const snapshot = new LazySnapshot(() => bytes);
		snapshot.#users = 1;
		snapshot.settle();
		snapshot.#users = 0;
		return snapshot;
	}

	/** Adds a user: a world that will continue from here. */
	share(): this {
		this.#users++;
		return this;
	}

	/** True if it has users. */
	get shared(): boolean {
		return this.#users > 0;
	}

	/** Removes a user. */
	release(): void {
		this.#users--;
		this.#forgetIfUnused();
	}

	/** The source is about to move on, or to end: takes the bytes now if they are needed. */
	settle(): void {
		if (this.#users > 0) this.read();
		this.#take = null;
		this.#forgetIfUnused();
	}

	/** Returns the bytes, not to be changed. Reading does not keep them for a state that is not shared. */
	read(): Uint8Array {
		if (this.#users === 0 && this.#take !== null) return this.#take();
		if (this.#plain === null) {
			if (this.#packed !== null) this.#plain = this.#inflated(this.#packed);
			else if (this.#take !== null) this.#plain = this.#take();
			else throw new Error('A snapshot was read after its last user released it.');
			this.#length = this.#plain.length;
		}
		plainSnapshots.use(this, this.#length);
		return this.#plain;
	}

	/** Returns the bytes, for readers that do not continue from them: deflated ones stay so. */
	look(): Uint8Array {
		return this.#plain === null && this.#packed !== null ? this.#inflated(this.#packed) : this.read();
	}

	#inflated(packed: Uint8Array): Uint8Array {
		return inflateSync(packed, { out: new Uint8Array(this.#length) });
	}

	/** Keeps the bytes deflated. */
	pack(): void {
		if (this.#plain === null) return;
		this.#packed ??= deflateSync(this.#plain, { level: 1 });
		this.#plain = null;
		plainSnapshots.drop(this);
	}

	/** Length of the bytes as they are when read; 0 as long as they were not taken. */
	get length(): number {
		return this.#length;
	}

	/** Bytes of memory that it takes now. */
	get weight(): number {
		return (this.#plain?.length ?? 0) + (this.#packed?.length ?? 0);
	}

	#forgetIfUnused(): void {
		if (this.#users > 0 || this.#take !== null) return;
		plainSnapshots.drop(this);
		this.#plain = null;
		this.#packed = null;
	}
}
