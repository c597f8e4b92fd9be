/**
 * Titles of worlds, as people read them.
 * Owns: the part of a name that is a title, and titles for new worlds.
 */

/** The name of a world up to a colon: the rest says what there is to do. Null for a world without a name. */
export const titleIn = (name: string | undefined): string | null => name?.split(':', 1)[0]?.trim() || null;

/** A title that is not taken: `Hills`, `Hills 2`, `Hills 3`, ... */
export function freeTitle(taken: ReadonlySet<string>, title: string): string {
	for (let number = 1; ; number++) {
		const free = number === 1 ? title : `${title} ${number}`;
		if (!taken.has(free)) return free;
	}
}
