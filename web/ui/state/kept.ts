/**
 * Values that the browser keeps for all tabs of this page.
 * Owns: that a browser which blocks storage is as one that has kept nothing.
 */

/** Storage of the browser, or in its place. */
export type PageStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** Storage that lasts as long as it is held. */
export function memoryKept(): PageStorage {
	const values = new Map<string, string>();
	return {
		getItem: (key) => values.get(key) ?? null,
		setItem: (key, value) => void values.set(key, value),
	};
}

/** Returns the storage of this browser. */
export function browserKept(): PageStorage {
	try {
		return localStorage;
	} catch {
		return memoryKept();
	}
}

/** Returns the value that was kept under a key; null without one. */
export function readKept<T>(storage: PageStorage, key: string): T | null {
	try {
		return JSON.parse(storage.getItem(key) ?? 'null') as T | null;
	} catch {
		return null;
	}
}

export function keep(storage: PageStorage, key: string, value: unknown): void {
	try {
		storage.setItem(key, JSON.stringify(value));
	} catch {
		// The storage is full: the next page begins without it.
	}
}
