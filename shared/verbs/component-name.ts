/** Names of components in filters. Owns: the aliases of components. */

import { components } from '../components/index.ts';

const ALIASES: Readonly<Record<string, string>> = {
	spawnpoint: 'spawn_point',
	globaltransform: 'global_transform',
	localtransform: 'local_transform',
	transform: 'global_transform',
	entityrole: 'role',
	entity_role: 'role',
	meshrenderer: 'mesh',
	mesh_renderer: 'mesh',
};

export const COMPONENT_NAMES: readonly string[] = components.map(({ name }) => name);

/** Returns the component with this name or alias, in any letter case; undefined for an unknown word. */
export function componentNamed(name: string) {
	const lowerName = name.toLowerCase();
	const fullName = Object.hasOwn(ALIASES, lowerName) ? ALIASES[lowerName] : lowerName;
	return components.find((c) => c.name === fullName || c.title.toLowerCase() === fullName);
}
