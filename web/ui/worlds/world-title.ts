/**
 * Titles of worlds.
 * Owns: the part of a name that is a title, and titles for new worlds.
 */

/** Returns the name of a world up to a colon, without its description; null for a world without a name. */
export const titleIn = (name: string | undefined): string | null => name?.split(':', 1)[0]?.trim() || null;

/** Returns a free title: `Hills`, `Hills 2`, `Hills 3`, ... */
export function freeTitle(taken: ReadonlySet<string>, title: string): string {
	for (let number = 1; ; number++) {
		const free = number === 1 ? title : `${title} ${number}`;
		if (!taken.has(free)) return free;
	}
}
