/**
 * Values that the browser stores for all tabs of this page.
 * Owns: the rule that blocked storage is treated as empty storage.
 */

/** Storage of the browser, or its replacement in memory. */
export type PageStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** Returns a storage in memory. */
export function createMemoryStorage(): PageStorage {
	const values = new Map<string, string>();
	return {
		getItem: (key) => values.get(key) ?? null,
		setItem: (key, value) => void values.set(key, value),
	};
}

/** Returns the storage of this browser, or one in memory if the browser blocks it. */
export function openBrowserStorage(): PageStorage {
	try {
		return localStorage;
	} catch {
		return createMemoryStorage();
	}
}

/** Returns the value stored under a key; null without one. */
export function readStored<T>(storage: PageStorage, key: string): T | null {
	try {
		return JSON.parse(storage.getItem(key) ?? 'null') as T | null;
	} catch {
		return null;
	}
}

/** Stores a value under a key. Does nothing if the storage is full. */
export function storeValue(storage: PageStorage, key: string, value: unknown): void {
	try {
		storage.setItem(key, JSON.stringify(value));
	} catch {
		// The storage is full. The next page starts without the value.
	}
}
