/** Names of worlds beside main. Owns: the rule for names, which are also the names of folders. */

/** Pattern of a name: lowercase letters, digits and hyphens, starting with a letter or a digit. */
export const WORLD_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Returns true if a named world may have a name. */
export const isWorldName = (name: string): boolean =>
	WORLD_NAME.test(name) && name !== 'main' && name !== 'list';
