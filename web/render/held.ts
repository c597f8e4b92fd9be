/**
 * Cache of values that are made from assets, such as textures and models.
 * Owns: one value per hash, from its first user to its last. Never: depends on the kind of value.
 */

import type { UndecodableHandler } from './decode-picture.ts';

interface Entry<T> {
	/** Null until it is loaded, and permanently if it cannot be made. */
	value: T | null;
	readonly settled: Promise<void>;
	isLoading: boolean;
	isFreed: boolean;
}

export class AssetCache<T> {
	readonly #load: (hash: string, onUndecodable: UndecodableHandler) => Promise<T | null>;
	readonly #free: (value: T) => void;
	readonly #entries = new Map<string, Entry<T>>();
	readonly #users = new Map<object, ReadonlySet<string>>();
	/** Called when a value was loaded, or cannot be made. */
	onSettled: () => void = () => {};
	/** Called with the hash of an asset that cannot be decoded. */
	onUndecodable: UndecodableHandler = () => {};

	/** `load` resolves to null for an asset from which no value can be made. */
	constructor(
		load: (hash: string, onUndecodable: UndecodableHandler) => Promise<T | null>,
		free: (value: T) => void,
	) {
		this.#load = load;
		this.#free = free;
	}

	/** Number of loaded values. */
	get count(): number {
		return [...this.#entries.values()].filter(({ value }) => value !== null).length;
	}

	/** Number of values that are loading. */
	get loadingCount(): number {
		return [...this.#entries.values()].filter(({ isLoading }) => isLoading).length;
	}

	/** Sets the hashes that a user needs. Loads new values, and frees those that no user needs. */
	use(user: object, hashes: ReadonlySet<string>): void {
		if (hashes.size === 0) this.#users.delete(user);
		else this.#users.set(user, hashes);
		for (const hash of hashes) if (!this.#entries.has(hash)) this.#startLoading(hash);
		for (const [hash, entry] of this.#entries) {
			if ([...this.#users.values()].some((needed) => needed.has(hash))) continue;
			entry.isFreed = true;
			if (entry.value !== null) this.#free(entry.value);
			this.#entries.delete(hash);
		}
	}

	/** Returns true while a value is loading. */
	isLoading(hash: string): boolean {
		return this.#entries.get(hash)?.isLoading === true;
	}

	/** Returns a value; null if it is not loaded. */
	get(hash: string): T | null {
		return this.#entries.get(hash)?.value ?? null;
	}

	/** Resolves when all values of a user are loaded or cannot be made. */
	async waitFor(user: object): Promise<void> {
		await Promise.all([...(this.#users.get(user) ?? [])].map((hash) => this.#entries.get(hash)?.settled));
	}

	dispose(): void {
		this.#users.clear();
		this.use(this, new Set());
	}

	#startLoading(hash: string): void {
		const entry: Entry<T> = {
			value: null,
			isLoading: true,
			isFreed: false,
			settled: this.#load(hash, (broken) => this.onUndecodable(broken)).then((value) => {
				if (entry.isFreed) {
					if (value !== null) this.#free(value);
					return;
				}
				entry.value = value;
				entry.isLoading = false;
				this.onSettled();
			}),
		};
		this.#entries.set(hash, entry);
	}
}
