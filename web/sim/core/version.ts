/**
 * Versions of worlds and their columns. Each change of any world has its own number.
 * Owns: the last number. It is common to all worlds, because a fork may replace its world.
 * Versions are not part of the state: they are neither digested nor saved.
 */

let lastVersion = 0;

/** Gives a changed world a new version, and returns it. */
export function markChanged(world: { version: number }): number {
	world.version = ++lastVersion;
	return world.version;
}
