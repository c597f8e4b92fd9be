/**
 * Versions of worlds and their columns: numbers that no other change of any world has.
 * Owns: the last one given out. Forks of one world may take each other's place, so a number of its own for each would
 * not distinguish them.
 * Never: part of the state: not digested, not saved.
 */

let last = 0;

/** Says that a world has changed, and answers its new version. */
export function markChanged(world: { version: number }): number {
	world.version = ++last;
	return world.version;
}
