/**
 * Snapshot of a large state as bytes, shared by all worlds that continue from that state. It is taken at most once, and
 * only when the bytes are needed.
 * Owns: the bytes and their form. Beyond a limit of memory, the least recently used snapshots are deflated.
 */

import { deflateSync, inflateSync } from 'fflate';
import { BoundedCache } from './bounded-cache.ts';

const MIB = 2 ** 20;

/** Snapshots whose bytes are not deflated. */
export const plainSnapshots = new BoundedCache<LazySnapshot>(256 * MIB, (snapshot) => snapshot.deflate());

export class LazySnapshot {
	/** Takes the bytes from the source; null after the source has changed. */
	#take: (() => Uint8Array) | null;
	#plain: Uint8Array | null = null;
	#deflated: Uint8Array | null = null;
	#length = 0;
	#users = 0;

	/**
	 * `take` is called only while the source is in this state, that is until `detachSource`. For shared snapshots it is
	 * called at most once.
	 */
	constructor(take: () => Uint8Array) {
		this.#take = take;
	}

	/** Returns a snapshot of existing bytes. */
	static of(bytes: Uint8Array): LazySnapshot {
		const snapshot = new LazySnapshot(() => bytes);
		snapshot.#users = 1;
		snapshot.detachSource();
		snapshot.#users = 0;
		return snapshot;
	}

	/** Adds a user: a world that may continue from this state. */
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

	/** Called before the source changes or ends. Takes the bytes now if the snapshot has users. */
	detachSource(): void {
		if (this.#users > 0) this.read();
		this.#take = null;
		this.#forgetIfUnused();
	}

	/** Returns the bytes, which must not be changed. Without users, the snapshot does not keep them. */
	read(): Uint8Array {
		if (this.#users === 0 && this.#take !== null) return this.#take();
		if (this.#plain === null) {
			if (this.#deflated !== null) this.#plain = this.#inflate(this.#deflated);
			else if (this.#take !== null) this.#plain = this.#take();
			else throw new Error('A snapshot was read after its last user released it.');
			this.#length = this.#plain.length;
		}
		plainSnapshots.use(this, this.#length);
		return this.#plain;
	}

	/** Returns the bytes for a single read. A deflated snapshot stays deflated. */
	readOnce(): Uint8Array {
		return this.#plain === null && this.#deflated !== null ? this.#inflate(this.#deflated) : this.read();
	}

	#inflate(deflated: Uint8Array): Uint8Array {
		return inflateSync(deflated, { out: new Uint8Array(this.#length) });
	}

	/** Deflates the bytes. */
	deflate(): void {
		if (this.#plain === null) return;
		this.#deflated ??= deflateSync(this.#plain, { level: 1 });
		this.#plain = null;
		plainSnapshots.drop(this);
	}

	/** Length of the inflated bytes; 0 while they are not taken. */
	get length(): number {
		return this.#length;
	}

	/** Bytes of memory that it currently uses. */
	get weight(): number {
		return (this.#plain?.length ?? 0) + (this.#deflated?.length ?? 0);
	}

	#forgetIfUnused(): void {
		if (this.#users > 0 || this.#take !== null) return;
		plainSnapshots.drop(this);
		this.#plain = null;
		this.#deflated = null;
	}
}
