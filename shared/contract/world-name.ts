/** Names of worlds beside main. Owns: the rule, by which a name is also that of a folder, wherever worlds are stored. */

/** Lowercase letters, digits and hyphens, beginning with a letter or a digit. */
export const WORLD_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Returns true if a named world can have the name. */
export const isWorldName = (name: string): boolean =>
	WORLD_NAME.test(name) && name !== 'main' && name !== 'list';
