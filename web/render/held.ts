/**
 * Things made of the world's assets: textures, models.
 * Owns: each of them once, from the first user that needs it until the last no longer does. Never: knows what they are.
 */

import type { Undecodable } from './decode-picture.ts';

interface Holding<T> {
	/** Null until it has come, and for good when it cannot be made. */
	value: T | null;
	readonly settled: Promise<void>;
	loading: boolean;
	freed: boolean;
}

export class Held<T> {
	readonly #load: (hash: string, undecodable: Undecodable) => Promise<T | null>;
	readonly #free: (value: T) => void;
	readonly #held = new Map<string, Holding<T>>();
	readonly #users = new Map<object, ReadonlySet<string>>();
	/** Called when one has come, or is known not to. */
	onSettled: () => void = () => {};
	/** Called with the hash of one that cannot be decoded. */
	onUndecodable: Undecodable = () => {};

	/** `load` answers null for what cannot be made. */
	constructor(load: (hash: string, undecodable: Undecodable) => Promise<T | null>, free: (value: T) => void) {
		this.#load = load;
		this.#free = free;
	}

	/** Number of things that are there. */
	get count(): number {
		return [...this.#held.values()].filter(({ value }) => value !== null).length;
	}

	/** Number of needed things that have not come, nor are known to be missing. */
	get loading(): number {
		return [...this.#held.values()].filter(({ loading }) => loading).length;
	}

	/** Sets which ones a user needs from now on: loads those that are new, and frees those that are not needed. */
	use(user: object, hashes: ReadonlySet<string>): void {
		if (hashes.size === 0) this.#users.delete(user);
		else this.#users.set(user, hashes);
		for (const hash of hashes) if (!this.#held.has(hash)) this.#begin(hash);
		for (const [hash, held] of this.#held) {
			if ([...this.#users.values()].some((used) => used.has(hash))) continue;
			held.freed = true;
			if (held.value !== null) this.#free(held.value);
			this.#held.delete(hash);
		}
	}

	/** Returns true while the thing has not come, nor is known to be missing. */
	isLoading(hash: string): boolean {
		return this.#held.get(hash)?.loading === true;
	}

	/** Returns the thing, or null while it has not come. */
	get(hash: string): T | null {
		return this.#held.get(hash)?.value ?? null;
	}

	/** Settles when all that a user needs have come or are known not to. */
	async settled(user: object): Promise<void> {
		await Promise.all([...(this.#users.get(user) ?? [])].map((hash) => this.#held.get(hash)?.settled));
	}

	dispose(): void {
		this.#users.clear();
		this.use(this, new Set());
	}

	#begin(hash: string): void {
		const held: Holding<T> = {
			value: null,
			loading: true,
			freed: false,
			settled: this.#load(hash, (broken) => this.onUndecodable(broken)).then((value) => {
				if (held.freed) {
					if (value !== null) this.#free(value);
					return;
				}
				held.value = value;
				held.loading = false;
				this.onSettled();
			}),
		};
		this.#held.set(hash, held);
	}
}
