/**
 * Cache of values that are made from assets, such as textures and models.
 * Owns: one value per hash, from its first user to its last. Never: depends on the kind of value.
 */

import type { Undecodable } from './decode-picture.ts';

interface Holding<T> {
	/** Null until it is loaded, and permanently if it cannot be made. */
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
	/** Called when a value was loaded, or cannot be made. */
	onSettled: () => void = () => {};
	/** Called with the hash of an asset that cannot be decoded. */
	onUndecodable: Undecodable = () => {};

	/** `load` resolves to null for an asset from which no value can be made. */
	constructor(load: (hash: string, undecodable: Undecodable) => Promise<T | null>, free: (value: T) => void) {
		this.#load = load;
		this.#free = free;
	}

	/** Number of loaded values. */
	get count(): number {
		return [...this.#held.values()].filter(({ value }) => value !== null).length;
	}

	/** Number of values that are loading. */
	get loading(): number {
		return [...this.#held.values()].filter(({ loading }) => loading).length;
	}

	/** Sets the hashes that a user needs. Loads new values, and frees those that no user needs. */
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

	/** Resolves when all values of a user are loaded or cannot be made. */
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
